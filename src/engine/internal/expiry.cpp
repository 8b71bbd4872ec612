#include "engine/internal/expiry.h"

#include <algorithm>
#include <map>

#include "base/limits.h"
#include "engine/internal/path_index.h"
#include "engine/internal/timers.h"
#include "engine/marks.h"
#include "value/editor.h"

namespace arbiter::engine::internal {

using value::Array;
using value::Path;
using value::Segment;
using value::Value;

namespace {

// How many elements before a position were removed, by prefix sums (Fenwick tree).
class GoneElements {
  public:
    explicit GoneElements(std::size_t size) : sums_(size + 1) {}
    void add(std::size_t position) {
        for (std::size_t i = position + 1; i < sums_.size(); i += i & (~i + 1)) {
            ++sums_[i];
        }
    }
    [[nodiscard]] std::size_t before(std::size_t position) const {
        std::size_t sum = 0;
        for (std::size_t i = std::min(position, sums_.size() - 1); i > 0; i -= i & (~i + 1)) {
            sum += sums_[i];
        }
        return sum;
    }

  private:
    std::vector<std::size_t> sums_;
};

// The paths of timers while nodes go. All paths are those of the beginning; present_path()
// translates one, so that a removal does not rewrite the paths of all timers behind it.
class Removals {
  public:
    // Nothing if the node went together with a parent.
    [[nodiscard]] std::optional<Path> present_path(const Path& path) const {
        if (gone_.has_above(path)) {
            return std::nullopt;
        }
        Path present = path;
        for (std::size_t i = 0; !lists_.empty() && i < path.size(); ++i) {
            if (!path[i].is_index()) {
                continue;
            }
            if (const auto list = lists_.find(list_key(path, i)); list != lists_.end()) {
                const auto position = static_cast<std::size_t>(path[i].index());
                present[i] =
                    Segment(static_cast<std::int64_t>(position - list->second.before(position)));
            }
        }
        return present;
    }
    // A whole node was removed. `list_size`: elements of its list; 0: it is not an element.
    void add(const Path& path, std::size_t list_size) {
        gone_.add(path, 0);
        if (list_size > 0) {
            const auto [list, is_new] =
                lists_.try_emplace(list_key(path, path.size() - 1), list_size);
            list->second.add(path.back().as_position().value_or(0));
        }
    }
    // Parts of a node stayed.
    void add_part(const Path& path) { parts_.add(path, 0); }
    [[nodiscard]] bool is_in_part(const Path& path) const { return parts_.has_above(path); }

  private:
    static std::string list_key(const Path& path, std::size_t length) {
        return value::print_path(
            Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length)),
            value::PathSyntax::kPointer);
    }

    PathIndex gone_;
    PathIndex parts_;
    std::map<std::string, GoneElements, std::less<>> lists_;
};

struct Running {
    Value timer;
    std::optional<Path> path;
    Instant at;
};

// The elements of the list around a node of the document at the beginning; 0 if it is not an
// element.
std::size_t list_size(const Value& document, const Path& path) {
    const Value* around = value::find(document, path, path.size() - 1);
    return around != nullptr && around->is_array() ? around->as_array().size() : 0;
}

// Removes the node of a timer, into its recycle bin if it has one.
void expire(value::Editor& editor, const Running& running, Expired& gone, const Context& context) {
    if (auto slot = slot_for(running.timer, gone.path, editor.root(), gone.id, context.now)) {
        gone.binned =
            editor.set(slot->first, std::move(slot->second), value::Parents::kCreate).has_value();
    }
    static_cast<void>(editor.erase(gone.path));
}

std::vector<Running> timers_in(const State& state, Instant now) {
    std::vector<Running> all;
    for (const Value& timer : timers_of(state.meta)) {
        const Value* at = value::find_member(&timer, "at");
        const bool sound = at != nullptr && at->is_int();
        all.push_back({timer, path_of_timer(timer), sound ? at->as_int() : now});
    }
    return all;
}

bool is_any_due(const State& state, Instant now) {
    return std::ranges::any_of(timers_of(state.meta), [now](const Value& timer) {
        const Value* at = value::find_member(&timer, "at");
        return at == nullptr || !at->is_int() || at->as_int() <= now;
    });
}

}  // namespace

void expire_nodes(State& state, const Context& context, std::vector<Expired>& expired) {
    if (!is_any_due(state, context.now)) {
        return;
    }
    const std::vector<Running> all = timers_in(state, context.now);
    std::vector<std::size_t> due;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].at <= context.now) {
            due.push_back(i);
        }
    }
    std::ranges::sort(due, {}, [&](std::size_t i) { return std::pair(all[i].at, i); });
    value::Editor editor(state.document);
    Removals removals;
    for (const std::size_t i : due) {
        const auto path = all[i].path ? removals.present_path(*all[i].path) : std::nullopt;
        const Value* node = path ? value::find(editor.root(), *path) : nullptr;
        if (node == nullptr) {
            continue;
        }
        const Value before = editor.root();
        Expired gone;
        gone.id = context.batch_id + "-expired-" + std::to_string(expired.size());
        gone.path = *path;
        gone.value = *node;
        if (auto kept = protected_part(gone.value)) {
            gone.kept = protected_paths(gone.value, gone.path, base::kRemarksMax);
            static_cast<void>(editor.set(gone.path, *std::move(kept)));
            removals.add_part(*all[i].path);
        } else {
            expire(editor, all[i], gone, context);
            removals.add(*all[i].path, list_size(state.document, *all[i].path));
        }
        gone.changes = value::diff(before, editor.root());
        expired.push_back(std::move(gone));
    }
    Array kept;
    for (const Running& each : all) {
        const auto path =
            each.at > context.now && each.path ? removals.present_path(*each.path) : std::nullopt;
        const bool is_there = path && (!removals.is_in_part(*each.path) ||
                                       value::find(editor.root(), *path) != nullptr);
        if (is_there) {
            kept = std::move(kept).push_back(
                each.timer.as_object().set("path", value::path_to_value(*path)));
        }
    }
    state.document = std::move(editor).take();
    set_timers(state.meta, std::move(kept));
}

}  // namespace arbiter::engine::internal
