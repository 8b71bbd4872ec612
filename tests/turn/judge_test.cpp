// Goal: what is authoritative changes through tools only, in one step that can be repeated and
// explained; what was wrong is told in one document. Method: commands and calls on one campaign.
#include "engine/describe.h"
#include "tests/support/random.h"
#include "tests/turn/game.h"

namespace arbiter {
namespace {

using engine::Actor;
using proposal::Op;
using tests::call_of;
using tests::command;
using tests::Game;
using tests::json;
using value::Array;
using value::Object;
using value::Value;

// proves: S1-1, X-3
TEST(Authority, NoCommandOfTheModelTouchesTheCampaign) {
    Game game;
    for (const auto& [path, value] :
         {std::pair<const char*, Value>{"campaign.characters.hero.status.alive_state", "dead"},
          {"campaign.characters.hero.name", "x"},
          {"campaign.characters.hero.hp", json(R"({"current":99,"max":99})")},
          {"campaign.characters.hero.hp.max", 99},
          {"campaign.rules.magic", "allowed"},
          {"campaign.areas.vault.lock", false},
          {"campaign.paths.p9", json(R"({"from":"gate","to":"isle"})")},
          {"campaign.settings.values", Object()},
          {"campaign.tools.allow", Array()},
          {"campaign", Object()}}) {
        game.tries({command(Op::kSet, path, value), command(Op::kDelete, path, {})});
        EXPECT_EQ(game.attempt.candidate(), game.state) << path;
        EXPECT_EQ(game.attempt.failed_calls.size(), 2U) << path;
    }
    // The player may (X-19), but not rewrite the goal.
    game.tries({command(Op::kSet, "campaign.rules.magic", "allowed")}, Actor::kPlayer);
    EXPECT_EQ(game.at("campaign.rules.magic"), "\"allowed\"");
}

// The greeting of a card is a text of the system: it sets up the card's variables, and no table.
TEST(Authority, NoTextMakesATableWhereThereIsNone) {
    Game game;
    game.state.document = json(R"({"gold":1})");
    game.reset();
    const Value table = json(R"({"settings":{"values":{"turn.mode":"live"}}})");
    for (const Actor actor : {Actor::kModel, Actor::kSystem}) {
        game.tries({command(Op::kSet, "gold", 2), command(Op::kSet, "campaign", table),
                    command(Op::kSet, "campaign.settings", Object()),
                    command(Op::kMerge, "", Object{{"campaign", table}})},
                   actor);
        EXPECT_EQ(value::print_json(game.attempt.candidate().document), R"({"gold":2})");
    }
}

// proves: X-3, S1-5
TEST(Authority, ADirectCommandOnAMappedPathBecomesTheToolsCall) {
    Game game(R"({"authority":[{"path":"角色.气血.当前","tool":"hp_delta","character":"hero"},
                               {"path":"NPC.$who.气血","tool":"hp_delta","character":"$who"},
                               {"path":"角色.位置","tool":"move","character":"hero"},
                               {"path":"世界.法则"}]})",
              R"({"角色":{"气血":{"当前":[10,"生命"]},"位置":"gate"},"NPC":{"白露":{"气血":6}},
                  "世界":{"法则":"不可杀人","天气":"雾"}})");
    game.tries({command(Op::kIncrement, "角色.气血.当前", -4)});
    EXPECT_EQ(game.failures(), "");
    EXPECT_EQ(game.at("campaign.characters.hero.hp.current"), "6");
    EXPECT_EQ(game.at("角色.气血.当前"), R"([6,"生命"])");
    EXPECT_EQ(game.in(game.about(0), "tool"), "\"hp_delta\"");
    EXPECT_EQ(game.in(game.about(0), "from_command"), "\"角色.气血.当前\"");
    game.tries({command(Op::kSet, "角色.气血.当前", 99), command(Op::kSet, "NPC.白露.气血", 2),
                command(Op::kSet, "角色.位置", "大厅"), command(Op::kSet, "世界.天气", "晴")});
    EXPECT_EQ(game.failures(), "");
    EXPECT_EQ(game.at("角色.气血.当前[0]"), "12");
    EXPECT_EQ(game.at("campaign.characters.mage.hp.current"), "2");
    EXPECT_EQ(game.at("NPC.白露.气血"), "2");
    EXPECT_EQ(game.at("角色.位置"), "\"hall\"");
    EXPECT_EQ(game.at("世界.天气"), "\"晴\"");
    EXPECT_TRUE(game.attempt.conflicts.empty());
    // A command without an equivalent call is rejected, also on a parent path.
    game.tries({command(Op::kSet, "角色.气血.当前", "很多"), command(Op::kDelete, "角色.气血", {}),
                command(Op::kSet, "世界.法则", "无"), command(Op::kSet, "世界", Object()),
                command(Op::kSet, "角色.位置", "金库")});
    EXPECT_EQ(game.failures(),
              "no_such_tool_call authoritative_path authoritative_path authoritative_path "
              "path_locked");
    EXPECT_EQ(game.attempt.candidate(), game.state);
    // Where the player changes the sheet, the campaign follows, within bounds.
    game.tries({command(Op::kSet, "角色.气血.当前", 50)}, Actor::kPlayer);
    EXPECT_EQ(game.at("campaign.characters.hero.hp.current"), "12");
    EXPECT_EQ(game.at("角色.气血.当前[0]"), "12");
    game.tries({command(Op::kSet, "角色.气血.当前", 0)}, Actor::kPlayer);
    EXPECT_EQ(game.at("campaign.characters.hero.status.alive_state"), "\"downed\"");
}

