#include "campaign/start.h"

#include "ledger/library.h"
#include "protocol/activation.h"
#include "table/campaign.h"

namespace arbiter::campaign {

using base::Result;

namespace {

Result<> switch_on(Starting& starting, const Gear& gear, std::vector<base::Error>& warnings) {
    std::vector<protocol::ProtocolRequest> wishes;
    if (starting.card) {
        for (const std::string& each : starting.card->protocols) {
            wishes.push_back({each, {protocol::ActivationReason::Kind::kCard, {}}});
        }
    }
    wishes.insert(wishes.end(), starting.wishes.begin(), starting.wishes.end());
    for (const protocol::ProtocolRequest& wish : wishes) {
        auto heard = protocol::switch_on(starting.state.meta, wish.reference, 0,
                                         *gear.protocols.library(), wish.why);
        if (!heard.warnings.empty() && wish.why.kind != protocol::ActivationReason::Kind::kCard) {
            return std::unexpected(std::move(heard.warnings[0]));
        }
        warnings.insert(warnings.end(), heard.warnings.begin(), heard.warnings.end());
        starting.state.meta = std::move(heard.meta);
    }
    return {};
}

}  // namespace

Result<ledger::Campaign> start(ledger::Store& store, Starting starting, const Gear& gear,
                               std::vector<base::Error>& warnings) {
    if (starting.id == ledger::kLibraryId) {
        return base::fail(base::ErrorCode::kCampaignExists, {starting.id});
    }
    if (!starting.table.is_null()) {
        auto document = table::begin_campaign(starting.state.document, starting.table, *gear.kit,
                                              gear.globals, starting.now);
        if (!document) {
            return std::unexpected(std::move(document).error());
        }
        starting.state.document = *std::move(document);
    }
    if (auto done = switch_on(starting, gear, warnings); !done) {
        return std::unexpected(std::move(done).error());
    }
    const auto stage = make_stage(std::move(starting.world), starting.state, gear);
    if (!stage) {
        return std::unexpected(stage.error());
    }
    ledger::Beginning beginning;
    beginning.id = std::move(starting.id);
    beginning.name = std::move(starting.name);
    beginning.time = starting.now;
    beginning.state = std::move(starting.state);
    beginning.rules = stage->rules;
    beginning.texts = stage->texts();
    if (starting.card) {
        add_card(*starting.card, beginning);
    }
    return ledger::Campaign::begin(store, beginning);
}

}  // namespace arbiter::campaign
