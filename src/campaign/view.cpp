#include "campaign/view.h"

#include "table/layout.h"
#include "table/summary.h"

namespace arbiter::campaign {

using base::Result;
using value::Array;
using value::Object;
using value::Value;

namespace {

Value text(std::string_view of) {
    return of;
}

// Fields of Campaign and the members of the document that hold them.
constexpr std::pair<std::string_view, std::string_view> kFields[] = {{"campaign_id", "id"},
                                                                     {"title", "title"},
                                                                     {"created_at", "created_at"},
                                                                     {"updated_at", "updated_at"},
                                                                     {"turn", "turn"},
                                                                     {"selected", "selected"},
                                                                     {"goal", "goal"},
                                                                     {"milestone", "milestone"},
                                                                     {"state_refs", "state_refs"},
                                                                     {"dialog", "dialog"},
                                                                     {"tools", "tools"},
                                                                     {"ended", "ended"}};

// The name of a stored turn; empty if it is damaged.
std::string name_of(const ledger::Campaign& campaign, const ledger::TurnId& turn) {
    const auto record = campaign.record(turn);
    return record ? table::turn_name(record->shown_number()) : std::string();
}

Result<Array> checkpoints_of(const ledger::Campaign& campaign) {
    const auto all = campaign.checkpoints();
    if (!all) {
        return std::unexpected(all.error());
    }
    Array rows;
    for (const ledger::Checkpoint& each : *all) {
        Object row = {{"turn_id", text(name_of(campaign, each.turn))},
                      {"timestamp", text(engine::print_instant(each.time))}};
        if (!each.label.empty()) {
            row = std::move(row).set("label", text(each.label));
        }
        rows = std::move(rows).push_back(
            std::move(row).set("state_snapshot_ref", text(each.turn.hex())));
    }
    return rows;
}

Value rollback_of(const ledger::Campaign& campaign) {
    const auto& undo = campaign.row().undo;
    return Object{{"is_pending", undo.has_value()},
                  {"from_turn_id", text(undo ? name_of(campaign, *undo) : std::string())},
                  {"to_turn_id", text(undo ? table::turn_name(campaign.story_number()) : "")},
                  {"can_undo", undo.has_value()}};
}

}  // namespace

Result<Value> campaign_view(const ledger::Campaign& campaign, const SessionOptions& options) {
    const engine::State& state = campaign.state();
    auto checkpoints = checkpoints_of(campaign);
    const auto head = campaign.record(campaign.head());
    if (!checkpoints || !head) {
        return std::unexpected(!checkpoints ? checkpoints.error() : head.error());
    }
    // A campaign without a table has the fields that the ledger knows.
    Object view = {{"campaign_id", text(campaign.row().id)},
                   {"title", text(campaign.row().name)},
                   {"created_at", text(engine::print_instant(campaign.row().created))},
                   {"updated_at", text(engine::print_instant(head->time))}};
    for (const auto& [name, kept] : kFields) {
        if (const Value* found = table::find_in_campaign(state.document, {kept})) {
            view = std::move(view).set(name, *found);
        }
    }
    view =
        std::move(view)
            .set("settings_snapshot",
                 table::effective_settings(state, *config::built_in_registries(), options.globals))
            .set("checkpoints", *std::move(checkpoints))
            .set("rollback_pending", rollback_of(campaign));
    const Value* characters = table::find_in_campaign(state.document, {"characters"});
    const Value rest = state.document.is_object()
                           ? Value(state.document.as_object().erase(table::kCampaignKey))
                           : state.document;
    return Value(Object{{"campaign", std::move(view)},
                        {"characters", table::object_or_empty(characters)},
                        {"summary_state", table::summary_view(state)},
                        {"turn_log", turn_log(*head)},
                        {"state", rest}});
}

Value turn_log(const ledger::Record& record) {
    Object log = {{"turn_id", text(table::turn_name(record.shown_number()))},
                  {"actor_id", text(record.actor_id)},
                  {"user_input", text(record.said)},
                  {"assistant_output_text", text(record.shown)}};
    if (!record.proposals.empty()) {
        log = std::move(log).set("assistant_structured", Object{{"proposals", record.proposals}});
    }
    log = std::move(log)
              .set("applied_actions", ledger::applied_actions(record))
              .set("timestamp", text(engine::print_instant(record.time)));
    if (record.settings_revision) {
        log = std::move(log).set("settings_revision", *record.settings_revision);
    }
    if (record.trace.size() > 1) {
        log = std::move(log).set("retries", static_cast<std::int64_t>(record.trace.size()) - 1);
    }
    return std::move(log).set("state_snapshot_ref", text(record.state));
}

}  // namespace arbiter::campaign
