#include "engine/internal/check_run.h"

#include <algorithm>

#include "base/limits.h"
#include "engine/policy_index.h"
#include "value/described.h"

namespace arbiter::engine::internal {

using proposal::Problem;
using value::Bindings;
using value::Path;
using value::Value;

namespace {

// Where an element of a list was before the list's elements moved: nothing if it is new.
std::optional<Path> place_before(Path path, const std::vector<Shift>& shifts) {
    for (auto shift = shifts.rbegin(); shift != shifts.rend(); ++shift) {
        const Shift back{shift->list, shift->at, shift->inserted, shift->removed};
        if (!follow(path, back)) {
            return std::nullopt;
        }
    }
    return path;
}

// Where an element of a list is after that: nothing if it was removed.
std::optional<Path> place_after(Path path, const std::vector<Shift>& shifts) {
    const bool stays =
        std::ranges::all_of(shifts, [&](const Shift& shift) { return follow(path, shift); });
    return stays ? std::optional(std::move(path)) : std::nullopt;
}

// Runs one check on the changed places of its pattern.
class CheckRun {
  public:
    CheckRun(Work& work, const Check& check, const Value& before, const State& start)
        : work_(work), check_(check), before_(before), start_(start) {}

    bool at(const Path& place) {
        visit_near(check_.place(), work_.document(), place,
                   [&](const Path& path, const Bindings& bindings, const Value& now) {
                       return look(path, bindings, find_before(path), &now);
                   });
        // Removed places.
        visit_near(check_.place(), before_, place,
                   [&](const Path& path, const Bindings& bindings, const Value& old) {
                       return !fine_ || is_there(path) || look(path, bindings, &old, nullptr);
                   });
        for (auto& [path, value] : writes_) {
            fine_ = fine_ && work_.put(path, std::move(value), true);
        }
        return fine_;
    }

  private:
    // The value that is at a path now, where it was before. A new element in the place of a removed
    // one (splice) is a change of that one.
    [[nodiscard]] const Value* find_before(const Path& path) const {
        if (work_.shifts.empty()) {
            return value::find(before_, path);
        }
        work_.budget.spend(work_.shifts.size() * base::kElementCost);
        if (const auto was = place_before(path, work_.shifts)) {
            return value::find(before_, *was);
        }
        return place_after(path, work_.shifts) ? nullptr : value::find(before_, path);
    }
    // Whether the value that was at a path is somewhere now.
    [[nodiscard]] bool is_there(const Path& path) const {
        if (work_.shifts.empty()) {
            return work_.at(path) != nullptr;
        }
        work_.budget.spend(work_.shifts.size() * base::kElementCost);
        const auto is = place_after(path, work_.shifts);
        return is && work_.at(*is) != nullptr;
    }
    // A message about a limit also names the value that was asked for.
    static void add_asked(Problem& problem, const Path& path, const Value* now) {
        if (problem.code == Code::kConstraint && problem.details.size() == 2 && now != nullptr &&
            problem.details[0] == detail_of(path)) {
            problem.details.push_back(detail_of(value::undescribed(*now)));
        }
    }
    // False ends the run.
    bool look(const Path& path, const Bindings& bindings, const Value* old, const Value* now) {
        if (old != nullptr && now != nullptr && *old == *now) {
            return true;
        }
        if (!work_.spend(base::kCheckCost)) {
            return fine_ = false;
        }
        CheckResult result =
            check_.judge({start_, before_, work_.document(), work_.meta, path, bindings, old, now,
                          work_.context.actor, work_.context.is_text, work_.budget});
        if (work_.budget.is_spent()) {
            return fine_ = work_.spend(0);
        }
        for (proposal::Remark& remark : result.remarks) {
            work_.warn(std::move(remark));
        }
        switch (result.action) {
            case CheckResult::Action::kAllow:
                break;
            case CheckResult::Action::kReplace:
                writes_.emplace_back(path, std::move(result.value));
                break;
            case CheckResult::Action::kRefuse:
                add_asked(*result.problem, path, now);
                fine_ = work_.fail(result.problem->code, std::move(result.problem->details));
                break;
        }
        return fine_;
    }

    Work& work_;
    const Check& check_;
    const Value& before_;
    const State& start_;
    bool fine_ = true;
    std::vector<std::pair<Path, Value>> writes_;
};

}  // namespace

const PolicyIndex& index_of(const Policy& policy) noexcept {
    static const PolicyIndex none;
    return policy.index != nullptr ? *policy.index : none;
}

std::vector<std::pair<std::uint32_t, std::size_t>> touching(const value::PatternIndex& index,
                                                            const std::vector<Path>& places) {
    std::vector<std::pair<std::uint32_t, std::size_t>> found;
    if (index.empty()) {
        return found;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (const std::uint32_t number : index.find(places[i])) {
            found.emplace_back(number, i);
        }
    }
    std::ranges::sort(found);
    return found;
}

std::vector<std::shared_ptr<const Check>> counting_checks(const Policy& policy,
                                                          const std::vector<Path>& places) {
    std::vector<std::shared_ptr<const Check>> found;
    for (const auto& [number, place] : touching(index_of(policy).counting_checks, places)) {
        if (found.empty() || found.back() != policy.checks[number]) {
            found.push_back(policy.checks[number]);
        }
    }
    return found;
}

bool run_checks(Work& work, const State& start, const std::vector<Path>& places) {
    for (const auto& [number, place] : touching(index_of(work.policy).checks, places)) {
        const Check& check = *work.policy.checks[number];
        if (work.context.actor == Actor::kSystem && !check.binds_texts()) {
            continue;
        }
        if (!CheckRun(work, check, work.before.document, start).at(places[place])) {
            return false;
        }
    }
    return true;
}

}  // namespace arbiter::engine::internal