TEST(Authority, RowsThatMakeNoSenseAreRefused) {
    for (const char* rows :
         {R"([{"path":"a.**.b"}])", R"([{"path":""}])", R"([3])", R"([{"path":"a","tool":"fly"}])",
          R"([{"path":"a.$x","tool":"move","character":"$y"}])"}) {
        const auto read = table::authority_rows(json(rows));
        ASSERT_FALSE(read.has_value()) << rows;
        EXPECT_EQ(read.error().code, base::ErrorCode::kAuthorityRow);
    }
}

// A block that is all or nothing is so across commands and calls.
TEST(Judge, ATransactionOfCommandsAndCallsIsAllOrNothing) {
    Game game("{}", R"({"gold":5})");
    auto pay = command(Op::kIncrement, "gold", -1);
    auto move = call_of("move", R"({"actor_id":"hero","to_area_id":"hall"})", "a");
    auto fly = call_of("move", R"({"actor_id":"hero","to_area_id":"isle"})", "b");
    auto more = command(Op::kIncrement, "gold", -1);
    for (auto* each : {&pay, &move, &fly, &more}) {
        each->batch = 7;
        each->transaction = true;
    }
    game.tries({pay, move, fly, more});
    EXPECT_EQ(game.attempt.candidate(), game.state);
    EXPECT_TRUE(game.attempt.actions.empty());
    std::string statuses;
    for (const engine::Verdict& verdict : game.attempt.outcome.verdicts) {
        statuses += std::string(proposal::name(verdict.status)) + " ";
    }
    EXPECT_EQ(statuses, "rolled_back rolled_back rejected rolled_back ");
    game.tries({pay, move, more});
    EXPECT_EQ(game.at("gold"), "3");
    EXPECT_EQ(game.at("campaign.characters.hero.area_id"), "\"hall\"");
}

// proves: S1-54, S1-62
TEST(Judge, AnAttemptThatIsTriedAgainStartsFromTheSameState) {
    Game game;
    const Value before = game.state.document;
    game.tries(
        {call_of("hp_delta", R"({"target_character_id":"hero","delta":-1,"cause":"x"})", "a"),
         call_of("move", R"({"actor_id":"hero","to_area_id":"isle"})", "b")});
    EXPECT_TRUE(turn::asks_again(game.attempt));
    EXPECT_TRUE(game.state.document.is_identical(before));
    game.plays(
        {call_of("hp_delta", R"({"target_character_id":"hero","delta":-1,"cause":"x"})", "a")});
    EXPECT_FALSE(turn::asks_again(game.attempt));
    EXPECT_EQ(Game::in(game.state.document, "campaign.characters.hero.hp.current"), "9");
}

