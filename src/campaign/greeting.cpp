#include "campaign/greeting.h"

#include "prompt/names.h"
#include "rules/blueprint.h"
#include "rules/rulebook.h"
#include "table/layout.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;
using engine::State;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kGreetingKey = "greeting";

// Nothing but the card has spoken on the line to the head. Gives its first turn.
Result<ledger::TurnId> first_turn(const ledger::Campaign& campaign) {
    ledger::TurnId first = campaign.head();
    auto visited = campaign.visit_back(
        campaign.head(), ledger::Store::Content::kWhole,
        [&](const ledger::TurnRow& row) -> Result<bool> {
            const auto record = campaign.record_of(row);
            if (!record) {
                return std::unexpected(record.error());
            }
            first = row.id;
            if (row.parent && !record->edit && record->actor != engine::Actor::kSystem) {
                return base::fail(ErrorCode::kGreetingTooLate,
                                  {std::to_string(campaign.story_number())});
            }
            return true;
        });
    return visited ? Result<ledger::TurnId>(first) : std::unexpected(std::move(visited).error());
}

Object object_of(const Value& value) {
    return value.is_object() ? value.as_object() : Object();
}

// `to` with a member of `from`, or without it if `from` has none.
Object with_member(Object to, const Object& from, std::string_view key) {
    const Value* found = from.find(key);
    return found != nullptr ? std::move(to).set(key, *found) : std::move(to).erase(key);
}

}  // namespace

std::size_t greeting_of(const Object& meta) {
    const Value* found = meta.find(kGreetingKey);
    return found != nullptr && found->is_int() && found->as_int() > 0
               ? static_cast<std::size_t>(found->as_int())
               : 0;
}

Object with_greeting(Object meta, std::size_t greeting) {
    return std::move(meta).set(kGreetingKey, static_cast<std::int64_t>(greeting));
}

config::StartOptions start_options(std::string_view id, std::size_t greeting, std::string user,
                                   const CardOptions& options) {
    config::StartOptions made;
    made.greeting = greeting;
    made.user = std::move(user);
    made.more = options.variables;
    for (const char c : id) {
        made.seed = made.seed * 31 + static_cast<unsigned char>(c);
    }
    return made;
}

turn::SuppliedReply greeting_turn(const config::Start& start, engine::Instant now) {
    turn::SuppliedReply reply;
    reply.text = start.greeting;
    reply.actor = engine::Actor::kSystem;
    reply.now = now;
    return reply;
}

Result<turn::TurnResult> switch_greeting(Session& session, std::size_t greeting,
                                         engine::Instant now) {
    const ledger::Campaign campaign = session.campaign();
    const auto card = card_of(campaign);
    if (!card) {
        return std::unexpected(card.error());
    }
    if (!*card) {
        return base::fail(ErrorCode::kCampaignNoCard, {campaign.row().id});
    }
    const auto root = first_turn(campaign);
    const auto first = root ? campaign.state_at(*root) : std::unexpected(root.error());
    const auto options = card_options_of(campaign);
    if (!first || !options) {
        return std::unexpected(!first ? first.error() : options.error());
    }
    const State& present = campaign.state();
    const std::string user = prompt::user_name(present.document, session.settings());
    const auto started = [&](std::size_t number) {
        return config::initial_state(**card,
                                     start_options(campaign.row().id, number, user, *options));
    };
    const auto start = started(greeting);
    if (!start) {
        return std::unexpected(start.error().errors[0]);
    }
    const auto shared = session.world();
    const config::World& world = shared->world();
    State begun;
    config::begin_with(*start, world.profile.policy, begun);
    State state = *first;
    // Variables of a campaign that come from elsewhere stay.
    const auto replaced = started(greeting_of(first->meta));
    if (config::has_variables(*start) || (replaced && config::has_variables(*replaced))) {
        state.document =
            with_member(object_of(state.document), object_of(begun.document), "stat_data");
        state.meta = with_member(std::move(state.meta), begun.meta, "structure");
    }
    if (options->fills_blueprints) {
        for (const auto& book : world.books) {
            state.document = rules::with_blueprint(state.document, book->blueprint);
        }
    }
    // Settings that were changed since stay.
    if (const Value* own = table::find_in_campaign(present.document, {table::kSettingsKey})) {
        const Object document = object_of(state.document);
        const Value* old = document.find(table::kCampaignKey);
        state.document = document.set(table::kCampaignKey,
                                      table::object_or_empty(old).set(table::kSettingsKey, *own));
    }
    state.meta = with_member(std::move(state.meta), present.meta, table::kSettingsKey);
    state.meta = with_greeting(std::move(state.meta), greeting);
    return session.begin_again(*root, std::move(state), greeting_turn(*start, now),
                               "greeting " + std::to_string(greeting));
}

}  // namespace arbiter::campaign
