#include "turn/finish.h"

#include <algorithm>

#include "base/limits.h"
#include "protocol/activation.h"
#include "table/dialog.h"
#include "table/instructions.h"
#include "table/layout.h"
#include "table/milestone.h"
#include "table/summary.h"
#include "turn/feedback.h"
#include "turn/internal/call_judge.h"
#include "turn/judge.h"

namespace arbiter::turn {

using table::set_at;
using value::Object;
using value::Value;

namespace {

// How often each request was refused in consecutive turns. A request that this turn did not make is
// forgotten.
Object repeats_after(const Value& document, std::span<const FailedCall> failed, std::int64_t turn) {
    const Value* kept = table::find_in_campaign(document, {"tools", "repeats"});
    Object next;
    for (const FailedCall& call : failed) {
        if (call.key.empty() || next.contains(call.key) || next.size() >= base::kRepeatsKept) {
            continue;
        }
        const Value* row = value::find_member(kept, call.key);
        const std::int64_t before = std::clamp<std::int64_t>(
            table::int_in(row, "count").value_or(0), 0, base::kToolNumberMax);
        next = std::move(next).set(std::string_view(call.key),
                                   Object{{"count", before + 1}, {"turn", turn}});
    }
    return next;
}

// Counts the turn in the campaign's own document, if it has one.
void close(Finished& finished, const Rules& rules, const Object& settings,
           const engine::Context& context, const Ending& ending) {
    const Value document = finished.attempt.candidate().document;
    if (!table::has_campaign(document)) {
        return;
    }
    const std::int64_t turn =
        std::clamp<std::int64_t>(table::turn_number(document), 0, INT64_MAX - 1) + 1;
    const std::vector<proposal::Instruction> summary =
        ending.story_tokens ? table::summary_after_turn(ending.before, document)
                            : std::vector<proposal::Instruction>();
    std::int64_t version = table::summary_version(document);
    for (const proposal::Instruction& each : summary) {
        if (each.path.back() == value::Segment("version")) {
            version = each.value->as_int();
        }
    }
    const std::string now = engine::print_instant(context.now);
    std::vector<proposal::Instruction> due = {
        set_at(table::campaign_path({"turn"}), turn),
        set_at(table::campaign_path({"updated_at"}), std::string_view(now))};
    // Talk beside the story does not advance it.
    if (table::chosen_dialog(document, rules.registries->dialogs, settings).changes_state) {
        table::Advance moved = table::advance(
            document, settings, {turn, ending.story_tokens.value_or(ending.usage.tokens), version});
        finished.advanced = moved.advanced;
        finished.unknown_policy = moved.unknown_policy;
        due.push_back(set_at(table::campaign_path({"milestone"}), std::move(moved.milestone)));
    }
    due.insert(due.end(), summary.begin(), summary.end());
    Object repeats = repeats_after(document, ending.failed_calls, turn);
    const Value* known = table::find_in_campaign(document, {"tools", "repeats"});
    if (table::object_or_empty(known) != repeats) {
        due.push_back(set_at(table::campaign_path({"tools", "repeats"}), std::move(repeats)));
    }
    engine::Context own;
    own.now = context.now;
    own.batch_id = context.batch_id;
    engine::Outcome outcome = internal::apply_as_system(
        finished.attempt.candidate(), due, rules.policy, own, context.batch_id + ".end");
    for (rules::Effect& effect : internal::effects_of(outcome, kFinishRule)) {
        internal::add_effect(finished.attempt, std::move(effect));
    }
    finished.attempt.outcome.state = std::move(outcome.state);
}

protocol::Speaker speaker_of(engine::Actor actor) {
    switch (actor) {
        case engine::Actor::kPlayer:
            return protocol::Speaker::kPlayer;
        case engine::Actor::kSystem:
            return protocol::Speaker::kCard;  // its greeting
        case engine::Actor::kModel:
            break;
    }
    return protocol::Speaker::kModel;
}

}  // namespace

Object with_members(Object meta, const Object& members) {
    for (const auto& [key, value] : members) {
        meta =
            value.is_null() ? std::move(meta).erase(key.view()) : std::move(meta).set(key, value);
    }
    return meta;
}

Object changed_members(const Object& before, const Object& after) {
    Object changed;
    for (const auto& [key, value] : after) {
        const Value* was = before.find(key.view());
        if (was == nullptr || *was != value) {
            changed = std::move(changed).set(key, value);
        }
    }
    for (const auto& [key, value] : before) {
        if (!after.contains(key.view())) {
            changed = std::move(changed).set(key, Value());
        }
    }
    return changed;
}

Finished finish(Attempt attempt, const Rules& rules, const Object& settings,
                const engine::Context& context, const Ending& ending) {
    Finished finished;
    finished.attempt = std::move(attempt);
    close(finished, rules, settings, context, ending);
    Object& meta = finished.attempt.outcome.state.meta;
    if (ending.recorded_meta) {
        finished.meta.after = *ending.recorded_meta;
        meta = with_members(std::move(meta), finished.meta.after);
        return finished;
    }
    const Object closed = meta;
    if (ending.library != nullptr) {
        auto heard = protocol::update_activation(closed, speaker_of(context.actor),
                                                 finished.attempt.reading, ending.number,
                                                 *ending.library, activation_policy(rules.profile));
        finished.notices = protocol::notices(heard);
        if (!heard.changes.empty()) {
            const protocol::Resolved next =
                ending.library->resolve(protocol::active_requests(heard.meta));
            std::ranges::move(protocol::new_warnings(rules.protocols.warnings, next.warnings),
                              std::back_inserter(finished.notices));
        }
        meta = std::move(heard.meta);
    }
    if (const Usage spent = ending.uncommitted + ending.usage; spent.calls > 0) {
        meta = with_usage(std::move(meta), usage_of(closed) + spent);
    }
    if (ending.story_tokens && !table::has_campaign(finished.attempt.candidate().document)) {
        meta = table::count_uncovered(std::move(meta), ending.before,
                                      finished.attempt.candidate().document, ending.number);
    }
    meta = with_pending_feedback(std::move(meta), ending.feedback);
    finished.meta.after = changed_members(closed, meta);
    return finished;
}

}  // namespace arbiter::turn