// proves: D-5, S1-79
TEST(Conflicts, AChangeThatNoActionExplainsIsFound) {
    Game game;
    game.tries({call_of("hp_delta", R"({"target_character_id":"hero","delta":-1,"cause":"x"})")});
    EXPECT_TRUE(game.attempt.conflicts.empty());
    const Value& after = game.attempt.candidate().document;
    const auto conflicts = [&](const Value& changed, std::span<const turn::Action> actions) {
        std::string all;
        for (const turn::Conflict& each : turn::structural_conflicts(
                 game.state.document, changed, actions, Actor::kModel, game.rules.authority)) {
            all += each.type + " " + each.field + ";";
        }
        return all;
    };
    const std::vector<turn::Action>& actions = game.attempt.actions;
    EXPECT_EQ(conflicts(after, actions), "");
    // The same state without the action that made it.
    EXPECT_EQ(conflicts(after, {}), "unexplained_change campaign.characters.hero.hp.current;");
    // Each of the fields that are authoritative.
    for (const char* path :
         {"campaign.characters.hero.area_id", "campaign.characters.hero.status.alive_state",
          "campaign.rules.magic", "campaign.areas.hall.name", "campaign.characters.hero.job"}) {
        const Value changed =
            value::set(after, value::parse_path(path, value::PathSyntax::kDotted).value(), "gate2")
                .value();
        EXPECT_NE(conflicts(changed, actions).find(std::string("unexplained_change ") + path),
                  std::string::npos)
            << path;
    }
    // An action that claims to be a command of the model explains nothing there.
    std::vector<turn::Action> forged = actions;
    forged[0].kind = turn::Action::Kind::kCommand;
    EXPECT_EQ(conflicts(after, forged), "unexplained_change campaign.characters.hero.hp.current;");
    // Broken in itself.
    const Value over =
        value::set(after, table::campaign_path({"characters", "hero", "hp", "current"}), 99)
            .value();
    EXPECT_NE(conflicts(over, actions).find("hp_out_of_range"), std::string::npos);
}

// proves: S1-79
TEST(Conflicts, AToolWhoseEffectIsNotWhatItSaysIsUndone) {
    Game game;
    auto registries = std::make_shared<table::Registries>(*table::shipped_registries());
    table::Tool liar = *registries->tools.find("hp_delta");
    liar.name = "liar";
    const auto honest = liar.effect;
    liar.effect = [honest](const table::ToolContext& at, table::Random& random) {
        auto made = honest(at, random);
        made->instructions[0].value = Value(1);
        return made;
    };
    ASSERT_TRUE(registries->tools.add(std::move(liar)).has_value());
    game.registries = registries;
    game.does(table::allow_tools(game.state.document, Array{"liar"}, *registries, 1));
    game.reset();
    game.tries({call_of("liar", R"({"target_character_id":"hero","delta":-2,"cause":"x"})")});
    EXPECT_EQ(game.failures(), "conflict");
    EXPECT_EQ(game.attempt.candidate(), game.state);
}

// proves: S1-51, X-17, X-18, S3-53, A1-10
TEST(Feedback, OneDocumentTellsEverythingAndRetriesJoinIt) {
    Game game("{}", R"({"gold":5})");
    proposal::Proposal broken;
    broken.dialect = proposal::Dialect::kJson;
    broken.raw = R"({"op":"assign","path":)";
    broken.refuse(proposal::Code::kParseError, {"the end"});
    auto hopeful = command(Op::kSet, "gold", 9);
    std::get<proposal::Instruction>(hopeful.what).options =
        Object{{"expect", Object{{"equals", 8}}}};
    game.tries({call_of("move", R"({"actor_id":"hero","to_area_id":"isle"})", "a"), broken, hopeful,
                command(Op::kDelete, "silver", {})});
    const Value told =
        turn::feedback(game.attempt, game.registries->tools, base::Language::kChinese);
    const auto list = [](const Value& document, std::string_view name) {
        return table::array_or_empty(value::find_member(&document, name));
    };
    ASSERT_EQ(list(told, "failed_calls").size(), 1U);
    ASSERT_EQ(list(told, "parse_errors").size(), 1U);
    EXPECT_EQ(table::text_in(&list(told, "parse_errors")[0], "error"), "JSON格式错误");
    EXPECT_EQ(table::text_in(&list(told, "parse_errors")[0], "suggestion"),
              "请使用正确的JSON格式，例如：\n{\"op\":\"assign\",\"path\":[\"player\",\"hp\"],"
              "\"value\":80}");
    ASSERT_EQ(list(told, "failed_expectations").size(), 1U);
    EXPECT_EQ(table::text_in(&list(told, "failed_expectations")[0], "path"), "gold");
    EXPECT_TRUE(list(told, "conflicts").empty());
    EXPECT_EQ(list(told, "refused_commands").size(), 1U);
    const std::string text = turn::feedback_text(told, base::Language::kChinese);
    EXPECT_NE(text.find("isle"), std::string::npos);
    EXPECT_NE(text.find("JSON格式错误"), std::string::npos);
    // The second attempt makes one old mistake and one new one: each is there once.
    game.tries({call_of("move", R"({"actor_id":"hero","to_area_id":"isle"})", "a"),
                call_of("move", R"({"actor_id":"hero","to_area_id":"moon"})", "b")});
    const Value second =
        turn::feedback(game.attempt, game.registries->tools, base::Language::kChinese);
    const Value both = turn::joined_feedback(told, second);
    EXPECT_EQ(list(both, "failed_calls").size(), 2U);
    EXPECT_EQ(list(both, "parse_errors").size(), 1U);
    EXPECT_EQ(turn::joined_feedback(both, second), both);
    EXPECT_EQ(turn::joined_feedback(both, Value()), both);
}

