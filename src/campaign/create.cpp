#include "campaign/create.h"

#include "campaign/greeting.h"
#include "campaign/rule_texts.h"
#include "ledger/library.h"
#include "protocol/activation.h"
#include "table/campaign.h"

namespace arbiter::campaign {

using base::Result;

namespace {

Result<> activate(CampaignSetup& setup, const SessionOptions& options,
                  std::vector<base::Error>& warnings) {
    std::vector<protocol::ProtocolRequest> requests;
    if (setup.card) {
        for (const std::string& each : setup.card->protocols) {
            requests.push_back({each, {protocol::ActivationReason::Kind::kCard, {}}});
        }
    }
    requests.insert(requests.end(), setup.protocols.begin(), setup.protocols.end());
    for (const protocol::ProtocolRequest& request : requests) {
        auto heard = protocol::switch_on(setup.state.meta, request.reference, 0,
                                         *options.protocols.library(), request.why);
        if (!heard.warnings.empty() &&
            request.why.kind != protocol::ActivationReason::Kind::kCard) {
            return std::unexpected(std::move(heard.warnings[0]));
        }
        warnings.insert(warnings.end(), heard.warnings.begin(), heard.warnings.end());
        setup.state.meta = std::move(heard.meta);
    }
    return {};
}

}  // namespace

Result<ledger::Campaign> create_campaign(ledger::Store& store, CampaignSetup setup,
                                         const SessionOptions& options,
                                         std::vector<base::Error>& warnings) {
    if (setup.id == ledger::kLibraryId) {
        return base::fail(base::ErrorCode::kCampaignExists, {setup.id});
    }
    if (!setup.tools.empty()) {
        if (setup.table.is_null()) {
            return base::fail(base::ErrorCode::kToolsNeedTable);
        }
        setup.table = config::allow_tools(std::move(setup.table), setup.tools);
        if (auto added = config::add_tools(setup.world, std::move(setup.tools)); !added) {
            return std::unexpected(std::move(added.error().errors[0]));
        }
    }
    if (!setup.table.is_null()) {
        auto document = table::begin_campaign(setup.state.document, setup.table,
                                              *setup.world.registries, options.globals, setup.now);
        if (!document) {
            return std::unexpected(std::move(document).error());
        }
        setup.state.document = *std::move(document);
    }
    if (!setup.settings.empty()) {
        auto patched = table::patch_settings(setup.state, setup.settings, *setup.world.registries,
                                             options.globals, setup.now);
        if (!patched) {
            return std::unexpected(std::move(patched).error());
        }
        setup.state.document = std::move(patched->document);
        if (patched->meta) {
            setup.state.meta = *std::move(patched->meta);
        }
    }
    if (setup.card) {
        setup.state.meta = with_greeting(std::move(setup.state.meta), setup.greeting);
    }
    if (auto done = activate(setup, options, warnings); !done) {
        return std::unexpected(std::move(done).error());
    }
    const auto rules =
        turn::make_rules(base_rules(setup.world, options), *options.protocols.library(),
                         setup.state, options.language);
    if (!rules) {
        return std::unexpected(rules.error());
    }
    // Protocols that give way to others.
    warnings.insert(warnings.end(), rules->protocols.warnings.begin(),
                    rules->protocols.warnings.end());
    const RuleTexts texts =
        texts_of(setup.world, rules->protocols, options.protocols, setup.state.document);
    ledger::NewCampaign campaign;
    campaign.id = std::move(setup.id);
    campaign.name = std::move(setup.name);
    campaign.time = setup.now;
    campaign.state = std::move(setup.state);
    campaign.rules = texts.digests;
    campaign.texts = texts.blobs();
    if (setup.card) {
        add_card(*setup.card, setup.card_options, campaign);
    }
    return ledger::Campaign::begin(store, campaign);
}

}  // namespace arbiter::campaign
