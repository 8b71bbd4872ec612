// Requests that are refused, and those that are rarely made.
#include <algorithm>
#include <set>

#include "base/explain.h"
#include "base/limits.h"
#include "campaign/create.h"
#include "campaign/greeting.h"
#include "tests/sim/seat.h"
#include "value/json.h"

namespace arbiter::sim {

using base::ErrorCode;
using Check = std::optional<Failure>;

namespace {

template <typename T>
base::Result<> without_value(const base::Result<T>& result) {
    return result ? base::Result<>() : std::unexpected(result.error());
}

}  // namespace

Check Seat::refused(Player& player, const base::Result<>& result,
                    std::initializer_list<ErrorCode> codes) {
    if (result) {
        return failure("a wrong request is refused",
                       "instead of " + std::string(base::name(*codes.begin())));
    }
    around_.coverage.count("error", base::name(result.error().code));
    around_.note(base::name(result.error().code));
    if (std::ranges::find(codes, result.error().code) == codes.end()) {
        return failure("a refusal says what is wrong",
                       base::explain(result.error(), base::Language::kEnglish));
    }
    auto wrong = same_as_reference(player);
    return wrong ? Check(failure("a refused request changes nothing", wrong->detail))
                 : std::nullopt;
}

Check Seat::ask_strangely(Player& player, tests::Random& random) {
    switch (random.below(8)) {
        case 0:
        case 1:
            return switch_greeting(player, random);
        case 2:
        case 3:
            return speak_under_condition(player, random);
        case 4:
            return create_wrongly(player, random);
        case 5:
            return random.chance(3) ? speak_too_long(player, random) : find_turn(player, random);
        default:
            return find_turn(player, random);
    }
}

Check Seat::switch_greeting(Player& player, tests::Random& random) {
    const std::size_t number = random.below(3);
    around_.note("greeting " + std::to_string(number));
    const auto switched =
        without_value(campaign::switch_greeting(*player.session, number, around_.now));
    if (!made_.setup.card) {
        return refused(player, switched, {ErrorCode::kCampaignNoCard});
    }
    if (!switched) {
        return refused(
            player, switched,
            {ErrorCode::kGreetingTooLate, ErrorCode::kGreetingUnknown, ErrorCode::kHeadMoved});
    }
    if (number > 1) {
        return failure("a wrong request is refused", "there is no third greeting");
    }
    ++around_.turns;
    player.unpaid = 0;  // the greeting is a turn, which pays
    // Back to the first turn, the variables as an edit, and the greeting.
    reference_.move(reference_.after_going_to(reference_.order().front()));
    if (auto wrong = take_over(player)) {
        return wrong;
    }
    around_.coverage.count("player", "greeting switched");
    return same_as_reference(player);
}

// Keys and expected turns that do not fit the request.
Check Seat::speak_under_condition(Player& player, tests::Random& random) {
    if (player.session->campaign().head() != reference_.head()) {
        return std::nullopt;
    }
    turn::SuppliedReply reply;
    reply.text = "雾里有人。";
    reply.now = around_.now;
    campaign::TurnCondition condition;
    const auto ask = [&] { return without_value(player.session->apply(reply, {}, condition)); };
    switch (random.below(3)) {
        case 0:
            condition.key =
                random.chance(50) ? std::string() : std::string(base::kTurnKeyBytesMax + 1, 'k');
            return refused(player, ask(), {ErrorCode::kBadTurnKey});
        case 1:
            if (reference_.order().front() == reference_.head()) {
                return std::nullopt;
            }
            condition.after = reference_.order().front();
            return refused(player, ask(), {ErrorCode::kHeadElsewhere});
        default:
            break;
    }
    if (keys_ == 0) {
        return std::nullopt;
    }
    // A key of an earlier request with other words; that request may not have been stored.
    condition.key = "k" + std::to_string(1 + random.below(keys_));
    const auto stored = around_.storage.store().turn_of_key(made_.setup.id, *condition.key);
    if (!stored || !*stored) {
        return std::nullopt;
    }
    return refused(player, ask(), {ErrorCode::kKeyReused});
}

Check Seat::speak_too_long(Player& player, tests::Random& random) {
    turn::SuppliedReply reply;
    reply.now = around_.now;
    std::string& text = random.chance(50) ? reply.text : reply.said;
    text.assign(base::kTurnTextBytesMax + 1, 'x');
    return refused(player, without_value(player.session->apply(std::move(reply))),
                   {ErrorCode::kReplyTooLong, ErrorCode::kSaidTooLong});
}

Check Seat::create_wrongly(Player& player, tests::Random& random) {
    campaign::CampaignSetup setup = made_.setup;
    ErrorCode expected = ErrorCode::kCampaignExists;
    switch (random.below(6)) {
        case 0:
            break;
        case 1:
            setup.id = "../outside";
            expected = ErrorCode::kCampaignId;
            break;
        case 2:
            setup.id = "other";
            setup.table = {};
            setup.tools = {{config::TextKind::kTool, "ignite", "name: ignite"}};
            expected = ErrorCode::kToolsNeedTable;
            break;
        case 3:
            setup.id = "other";
            setup.tools = {};
            setup.table =
                value::parse_json(
                    R"({"id":"t","map":{"id":"m","areas":{"a":{"name":"A"}},"paths":{"p":{"from":"a","to":"nowhere"}}}})")
                    .value();
            expected = ErrorCode::kBadField;
            break;
        case 4:
            setup.id = "other";
            setup.protocols = {{"no_such_protocol", {}}};
            expected = ErrorCode::kProtocolUnknown;
            break;
        default: {
            const auto opened = ledger::Campaign::open(around_.storage.store(), "nobody");
            return refused(player, without_value(opened), {ErrorCode::kCampaignUnknown});
        }
    }
    std::vector<base::Error> warnings;
    const auto made = campaign::create_campaign(around_.storage.store(), std::move(setup),
                                                session_options(made_, random), warnings);
    around_.note("create");
    return refused(player, without_value(made), {expected});
}

// A turn is found by the first digits of its id, or they are not enough.
Check Seat::find_turn(Player& player, tests::Random& random) {
    const ledger::Campaign campaign = player.session->campaign();
    if (random.chance(20)) {
        const auto nothing = without_value(campaign.find("ffffffffffffffffffffffff"));
        return refused(player, nothing, {ErrorCode::kTurnUnknown});
    }
    ledger::TurnId wanted = random.pick(reference_.order());
    std::string digits = wanted.hex().substr(0, 4 + random.below(3));
    // Rather one of two that begin alike, which are rare.
    std::set<std::string> seen;
    for (const ledger::TurnId& each : reference_.order()) {
        if (const std::string four = each.hex().substr(0, 4); !seen.insert(four).second) {
            wanted = each;
            digits = four;
        }
    }
    const auto same = static_cast<std::size_t>(std::ranges::count_if(
        reference_.order(),
        [&](const ledger::TurnId& each) { return each.hex().starts_with(digits); }));
    const auto found = campaign.find(digits);
    // Digits alone are a number of the story first.
    const bool is_number = digits.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) {
        return std::nullopt;
    }
    if (same > 1) {
        return refused(player, without_value(found), {ErrorCode::kTurnAmbiguous});
    }
    around_.coverage.count("checked", "turns found by their digits");
    return found && *found == wanted ? std::nullopt
                                     : Check(failure("a turn is found by its digits", digits));
}

}  // namespace arbiter::sim