// proves: S1-63
TEST(Feedback, TheReportListsConflictsAndChoices) {
    Game game;
    game.tries({});
    game.attempt.conflicts.push_back({"unexplained_change", "campaign.x", 1, 2});
    EXPECT_TRUE(turn::asks_again(game.attempt));
    const Value told =
        turn::feedback(game.attempt, game.registries->tools, base::Language::kEnglish);
    const Value report = turn::conflict_report(
        told, 3, {.can_accept = false, .can_roll_back = true}, base::Language::kEnglish);
    EXPECT_EQ(
        value::print_json(*value::find_member(&report, "conflicts")),
        R"([{"type":"unexplained_change","field":"campaign.x","expected":1,"found":2,"reason":"No action that was carried out explains the change of campaign.x."}])");
    EXPECT_EQ(value::print_json(*value::find_member(&report, "choices")),
              R"(["keep_state","edit","roll_back"])");
}

// Hostile input is bounded: what is over the limits is refused unread, and little is told of it.
TEST(Judge, HostileCallsAreBounded) {
    Game game;
    std::vector<proposal::Proposal> many;
    for (int i = 0; i < 10'000; ++i) {
        many.push_back(call_of("hp_delta",
                               R"({"target_character_id":"hero","delta":1,"cause":"x"})",
                               "call_" + std::to_string(i)));
    }
    game.tries(many);
    EXPECT_EQ(game.attempt.failed_calls.size(), 10'000U - base::kToolCallsMax);
    EXPECT_EQ(game.attempt.failed_calls[0].refusal.reason, "too_many_calls");
    const Value told =
        turn::feedback(game.attempt, game.registries->tools, base::Language::kEnglish);
    EXPECT_EQ(value::find_member(&told, "failed_calls")->as_array().size(),
              base::kFeedbackEntriesMax);
    EXPECT_LT(value::print_json(told).size(), 16'000U);

    std::string deep = "1";
    for (int i = 0; i < 400; ++i) {
        deep = "[" + deep + "]";
    }
    const std::string long_text(20'000, 'x');
    game.tries(
        {call_of("character_generate", R"({"name":"a","attributes":{"x":)" + deep + "}}", "a"),
         call_of("hp_delta",
                 R"({"target_character_id":"hero","delta":1,"cause":")" + long_text + "\"}", "b"),
         call_of("hp_delta",
                 R"({"target_character_id":"hero","delta":9223372036854775807,"cause":"x"})", "c"),
         call_of(long_text, "{}", "d"), call_of("move", "{}", long_text),
         call_of("hp_delta",
                 R"({"target_character_id":")" + long_text.substr(0, 4000) +
                     R"(","delta":1,"cause":"x"})",
                 "f")});
    EXPECT_EQ(game.failures(),
              "E:args_too_large E:args_too_large E:bad_arg tool_not_allowed E:missing_arg "
              "unknown_character");
    for (const turn::FailedCall& failed : game.attempt.failed_calls) {
        EXPECT_LE(failed.id.size() + failed.tool.size(), 2 * base::kDetailBytesMax);
    }
}

// The ledger's record of an accepted turn explains all of its changes, also for the audit.
TEST(Judge, AnAcceptedTurnIsOneWithItsEnd) {
    Game game(R"({"authority":[{"path":"角色.气血","tool":"hp_delta","character":"hero"}]})",
              R"({"角色":{"气血":10}})");
    game.tries({command(Op::kIncrement, "角色.气血", -3)});
    const engine::State before = game.state;
    game.accept();
    const turn::Attempt& attempt = game.finished.attempt;
    EXPECT_EQ(table::turn_number(game.state.document), 1);
    EXPECT_EQ(turn::apply_actions(before.document, attempt.actions).value(), game.state.document);
    // The records of the audit, in order, explain it as well: newest first they lead back.
    std::vector<Value> records =
        engine::audit_records(attempt.reading.proposals, attempt.outcome, game.context());
    std::string rules;
    for (std::size_t i = 0; i < attempt.effects.size(); ++i) {
        rules += attempt.effects[i].rule + " ";
        records.push_back(rules::audit_record(attempt.effects[i], i, game.context()));
    }
    EXPECT_EQ(rules, "table.settle table.close table.close ");
    const auto back = engine::undo(game.state.document, records);
    ASSERT_TRUE(back.has_value());
    EXPECT_TRUE(value::same_bytes(*back, before.document));
}

