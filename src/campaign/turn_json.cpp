#include "campaign/turn_json.h"

#include "campaign/view.h"
#include "engine/instant.h"

namespace arbiter::campaign {

using value::Object;
using value::Value;

namespace {

Value text(std::string_view of) {
    return of;
}

}  // namespace

Object campaign_json(const ledger::CampaignRow& row) {
    Object object = {{"id", text(row.id)},
                     {"name", text(row.name)},
                     {"created", text(engine::print_instant(row.created))}};
    return row.head ? std::move(object).set("head", text(row.head->hex())) : object;
}

Object turn_row_json(const ledger::TurnRow& row) {
    Object object = {{"turn", row.number}, {"id", text(row.id.hex())}};
    if (row.parent) {
        object = std::move(object).set("parent", text(row.parent->hex()));
    }
    return std::move(object).set("time", text(engine::print_instant(row.time)));
}

Object where_json(const ledger::Campaign& campaign) {
    return {{"campaign", text(campaign.row().id)},
            {"turn", campaign.story_number()},
            {"id", text(campaign.head().hex())}};
}

Object turn_json(const ledger::Campaign& campaign, const ledger::TurnId& id,
                 const ledger::Record& record, const table::Redactor& redactor) {
    Object object = {{"campaign", text(campaign.row().id)},
                     {"turn", record.shown_number()},
                     {"id", text(id.hex())}};
    if (record.parent) {
        object = std::move(object).set("parent", text(record.parent->hex()));
    }
    object = std::move(object)
                 .set("state_hash", text(record.state))
                 .set("actor", text(name(record.actor)));
    if (record.edit) {
        object = std::move(object).set("edit", text(redactor.text(record.edit->reason).str()));
    }
    if (record.key) {
        object = std::move(object).set("key", text(record.key->key));
    }
    const Value log = redactor.value(redactor.records(turn_log(record)).get()).get();
    for (const auto& [key, value] : log.as_object()) {
        object = std::move(object).set(key, value);
    }
    value::Array audit;
    for (const Value& each : ledger::audit_records(record)) {
        audit = std::move(audit).push_back(redactor.records(each).get());
    }
    return std::move(object).set("audit", redactor.value(Value(audit)).get());
}

}  // namespace arbiter::campaign
