#include "campaign/greeting.h"

#include "card/card_text.h"
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

namespace {

// The card of a campaign in which only the card has spoken, and the starts that it offers.
struct CardStarts {
    ledger::Campaign campaign;
    card::Card card;
    CardOptions options;
    ledger::TurnId root;
    State first;       // at the root
    std::string user;  // the name of the player

    // Fails with kCampaignNoCard or kGreetingTooLate.
    static Result<CardStarts> of(const Session& session) {
        ledger::Campaign campaign = session.campaign();
        auto card = card_of(campaign);
        if (!card) {
            return std::unexpected(std::move(card).error());
        }
        if (!*card) {
            return base::fail(ErrorCode::kCampaignNoCard, {campaign.row().id});
        }
        const auto root = first_turn(campaign);
        auto first = root ? campaign.state_at(*root) : std::unexpected(root.error());
        auto options = card_options_of(campaign);
        if (!first || !options) {
            return std::unexpected(!first ? first.error() : options.error());
        }
        std::string user = prompt::user_name(campaign.state().document, session.settings());
        return CardStarts{std::move(campaign), **std::move(card), *std::move(options), *root,
                          *std::move(first),   std::move(user)};
    }

    [[nodiscard]] std::expected<config::Start, config::FileDiagnostics> start(
        const card::Card& with, std::size_t greeting) const {
        return config::initial_state(with,
                                     start_options(campaign.row().id, greeting, user, options));
    }
    [[nodiscard]] std::expected<config::Start, config::FileDiagnostics> usual() const {
        return start(card, greeting_of(first.meta));
    }
};

// The first state with the variables of another start.
State state_with(const Session& session, const CardStarts& starts, const config::Start& start) {
    const auto shared = session.world();
    const config::World& world = shared->world();
    const State& present = starts.campaign.state();
    State begun;
    config::begin_with(start, world.profile.policy, begun);
    State state = starts.first;
    // Variables of a campaign that come from elsewhere stay.
    const auto replaced = starts.usual();
    if (config::has_variables(start) || (replaced && config::has_variables(*replaced))) {
        state.document =
            with_member(object_of(state.document), object_of(begun.document), "stat_data");
        state.meta = with_member(std::move(state.meta), begun.meta, "structure");
    }
    if (starts.options.fills_blueprints) {
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
    return state;
}

// Whether both have the same words.
bool is_same_text(std::string_view left, std::string_view right) {
    return card::trimmed(left) == card::trimmed(right);
}

Result<turn::TurnResult> switch_to(Session& session, const CardStarts& starts, std::size_t greeting,
                                   const config::Start& start, engine::Instant now) {
    State state = state_with(session, starts, start);
    state.meta = with_greeting(std::move(state.meta), greeting);
    return session.begin_again(starts.root, std::move(state), greeting_turn(start, now),
                               "greeting " + std::to_string(greeting));
}

}  // namespace

Result<turn::TurnResult> switch_greeting(Session& session, std::size_t greeting,
                                         engine::Instant now) {
    const auto starts = CardStarts::of(session);
    if (!starts) {
        return std::unexpected(starts.error());
    }
    const auto start = starts->start(starts->card, greeting);
    return start ? switch_to(session, *starts, greeting, *start, now)
                 : std::unexpected(start.error().errors[0]);
}

Result<bool> begin_with_greeting(Session& session, std::string_view text, engine::Instant now) {
    auto starts = CardStarts::of(session);
    if (!starts) {
        const bool is_free = starts.error().code == ErrorCode::kCampaignNoCard;
        return is_free ? Result<bool>(false) : std::unexpected(std::move(starts).error());
    }
    const std::string words = card::split_initvars(text).rest;
    for (std::size_t i = 0; i < starts->card.greetings.size(); ++i) {
        const auto start = starts->start(starts->card, i);
        if (start && is_same_text(start->greeting, words)) {
            const auto switched = switch_to(session, *starts, i, *start, now);
            return switched ? Result<bool>(true) : std::unexpected(switched.error());
        }
    }
    card::Card own = starts->card;
    own.greetings = {std::string(text)};
    const auto start = starts->start(own, 0);
    const auto usual = starts->usual();
    if (!start || !usual || start->document == usual->document) {
        return false;
    }
    turn::SuppliedReply reply = greeting_turn(*start, now);
    reply.actor = engine::Actor::kModel;  // it may not be the card's
    const auto begun = session.begin_again(starts->root, state_with(session, *starts, *start),
                                           std::move(reply), "greeting");
    return begun ? Result<bool>(true) : std::unexpected(begun.error());
}

}  // namespace arbiter::campaign