// proves: S1-18, X-20
TEST(Judge, TheActionsOfAllTurnsGiveThePresentState) {
    const std::vector<std::string> people = {"hero", "mage", "char_003", "ghost"};
    const std::vector<std::string> places = {"gate", "hall", "vault", "isle", "area_01", "area_02"};
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        tests::Random random(seed);
        Game game(R"({"authority":[{"path":"角色.气血","tool":"hp_delta","character":"hero"}]})",
                  R"({"角色":{"气血":10},"gold":1,"list":[]})");
        const Value first = game.state.document;
        for (int turn = 0; turn < 30; ++turn) {
            std::vector<proposal::Proposal> asked;
            const std::size_t count = random.below(6);
            for (std::size_t i = 0; i < count; ++i) {
                const std::string who = random.pick(people);
                const std::string where = random.pick(places);
                const std::string id = "c" + std::to_string(random.below(8));
                const std::string n = std::to_string(static_cast<int>(random.below(9)) - 5);
                switch (random.below(9)) {
                    case 0:
                        asked.push_back(call_of(
                            "move",
                            "{\"actor_id\":\"" + who + "\",\"to_area_id\":\"" + where + "\"}", id));
                        break;
                    case 1:
                        asked.push_back(call_of("hp_delta",
                                                "{\"target_character_id\":\"" + who +
                                                    "\",\"delta\":" + n + ",\"cause\":\"x\"}",
                                                id));
                        break;
                    case 2:
                        asked.push_back(call_of("roll", R"({"dice":"3d6","purpose":"x"})", id));
                        break;
                    case 3:
                        asked.push_back(call_of("item_transfer",
                                                "{\"from_id\":\"" + who + "\",\"to_id\":\"" +
                                                    random.pick(people) +
                                                    "\",\"item_id\":\"coin\"}",
                                                id));
                        break;
                    case 4:
                        asked.push_back(
                            call_of("character_generate", "{\"name\":\"n" + n + "\"}", id));
                        break;
                    case 5:
                        asked.push_back(command(Op::kIncrement, "角色.气血",
                                                static_cast<std::int64_t>(random.below(5)) - 2));
                        break;
                    case 6:
                        asked.push_back(command(Op::kPush, "list", std::string_view(who)));
                        break;
                    case 7:
                        asked.push_back(
                            call_of("time_advance", "{\"to\":\"t" + n + "\",\"event\":\"x\"}", id));
                        break;
                    default:
                        asked.push_back(call_of("map_generate", R"({"size":4})", id));
                        break;
                }
            }
            if (random.chance(10)) {
                game.sets(random.chance(50)
                              ? R"({"rules.map_replace":true,"rules.party_moves":true})"
                              : R"({"rules.hp_zero_ends_game":false})");
            }
            game.tries(asked);
            ASSERT_TRUE(game.attempt.conflicts.empty()) << seed << " " << turn;
            // Judging again gives the same bytes.
            const Value once = game.attempt.candidate().document;
            const std::string log = tests::print(game.attempt.actions);
            game.tries(asked);
            ASSERT_TRUE(value::same_bytes(once, game.attempt.candidate().document));
            ASSERT_EQ(log, tests::print(game.attempt.actions));
            game.accept(10);
            // Invariants of every tool.
            for (const auto& [id, card] : table::object_or_empty(
                     table::find_in_campaign(game.state.document, {"characters"}))) {
                const auto hp = table::hp_of(&card);
                ASSERT_TRUE(hp && hp->current >= 0 && hp->current <= hp->max);
            }
            ASSERT_EQ(Game::in(game.state.document, "角色.气血"),
                      Game::in(game.state.document, "campaign.characters.hero.hp.current"));
        }
        const auto replayed = turn::apply_actions(first, game.actions);
        ASSERT_TRUE(replayed.has_value()) << seed;
        EXPECT_TRUE(value::same_bytes(*replayed, game.state.document)) << seed;
    }
}

}  // namespace
}  // namespace arbiter
