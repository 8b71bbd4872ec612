#include "campaign/followed_protocols.h"

#include <set>

#include "campaign/rule_texts.h"
#include "protocol/activation.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;
using value::Object;
using value::Value;

namespace {

// The protocol that is not there, by the error of find_missing().
std::string missing_name(const base::Error& error) {
    const bool is_needed = error.code == ErrorCode::kProtocolNeeds;
    const std::size_t place = is_needed ? 1 : 0;
    return place < error.arguments.size() ? error.arguments[place] : std::string();
}

}  // namespace

Result<> FollowedProtocols::follow(const ledger::Campaign& campaign, const Object& rules,
                                   config::Protocols& protocols) {
    if (Value(rules) != Value(rules_)) {
        auto loaded = kept_protocols(campaign, rules);
        if (!loaded) {
            return std::unexpected(std::move(loaded).error());
        }
        kept_ = {};
        if (!loaded->active.empty() || !loaded->own.empty() || !loaded->references.empty()) {
            kept_.change() = *std::move(loaded);
        }
        rules_ = rules;
    }
    const Object& meta = campaign.state().meta;
    config::Protocols::Kept kept = *kept_;
    for (const protocol::Active& each : protocol::active(meta)) {
        kept.references.push_back(each.reference);
    }
    protocols.keep(kept);
    // Each round finds the text of one protocol or gives up.
    std::set<std::string> tried;
    while (true) {
        const auto missing = protocol::find_missing(meta, *protocols.library());
        const std::string wanted = missing ? missing_name(*missing) : std::string();
        const auto reference = protocol::parse_reference(wanted);
        if (!reference || !tried.insert(wanted).second) {
            return {};
        }
        auto found = find_earlier(campaign, *reference);
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        if (!*found) {
            return {};
        }
        kept.own.push_back(**std::move(found));
        protocols.keep(kept);
    }
}

Result<> FollowedProtocols::check(const ledger::Campaign& campaign,
                                  const config::Protocols& protocols) {
    const auto library = protocols.library();
    const Object& meta = campaign.state().meta;
    const Value* found = meta.find(protocol::kProtocolsKey);
    const Value active = found != nullptr ? *found : Value();
    if (library == checked_library_ && active == checked_protocols_) {
        return {};
    }
    if (const auto missing = protocol::find_missing(meta, *library)) {
        return base::fail(ErrorCode::kProtocolMissing, {campaign.row().id, missing_name(*missing)});
    }
    checked_library_ = library;
    checked_protocols_ = active;
    return {};
}

}  // namespace arbiter::campaign
