// The end of a turn that was accepted.
#include <algorithm>

#include "table/internal/calls.h"
#include "table/internal/write.h"
#include "table/layout.h"
#include "table/milestone.h"
#include "value/diff.h"

namespace arbiter::table {

using internal::set_at;
using value::Array;
using value::Object;
using value::Value;

namespace {

// How often each request was refused in turns in a row. What was not asked this turn is forgotten:
// it is in a row no more.
Object repeats_after(const Value& document, std::span<const FailedCall> failed, std::int64_t turn) {
    const Value* kept = find_in_campaign(document, {"tools", "repeats"});
    Object next;
    for (const FailedCall& call : failed) {
        if (call.key.empty() || next.contains(call.key) || next.size() >= base::kRepeatsKept) {
            continue;
        }
        const Value* row = member_of(kept, call.key);
        const std::int64_t before =
            std::clamp<std::int64_t>(int_in(row, "count").value_or(0), 0, base::kToolNumberMax);
        next = std::move(next).set(std::string_view(call.key),
                                   Object{{"count", before + 1}, {"turn", turn}});
    }
    return next;
}

}  // namespace

Closed close_turn(const engine::State& candidate, const TableSetting& setting,
                  const Object& settings, const Closing& closing) {
    Closed closed;
    closed.state = candidate;
    const Value& document = candidate.document;
    if (!has_campaign(document)) {
        return closed;
    }
    const std::int64_t turn = std::clamp<std::int64_t>(turn_number(document), 0, INT64_MAX - 1) + 1;
    Advance moved = advance(document, settings, turn, closing.tokens);
    closed.advanced = moved.advanced;
    closed.unknown_policy = moved.unknown_policy;
    const std::string now = engine::print_instant(closing.now);
    std::vector<proposal::Instruction> due = {
        set_at(campaign_path({"turn"}), turn),
        set_at(campaign_path({"updated_at"}), std::string_view(now)),
        set_at(campaign_path({"milestone"}), std::move(moved.milestone))};
    Object repeats = repeats_after(document, closing.failed_calls, turn);
    const Value* known = find_in_campaign(document, {"tools", "repeats"});
    if (object_or_empty(known) != repeats) {
        due.push_back(set_at(campaign_path({"tools", "repeats"}), std::move(repeats)));
    }
    if (can_undo(document)) {
        due.push_back(set_at(campaign_path({"rollback_pending"}),
                             *find_in_campaign(without_rollback(document), {"rollback_pending"})));
    }
    engine::Context context;
    context.now = closing.now;
    context.batch_id = closing.batch_id;
    engine::Outcome outcome = internal::apply_as_system(candidate, due, setting.rules.policy,
                                                        context, closing.batch_id + ".end");
    internal::add_effects(closed.effects, kCloseRule, outcome);
    closed.state = std::move(outcome.state);
    closed.applied_actions = Array{Object{
        {"kind", "close"},
        {"turn_id", std::string_view(turn_name(turn))},
        {"advanced", closed.advanced},
        {"changes", value::diff_to_value(value::diff_of_step(document, closed.state.document))}}};
    return closed;
}

}  // namespace arbiter::table
