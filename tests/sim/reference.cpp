#include "tests/sim/reference.h"

#include <algorithm>
#include <cmath>

#include "engine/numbers.h"
#include "ledger/record.h"
#include "server/gateway.h"
#include "tests/sim/setup.h"
#include "value/described.h"
#include "value/editor.h"
#include "value/json.h"

namespace arbiter::sim {

using value::Value;

namespace {

std::optional<double> gold_in(const engine::State& state) {
    return engine::limited_number(value::find(state.document, {value::Segment("gold")}));
}

// Whether a text of the hidden node stands elsewhere too.
bool is_outside(const Value& document, const std::string& hidden) {
    if (hidden.empty()) {
        return false;
    }
    const auto rest = value::erase(document, {value::Segment(kHiddenKey)});
    return value::print_json(rest ? *rest : document).contains(hidden);
}

}  // namespace

Reference::Kind Reference::kind_of(const ledger::Record& record) {
    if (!record.edit) {
        return record.actor == engine::Actor::kPlayer ? Kind::kPlayerTurn : Kind::kReply;
    }
    const Value* what = record.edit->action.find("what");
    return what != nullptr && *what == Value(server::kAbortedReply) ? Kind::kAborted : Kind::kEdit;
}

void Reference::begin(const TurnId& first, const engine::State& state, std::string hidden) {
    hidden_ = std::move(hidden);
    turns_[first] = {std::nullopt, ledger::print_state(state), Kind::kEdit, gold_in(state)};
    order_.push_back(first);
    at_ = {first, std::nullopt};
}

void Reference::add(const TurnId& id, const TurnId& parent, const engine::State& state, Kind kind) {
    const auto gold = gold_in(state);
    const Turn& before = turns_.at(parent);
    // Players may do with their campaign what they like.
    const bool is_revealed =
        before.is_revealed || (kind == Kind::kPlayerTurn && is_outside(state.document, hidden_));
    turns_[id] = {parent, ledger::print_state(state), kind, gold ? gold : before.gold, is_revealed};
    order_.push_back(id);
    // Speaking after a rollback is a branch; a setting is not speaking.
    const bool is_edit = kind == Kind::kEdit || kind == Kind::kAborted;
    at_ = {id, is_edit ? at_.undo : std::nullopt};
}

std::vector<Reference::TurnId> Reference::line() const {
    std::vector<TurnId> line;
    for (std::optional<TurnId> at = at_.head; at; at = turns_.at(*at).parent) {
        line.push_back(*at);
    }
    std::ranges::reverse(line);
    return line;
}

Reference::TurnId Reference::reply_at(TurnId turn) const {
    for (const Turn* at = &turns_.at(turn);
         at->parent && at->kind != Kind::kReply && at->kind != Kind::kAborted;
         at = &turns_.at(turn)) {
        turn = *at->parent;
    }
    return turn;
}

Reference::Position Reference::after_rollback(const TurnId& to) const {
    // After two rollbacks undo goes to where the first one began.
    return to == head() ? at_ : Position{to, at_.undo ? at_.undo : at_.head};
}

std::optional<Reference::Position> Reference::after_undo() const {
    return at_.undo ? std::optional(Position{at_.undo, std::nullopt}) : std::nullopt;
}

Reference::Position Reference::after_going_to(const TurnId& to) const {
    return to == head() ? at_ : Position{to, std::nullopt};
}

void Reference::add_checkpoint(const std::string& label, std::size_t most) {
    checkpoints_.push_back({head(), label});
    if (most > 0 && checkpoints_.size() > most) {
        checkpoints_.erase(checkpoints_.begin(),
                           checkpoints_.end() - static_cast<std::ptrdiff_t>(most));
    }
}

namespace {

std::optional<double> number_in(const std::optional<Value>& value) {
    if (!value) {
        return std::nullopt;
    }
    const Value& inner = value::undescribed(*value);
    return inner.is_number() ? std::optional(inner.as_double()) : std::nullopt;
}

// A copy of the document with a value put in place, member by member. Nothing if a parent is
// missing.
std::optional<Value> with_value(const Value& at, const value::Path& path, std::size_t depth,
                                const Value& put) {
    if (depth == path.size()) {
        return put;
    }
    if (at.is_object()) {
        const std::string key(path[depth].as_key().view());
        value::Object copy;
        bool is_found = false;
        for (const auto& [name, member] : at.as_object()) {
            const bool is_here = name.view() == key;
            auto inner = is_here ? with_value(member, path, depth + 1, put) : member;
            if (!inner) {
                return std::nullopt;
            }
            is_found = is_found || is_here;
            copy = std::move(copy).set(name, *std::move(inner));
        }
        if (!is_found && depth + 1 < path.size()) {
            return std::nullopt;
        }
        return Value(is_found ? copy : std::move(copy).set(value::Str(key), put));
    }
    const auto position = path[depth].as_position();
    if (!at.is_array() || !position || *position > at.as_array().size()) {
        return std::nullopt;
    }
    value::Array copy;
    for (std::size_t i = 0; i < at.as_array().size(); ++i) {
        auto inner = i == *position ? with_value(at.as_array()[i], path, depth + 1, put)
                                    : std::optional(at.as_array()[i]);
        if (!inner) {
            return std::nullopt;
        }
        copy = std::move(copy).push_back(*std::move(inner));
    }
    if (*position == at.as_array().size()) {
        if (depth + 1 < path.size()) {
            return std::nullopt;
        }
        copy = std::move(copy).push_back(put);
    }
    return Value(copy);
}

// The new value of a node, by the words of the command.
std::optional<std::string> value_mistake(const proposal::Instruction& asked,
                                         const engine::Verdict& verdict) {
    const auto said = [](const std::optional<Value>& value) {
        return value ? value::print_json(*value) : std::string("nothing");
    };
    switch (*verdict.op) {
        case proposal::Op::kSet: {
            if (!asked.value || asked.value->is_object() || asked.value->is_array()) {
                return std::nullopt;
            }
            const bool is_there = verdict.after && (*verdict.after == *asked.value ||
                                                    (verdict.after->is_array() &&
                                                     !verdict.after->as_array().empty() &&
                                                     verdict.after->as_array()[0] == *asked.value));
            return is_there
                       ? std::nullopt
                       : std::optional("set " + said(asked.value) + " left " + said(verdict.after));
        }
        case proposal::Op::kIncrement: {
            const auto before = number_in(verdict.before);
            const auto after = number_in(verdict.after);
            if (!before || !asked.value || !asked.value->is_number()) {
                return std::nullopt;
            }
            const double by = asked.value->as_double();
            const double sum = asked.arithmetic == proposal::Arithmetic::kAdd        ? *before + by
                               : asked.arithmetic == proposal::Arithmetic::kSubtract ? *before - by
                               : asked.arithmetic == proposal::Arithmetic::kMultiply ? *before * by
                               : by != 0                                             ? *before / by
                                                                                     : 0;
            const double slack = 1e-6 * (1 + std::abs(sum));
            return after && std::abs(*after - sum) <= slack
                       ? std::nullopt
                       : std::optional(said(verdict.before) + " by " + said(asked.value) +
                                       " became " + said(verdict.after));
        }
        case proposal::Op::kDelete:
            return !asked.key && !asked.nulls && !asked.all && verdict.after
                       ? std::optional("deleted, but " + said(verdict.after) + " is there")
                       : std::nullopt;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<std::string> command_mistake(const Value& before, const Value& after,
                                           const proposal::Proposal& proposal,
                                           const engine::Verdict& verdict) {
    const proposal::Instruction* asked = proposal.instruction();
    if (asked == nullptr || !verdict.op || !asked->options.empty() || !verdict.warnings.empty()) {
        return std::nullopt;
    }
    if (auto wrong = value_mistake(*asked, verdict)) {
        return wrong;
    }
    // The frame: the document with the new value in its place, and nothing else.
    using proposal::Op;
    constexpr Op kFramed[] = {Op::kSet, Op::kMerge, Op::kEnsure, Op::kIncrement, Op::kPush};
    if (std::ranges::find(kFramed, *verdict.op) == std::end(kFramed) || !verdict.after ||
        verdict.path.empty()) {
        return std::nullopt;
    }
    const auto expected = with_value(before, verdict.path, 0, *verdict.after);
    if (!expected) {
        return std::nullopt;  // parents were created
    }
    return *expected == after
               ? std::nullopt
               : std::optional("more than " +
                               value::print_path(verdict.path, value::PathSyntax::kDotted) +
                               " changed");
}

}  // namespace arbiter::sim
