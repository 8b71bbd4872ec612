#include "rules/internal/context.h"

#include <algorithm>

#include "engine/marks.h"
#include "rules/limit.h"
#include "value/array.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Object;
using value::Path;
using value::Value;

std::string printed(const Path& path) {
    return value::print_path(path, value::PathSyntax::kDotted);
}

std::size_t size_at(const Value& document, const Path& path) {
    const Value* found = value::find(document, path);
    const Value* value = found != nullptr ? &contained(*found) : nullptr;
    if (value == nullptr || !value->is_container()) {
        return 0;
    }
    return value->is_object() ? value->as_object().size() : value->as_array().size();
}

std::string text_at(const Value& document, const Path& path) {
    const Value* found = path.empty() ? nullptr : value::find(document, path);
    const Value* value = found != nullptr ? &expr::undescribed(*found) : nullptr;
    if (value == nullptr) {
        return {};
    }
    if (value->is_string()) {
        return std::string(value->as_string());
    }
    return value->is_number() ? value::print_json(*value) : std::string();
}

ReactionContext::ReactionContext(const Rulebook& rulebook, const Turn& turn_of_book,
                                 ReactionState& shared)
    : book(rulebook), turn(turn_of_book), state_(shared) {
    const Value* all = shared.meta.find(kRulesKey);
    const Value* own =
        all != nullptr && all->is_object() ? all->as_object().find(book.name) : nullptr;
    if (own != nullptr && own->is_object()) {
        memory = own->as_object();
    }
    const Value* seen = memory.find("seen");
    known = seen != nullptr && *seen == Value(book.fingerprint);
}

void ReactionContext::save() {
    remember("seen", book.fingerprint);
    const Value* present = state_.meta.find(kRulesKey);
    const Object all = present != nullptr && present->is_object() ? present->as_object() : Object();
    state_.meta =
        std::move(state_.meta).set(value::Str(kRulesKey), all.set(value::Str(book.name), memory));
}

void ReactionContext::change(const std::string& rule, const Path& path, Value next) {
    const std::uint64_t weight = value::weigh(next);
    if (weight > base::kDocumentWeightMax && weight > value::weigh(document())) {
        const bool is_known =
            std::ranges::find(state_.oversize, rule, &OversizeRule::rule) != state_.oversize.end();
        if (!is_known && state_.oversize.size() < base::kNoticesMax) {
            state_.oversize.push_back({rule, path});
        }
        return;
    }
    const auto found = [&path](const Value& document) -> std::optional<Value> {
        const Value* value = value::find(document, path);
        return value != nullptr ? std::optional(*value) : std::nullopt;
    };
    state_.effects.push_back(
        {rule, path, found(document()), found(next), value::diff_of_step(document(), next)});
    state_.document = std::move(next);
    touched.push_back(path);
}

namespace {

bool begins_with(const Path& path, const Path& start) {
    return path.size() >= start.size() && std::equal(start.begin(), start.end(), path.begin());
}

}  // namespace

const value::PatternIndex& ReactionContext::written_paths() const {
    if (written_paths_) {
        return *written_paths_;
    }
    written_paths_.emplace();
    for (std::size_t i = 0; i < turn.outcome.verdicts.size() && i < turn.proposals.size(); ++i) {
        const engine::Verdict& verdict = turn.outcome.verdicts[i];
        const proposal::Instruction* instruction = turn.proposals[i].instruction();
        if (verdict.status == proposal::Status::kApplied && instruction != nullptr &&
            instruction->value && verdict.op != proposal::Op::kTest) {
            written_paths_->add(value::pattern_of(verdict.path), static_cast<std::uint32_t>(i));
        }
    }
    return *written_paths_;
}

const std::vector<Path>& ReactionContext::changed_since(const Value& seen) const {
    if (!state_.compared_old.is_identical(seen) ||
        !state_.compared_now.is_identical(state_.document)) {
        state_.changed = value::touched_places(value::diff(seen, state_.document));
        state_.compared_old = seen;
        state_.compared_now = state_.document;
    }
    return state_.changed;
}

