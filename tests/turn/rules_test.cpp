// Goal: the world's rules hold at the table as they do without it: across tool calls, on places
// that the campaign mirrors, and in turns that have no campaign at all.
#include "tests/rules/worlds.h"
#include "tests/turn/game.h"
#include "turn/place_marks.h"

namespace arbiter {
namespace {

using proposal::Op;
using tests::call_of;
using tests::command;
using tests::Game;
using tests::json;
using value::Value;

// A limit for a turn counts from the turn's start, not from the last tool call.
TEST(TableRules, LimitsPerTurnHoldAcrossToolCalls) {
    Game game("{}", R"({"gold":100})");
    game.books = {tests::book_of(R"({"rulebook":"r",
        "limits":[{"id":"gold","place":"gold","min":0,"max":1000,"per_turn":50}]})")};
    game.reset();
    const auto roll = [](const char* id) {
        return call_of("roll", R"({"dice":"d6","purpose":"x"})", id);
    };
    game.tries({command(Op::kIncrement, "gold", 40), roll("a"), command(Op::kIncrement, "gold", 40),
                roll("b"), command(Op::kIncrement, "gold", 40)});
    EXPECT_EQ(game.at("gold"), "150");
    game.accept();
    game.tries({command(Op::kIncrement, "gold", 40)});
    EXPECT_EQ(game.at("gold"), "190");
}

// A view of the state can say which rule is about a place.
TEST(TableRules, PlacesAreMarkedWithTheirRules) {
    turn::BaseRules base;
    base.books = {tests::book_of(R"({"rulebook":"r",
        "derived":[{"id":"sum","place":"hero.*.sum","formula":"1 + 1"}],
        "limits":[{"id":"gold","place":"gold","min":0,"max":9}],
        "read_only":["born"]})")};
    engine::State state;
    state.document = json(R"({"gold":1,"born":2,"hero":{"a":{"sum":2},"b":{}}})");
    const auto rules =
        turn::make_rules(base, protocol::Library::make({}), state, base::Language::kEnglish);
    ASSERT_TRUE(rules.has_value());
    std::vector<std::string> told;
    for (const turn::PlaceMark& each : turn::place_marks(*rules, state.document, 10)) {
        told.push_back(value::print_path(each.path, value::PathSyntax::kDotted) + " " +
                       std::string(name(each.kind)) + " " + each.rule + " " + each.book);
    }
    EXPECT_EQ(told, (std::vector<std::string>{"hero.a.sum derived sum r", "gold limited gold r",
                                              "born protected read_only r"}));
    EXPECT_EQ(turn::place_marks(*rules, state.document, 2).size(), 2U);
}

// Lessons are kept while nothing that they depend on changes, and made again when something does.
TEST(RulesCache, LessonsFollowTheirInputs) {
    turn::BaseRules base;
    base.profile.of_model.add(proposal::Dialect::kMemory);
    base.profile.card_teaches = true;
    base.books = {tests::book_of(R"({"rulebook":"r",
        "derived":[{"id":"sum","place":"hero.*.sum","formula":"1 + 1"}]})")};
    const auto told = [](turn::RulesCache& cache, const Value& document, bool has_card,
                         base::Language language) {
        engine::State state;
        state.document = document;
        const auto rules = cache.for_state(state, protocol::Library::make({})).value();
        std::string all;
        for (const protocol::Lesson& each : cache.lessons(*rules, document, has_card, language)) {
            all += each.text;
        }
        return all;
    };
    const Value plain = json(R"({"gold":1})");
    const Value heroic = json(R"({"gold":1,"hero":{"a":{"sum":2}}})");
    turn::RulesCache cache(base, base::Language::kEnglish);
    std::vector<std::string> all;
    for (const Value& document : {plain, plain, heroic, plain}) {
        for (const auto language : {base::Language::kEnglish, base::Language::kChinese}) {
            for (const bool has_card : {false, true, false}) {
                turn::RulesCache fresh(base, base::Language::kEnglish);
                all.push_back(told(cache, document, has_card, language));
                EXPECT_EQ(all.back(), told(fresh, document, has_card, language));
            }
        }
    }
    EXPECT_NE(all[0], "");
    EXPECT_EQ(all[1], "");          // the card teaches
    EXPECT_NE(all[0], all[3]);      // another language
    EXPECT_NE(all[0], all[2 * 6]);  // a place that rules compute
}

// A rule that changes a mirrored place changes the campaign, and all of it is explained.
TEST(TableRules, ReactionsOnAMirroredPlaceReachTheCampaign) {
    Game game(R"({"authority":[{"path":"角色.气血","tool":"hp_delta","character":"hero"}]})",
              R"({"角色":{"气血":10},"poison":false})");
    game.books = {tests::book_of(R"({"rulebook":"r",
        "on_change":[{"id":"poison","watch":"poison","when":"$new","do":[
            {"set":"角色.气血","to":"角色.气血 - 3"}]}]})")};
    game.reset();
    const Value first = game.state.document;
    game.plays({call_of("hp_delta", R"({"target_character_id":"hero","delta":-2,"cause":"x"})"),
                command(Op::kSet, "poison", true)});
    EXPECT_EQ(Game::in(game.state.document, "角色.气血"), "5");
    EXPECT_EQ(Game::in(game.state.document, "campaign.characters.hero.hp.current"), "5");
    EXPECT_TRUE(game.attempt.conflicts.empty());
    EXPECT_EQ(turn::apply_actions(first, game.actions).value(), game.state.document);
}

// Without a campaign and without calls a turn is what the engine and the rulebooks make of
// it, to the byte.
TEST(TableRules, ATurnWithoutACampaignIsPlayedAsBefore) {
    const auto book = tests::book_of(tests::kBook);
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        tests::Random random(seed);
        engine::State state;
        state.document = json(R"({"gold":1,"hero":{"a":{"base":3}},"list":[],"world":{"cap":9}})");
        Game game;
        game.books = {book};
        game.state = state;
        game.reset();
        std::vector<proposal::Proposal> asked;
        for (std::size_t i = 0; i < random.below(8); ++i) {
            const std::vector<std::string> paths = {"gold", "hero.a.base", "list", "world.cap",
                                                    "x"};
            asked.push_back(command(random.chance(50) ? Op::kSet : Op::kIncrement,
                                    random.pick(paths),
                                    static_cast<std::int64_t>(random.below(30))));
        }
        game.tries(asked);
        const auto& proposals = game.attempt.reading.proposals;
        engine::Outcome outcome =
            engine::apply(state, proposals, game.rules.policy, game.context());
        const rules::Reacted reacted =
            rules::react(game.books, {state, proposals, outcome, "", engine::Actor::kModel});
        EXPECT_TRUE(value::same_bytes(reacted.state.document, game.attempt.candidate().document));
        EXPECT_EQ(reacted.state, game.attempt.candidate());
        EXPECT_EQ(reacted.effects.size(), game.attempt.effects.size());
        for (std::size_t i = 0; i < asked.size(); ++i) {
            EXPECT_EQ(outcome.verdicts[i].status, game.attempt.outcome.verdicts[i].status);
            EXPECT_EQ(outcome.verdicts[i].id, game.attempt.outcome.verdicts[i].id);
        }
    }
}

// Expired entries are removed at the turn's start, also if the turn begins with a call.
TEST(TableRules, ExpiryIsToldWhereATurnBeginsWithACall) {
    Game game("{}", R"({"a":1})");
    auto brief = command(Op::kSet, "buff", 1);
    std::get<proposal::Instruction>(brief.what).options = value::Object{{"ttl", 1}};
    game.plays({brief});
    EXPECT_EQ(Game::in(game.state.document, "buff"), "1");
    game.now += 10'000;
    game.plays({call_of("roll", R"({"dice":"d6","purpose":"x"})")});
    EXPECT_EQ(Game::in(game.state.document, "buff"), "-");
    EXPECT_EQ(game.attempt.outcome.expired.size(), 1U);
    EXPECT_TRUE(game.attempt.conflicts.empty());
}

}  // namespace
}  // namespace arbiter