bool ReactionContext::is_written(const Path& path) const {
    const Value* old = value::find(turn.before.document, path);
    const Value* fresh = value::find(turn.outcome.state.document, path);
    if (old == nullptr || fresh == nullptr || *old != *fresh) {
        return old != fresh;
    }
    for (const std::uint32_t i : written_paths().find(path)) {
        const engine::Verdict& verdict = turn.outcome.verdicts[i];
        const proposal::Instruction* instruction = turn.proposals[i].instruction();
        if (begins_with(verdict.path, path)) {
            return true;
        }
        if (begins_with(path, verdict.path)) {
            // A value for a container of it: does it name this member?
            const Path rest(path.begin() + static_cast<std::ptrdiff_t>(verdict.path.size()),
                            path.end());
            if (value::find(*instruction->value, rest) != nullptr) {
                return true;
            }
        }
    }
    return false;
}

void ReactionContext::put(const std::string& rule, const Path& path, const Value& value,
                          Creates creates) {
    const Value* present = at(path);
    if (present == nullptr && creates == Creates::kInContainer) {
        const Value* parent = path.empty() ? nullptr : at(Path(path.begin(), path.end() - 1));
        creates = parent != nullptr && parent->is_object() ? Creates::kWithParents : Creates::kNo;
    }
    if (present == nullptr && creates == Creates::kNo) {
        return;
    }
    Path where = path;
    const Value* inner = nullptr;
    if (present != nullptr) {
        inner = value.is_container() ? &contained(*present) : &expr::undescribed(*present);
    }
    if (inner != nullptr && *inner == value) {
        return;
    }
    if (inner != present) {
        where.emplace_back(std::int64_t{0});
    }
    // Fails, and changes nothing, if a parent is not a container.
    if (auto changed = value::set(document(), where, value, value::Parents::kCreate)) {
        change(rule, path, std::move(*changed));
    }
}

void ReactionContext::remove(const std::string& rule, const Path& path) {
    const Value* present = at(path);
    if (present == nullptr || engine::has_protected(*present)) {
        return;
    }
    if (auto changed = value::erase(document(), path)) {
        change(rule, path, std::move(*changed));
    }
}

void ReactionContext::clear(const std::string& rule, const Path& path) {
    const Value* present = at(path);
    const Value container = present != nullptr ? contained(*present) : Value();
    if (container.is_array()) {
        put(rule, path, value::Array());
    } else if (container.is_object()) {
        Object kept;
        for (const auto& [key, member] : container.as_object()) {
            if (engine::has_protected(member)) {
                kept = std::move(kept).set(key, member);
            }
        }
        put(rule, path, std::move(kept));
    }
}

void ReactionContext::perform(const std::string& rule, const Action& action,
                              const value::Bindings& bindings,
                              const std::vector<expr::Variable>& variables) {
    const auto place = value::bound_path(action.place, bindings);
    if (!place) {
        return;
    }
    switch (action.kind) {
        case Action::Kind::kRemove:
            remove(rule, *place);
            return;
        case Action::Kind::kClear:
            clear(rule, *place);
            return;
        case Action::Kind::kSet:
            if (const Known value = action.to ? evaluate(*action.to, variables) : std::nullopt) {
                put(rule, *place, *value, action.creates ? Creates::kWithParents : Creates::kNo);
            }
            return;
    }
}

void ReactionContext::remember(std::string_view key, Value value) {
    memory = std::move(memory).set(value::Str(key), std::move(value));
}
void ReactionContext::forget(std::string_view key) {
    memory = std::move(memory).erase(key);
}
Object ReactionContext::recalled(std::string_view key) const {
    const Value* found = memory.find(key);
    return found != nullptr && found->is_object() ? found->as_object() : Object();
}

Known ReactionContext::evaluate(const expr::Formula& formula,
                                const std::vector<expr::Variable>& variables,
                                expr::Memo* memo) const {
    return formula.evaluate({document(), variables, &state_.budget, memo});
}
bool ReactionContext::holds(const expr::Formula& condition,
                            const std::vector<expr::Variable>& variables, expr::Memo* memo) const {
    return condition.holds({document(), variables, &state_.budget, memo});
}

}  // namespace arbiter::rules::internal
