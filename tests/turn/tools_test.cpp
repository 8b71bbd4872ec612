// Goal: a call is executed only where everything allows it, says why where something does not, and
// leaves nothing behind then. Method: one small campaign, calls with one thing wrong at a time.
#include "tests/turn/game.h"

namespace arbiter {
namespace {

using tests::call_of;
using tests::command;
using tests::Game;
using tests::json;
using value::Value;

constexpr const char* kToHall = R"({"actor_id":"hero","from_area_id":"gate","to_area_id":"hall"})";

// proves: S1-2, S1-41, S1-44, S1-56
TEST(Tools, ExecutedCallsAreActionsWithToolArgsResultAndTime) {
    Game game;
    game.tries({call_of("move", kToHall, "call_001", "进屋"),
                call_of("hp_delta", R"({"target_character_id":"hero","delta":-3,"cause":"落石"})",
                        "call_002")});
    EXPECT_EQ(game.failures(), "");
    EXPECT_EQ(game.at("campaign.characters.hero.area_id"), "\"hall\"");
    EXPECT_EQ(game.at("campaign.characters.hero.hp.current"), "7");
    ASSERT_EQ(game.attempt.actions.size(), 2U);
    const Value action = game.about(0);
    EXPECT_EQ(table::text_in(&action, "tool"), "move");
    EXPECT_EQ(table::text_in(&action, "id"), "call_001");
    EXPECT_EQ(table::text_in(&action, "reason"), "进屋");
    EXPECT_EQ(table::text_in(&action, "actor_id"), "hero");
    EXPECT_EQ(table::text_in(&action, "time"), "1970-01-01T00:00:02.000Z");
    EXPECT_EQ(*value::find_member(&action, "args"), json(kToHall));
    EXPECT_EQ(table::text_in(value::find_member(&action, "result"), "path_id"), "p1");
    // The state that was given is untouched: judging is only looking (S1-2).
    EXPECT_EQ(Game::in(game.state.document, "campaign.characters.hero.area_id"), "\"gate\"");
}

// proves: S1-49, A1-8
TEST(Tools, MoveIsRefusedWhereTheMapSaysNo) {
    const auto fails = [](std::string_view args) {
        Game game;
        game.tries({call_of("move", args)});
        EXPECT_TRUE(game.attempt.actions.empty());
        EXPECT_EQ(game.attempt.candidate(), game.state);
        return game.failures();
    };
    EXPECT_EQ(fails(R"({"actor_id":"hero","from_area_id":"hall","to_area_id":"vault"})"),
              "stale_from_area");
    EXPECT_EQ(fails(R"({"actor_id":"hero","to_area_id":"moon"})"), "unknown_area");
    EXPECT_EQ(fails(R"({"actor_id":"hero","to_area_id":"isle"})"), "not_connected");
    EXPECT_EQ(fails(R"({"actor_id":"hero","to_area_id":"gate"})"), "already_there");
    EXPECT_EQ(fails(R"({"actor_id":"hero","to_area_id":"hall","path_id":"p2"})"), "path_mismatch");
    EXPECT_EQ(fails(R"({"actor_id":"hero","to_area_id":"hall","path_id":"p9"})"), "path_mismatch");
    EXPECT_EQ(fails(R"({"actor_id":"hero","to_area_id":"vault"})"), "path_locked");
    EXPECT_EQ(fails(R"({"actor_id":"nobody","to_area_id":"hall"})"), "unknown_character");
    // Without from_area_id it is where they are.
    Game game;
    game.tries({call_of("move", R"({"actor_id":"hero","to_area_id":"hall"})")});
    EXPECT_EQ(game.failures(), "");
}

// proves: S1-49
TEST(Tools, AreaLockHoldsUntilItsConditionDoes) {
    Game game;
    game.plays({call_of("move", kToHall)});
    const char* into = R"({"actor_id":"hero","to_area_id":"vault"})";
    game.tries({call_of("move", into)});
    EXPECT_EQ(game.failures(), "area_locked");
    EXPECT_EQ(table::explain_reason(game.registries->tools, "move",
                                    game.attempt.failed_calls[0].refusal, base::Language::kChinese),
              "区域移动锁未解除：vault。");
    // The player hands the key out.
    game.tries({command(proposal::Op::kSet, "campaign.characters.hero.items.key",
                        json(R"({"name":"钥匙","count":1})"))},
               engine::Actor::kPlayer);
    game.accept();
    game.tries({call_of("move", into)});
    EXPECT_EQ(game.failures(), "");
}

// proves: A1-9, S1-8
TEST(Tools, OnlyTheActiveActorMovesUnlessThePartyMay) {
    Game game;
    const char* mage = R"({"actor_id":"mage","to_area_id":"hall"})";
    game.tries({call_of("move", mage)});
    EXPECT_EQ(game.failures(), "not_active_actor");
    game.sets(R"({"rules.party_moves":true})");
    game.tries({call_of("move", mage)});
    EXPECT_EQ(game.failures(), "");
    game.sets(R"({"rules.party_moves":false})");
    game.does(table::select_actor(game.state.document, "mage", 1));
    game.tries({call_of("move", mage)});
    EXPECT_EQ(game.failures(), "");
    // The active actor is one of the party, and no tool changes who it is.
    const auto stranger = table::select_actor(game.state.document, "nobody", 1);
    ASSERT_FALSE(stranger.has_value());
    EXPECT_EQ(stranger.error().code, base::ErrorCode::kNotInParty);
    game.tries({command(proposal::Op::kSet, "campaign.selected.active_actor_id", "hero")});
    EXPECT_EQ(game.failures(), "authoritative_path");
    EXPECT_EQ(game.at("campaign.selected.active_actor_id"), "\"mage\"");
}

// proves: S1-21, S1-50
TEST(Tools, HpStaysInItsRangeAndTheResultSaysWhatHappened) {
    Game game;
    game.tries({call_of("hp_delta", R"({"target_character_id":"hero","delta":5,"cause":"药"})")});
    EXPECT_EQ(value::print_json(game.result()),
              R"({"target_character_id":"hero","old":10,"new":12,"requested":5,"applied_delta":2,)"
              R"("alive_state":"alive","cause":"药"})");
    game.tries({call_of("hp_delta",
                        R"({"target_character_id":"hero","delta":-1000000000,"cause":"龙"})")});
    EXPECT_EQ(game.at("campaign.characters.hero.hp"), R"({"current":0,"max":12})");
    EXPECT_EQ(table::int_in(&*game.attempt.outcome.verdicts[0].value, "applied_delta"), -10);
}

// proves: A1-4, A1-3, S1-24
TEST(Tools, WithoutHpACharacterIsDownAndHealingRaises) {
    Game game;
    const char* hurt = R"({"target_character_id":"hero","delta":-10,"cause":"x"})";
    game.plays({call_of("hp_delta", hurt), call_of("move", kToHall, "call_002")});
    // The second call sees what the first one left (S1-43).
    EXPECT_EQ(game.failures(), "actor_cannot_act");
    EXPECT_EQ(game.at("campaign.characters.hero.status"),
              R"({"alive_state":"downed","flags":["lucky"]})");
    EXPECT_FALSE(game.attempt.ended.has_value());
    EXPECT_EQ(table::turn_block(game.state.document)->reason, "actor_cannot_act");
    game.plays({call_of("hp_delta", R"({"target_character_id":"hero","delta":1,"cause":"x"})")});
    EXPECT_EQ(game.at("campaign.characters.hero.status.alive_state"), "\"alive\"");
    EXPECT_FALSE(table::turn_block(game.state.document).has_value());
}

// proves: A1-4
TEST(Tools, APartyThatIsDownHasLostOnlyWhereTheSettingSaysSo) {
    const auto both = [] {
        return std::vector{
            call_of("hp_delta", R"({"target_character_id":"hero","delta":-99,"cause":"x"})", "a"),
            call_of("hp_delta", R"({"target_character_id":"mage","delta":-99,"cause":"x"})", "b")};
    };
    Game hard;
    hard.plays(both());
    EXPECT_EQ(hard.attempt.ended, "party_down");
    EXPECT_EQ(Game::in(hard.state.document, "campaign.ended"),
              R"({"reason":"party_down","turn":1})");
    EXPECT_EQ(table::turn_block(hard.state.document)->reason, "campaign_ended");
    hard.tries({call_of("roll", R"({"dice":"d6","purpose":"x"})")});
    EXPECT_EQ(hard.failures(), "campaign_ended");

    Game soft(R"({"settings":{"rules.hp_zero_ends_game":false}})");
    soft.plays(both());
    EXPECT_FALSE(soft.attempt.ended.has_value());
    EXPECT_EQ(soft.at("campaign.characters.hero.status"),
              R"({"alive_state":"alive","flags":["lucky","at_zero"]})");
    soft.plays({call_of("hp_delta", R"({"target_character_id":"hero","delta":2,"cause":"x"})")});
    EXPECT_EQ(soft.at("campaign.characters.hero.status"),
              R"({"alive_state":"alive","flags":["lucky"]})");
}

// proves: S1-25
TEST(Tools, WhoIsInAnUnknownStateIsKeptAndDoesNotAct) {
    Game game;
    game.tries({command(proposal::Op::kSet, "campaign.characters.hero.status.alive_state", "石化")},
               engine::Actor::kPlayer);
    game.accept();
    game.plays({call_of("move", kToHall)});
    EXPECT_EQ(game.failures(), "actor_cannot_act");
    EXPECT_EQ(Game::in(game.state.document, "campaign.characters.hero.status.alive_state"),
              "\"石化\"");
    EXPECT_EQ(table::plain_state("dying"), table::alive::kDowned);
}

// proves: S1-47, S1-51
TEST(Tools, MalformedCallsAreErrorsOthersAreRejected) {
    Game game;
    const char* fine = R"({"target_character_id":"hero","delta":1,"cause":"x"})";
    game.tries(
        {call_of("hp_delta", fine, ""), call_of("", fine, "a"), call_of("hp_delta", "[1]", "b"),
         call_of("hp_delta", "null", "c"),
         call_of("hp_delta", R"({"target_character_id":"hero","cause":"x"})", "d"),
         call_of("hp_delta", R"({"target_character_id":"hero","delta":1,"cause":"x","hp":1})", "e"),
         call_of("hp_delta", R"({"target_character_id":"hero","delta":1.5,"cause":"x"})", "f"),
         call_of("hp_delta", R"({"target_character_id":"hero","delta":"1","cause":"x"})", "g"),
         call_of("hp_delta", R"({"target_character_id":"ghost","delta":1,"cause":"x"})", "h"),
         call_of("hp_delta", fine, "i")});
    EXPECT_EQ(game.failures(),
              "E:missing_id E:missing_tool E:args_not_object E:args_not_object E:missing_arg "
              "E:extra_arg E:bad_arg E:bad_arg unknown_character");
    // The last one was executed all the same.
    EXPECT_EQ(game.at("campaign.characters.hero.hp.current"), "11");
    const Value told =
        turn::feedback(game.attempt, game.registries->tools, base::Language::kChinese);
    const Value& entry = value::find_member(&told, "failed_calls")->as_array()[8];
    EXPECT_EQ(
        value::print_json(entry),
        R"({"id":"h","tool":"hp_delta","status":"rejected","reason":"没有角色 ghost。可用：hero (阿青), mage (白露)。",)"
        R"("code":"unknown_character"})");
}

// proves: S1-48
TEST(Tools, TheSecondCallWithAnIdIsRejected) {
    Game game;
    const char* hurt = R"({"target_character_id":"hero","delta":-1,"cause":"x"})";
    game.tries({call_of("hp_delta", hurt), call_of("hp_delta", hurt)});
    EXPECT_EQ(game.failures(), "duplicate_id");
    EXPECT_EQ(game.at("campaign.characters.hero.hp.current"), "9");
}

// proves: S1-43
TEST(Tools, ARejectedCallDoesNotStopTheFollowingOnes) {
    Game game;
    game.tries({call_of("move", R"({"actor_id":"hero","to_area_id":"isle"})", "a"),
                call_of("move", kToHall, "b"), call_of("move", kToHall, "c")});
    // The third finds the hero in the hall already.
    EXPECT_EQ(game.failures(), "not_connected stale_from_area");
    EXPECT_EQ(game.at("campaign.characters.hero.area_id"), "\"hall\"");
}

// proves: S1-42, S1-45, S1-46, S1-77
TEST(Tools, TheListIsAskedFirstThenTheStateThenTheSettings) {
    // Everything is wrong with this call: not on the list, the actor is down, and not active.
    const char* args = R"({"actor_id":"mage","to_area_id":"isle"})";
    Game game(R"({"tools":["hp_delta"]})");
    game.plays({call_of("hp_delta", R"({"target_character_id":"mage","delta":-6,"cause":"x"})")});
    game.tries({call_of("move", args)});
    EXPECT_EQ(game.failures(), "tool_not_allowed");
    game.does(table::allow_tools(game.state.document, json(R"(["move","hp_delta"])").as_array(),
                                 *game.registries, 1));
    game.tries({call_of("move", args)});
    EXPECT_EQ(game.failures(), "actor_cannot_act");
    game.plays({call_of("hp_delta", R"({"target_character_id":"mage","delta":1,"cause":"x"})")});
    game.tries({call_of("move", args)});
    EXPECT_EQ(game.failures(), "not_active_actor");
    game.sets(R"({"rules.party_moves":true})");
    game.tries({call_of("move", args)});
    EXPECT_EQ(game.failures(), "not_connected");
    // Known tools run only where they are listed, and only registered ones can be.
    game.tries({call_of("map_generate", R"({"size":3})")});
    EXPECT_EQ(game.failures(), "tool_not_allowed");
    const auto unknown = table::allow_tools(game.state.document, json(R"(["teleport"])").as_array(),
                                            *game.registries, 1);
    ASSERT_FALSE(unknown.has_value());
    EXPECT_EQ(unknown.error().code, base::ErrorCode::kUnknownKey);
}

// proves: S1-55, S1-51
TEST(Tools, ADisabledToolIsNotAdvertisedUntilItsTurn) {
    Game game;
    const auto advertises_move = [&] {
        for (const table::Tool* tool :
             table::advertised(game.registries->tools, game.state.document)) {
            if (tool->name == "move") {
                return true;
            }
        }
        return false;
    };
    EXPECT_TRUE(advertises_move());
    game.does(table::disable_tool(game.state.document, "move", 2, *game.registries, 1));
    EXPECT_FALSE(advertises_move());
    game.plays({call_of("move", kToHall)});
    EXPECT_EQ(game.failures(), "tool_disabled");
    const Value told =
        turn::feedback(game.attempt, game.registries->tools, base::Language::kEnglish);
    EXPECT_EQ(
        table::text_in(&value::find_member(&told, "failed_calls")->as_array()[0], "disabled_until"),
        "turn_0002");
    game.plays({});
    EXPECT_TRUE(advertises_move());
    game.tries({call_of("move", kToHall)});
    EXPECT_EQ(game.failures(), "");
}

// proves: A1-7
TEST(Tools, TheSameIllegalRequestIsSuppressedInTheFourthTurn) {
    Game game;
    const auto asks = [&](const char* args) {
        game.plays({call_of("move", args)});
        return game.failures();
    };
    const char* isle = R"({"actor_id":"hero","to_area_id":"isle"})";
    for (int turn = 0; turn < 3; ++turn) {
        EXPECT_EQ(asks(isle), "not_connected") << turn;
        EXPECT_TRUE(turn::asks_again(game.attempt));
    }
    EXPECT_EQ(asks(isle), "repeat_illegal_request");
    EXPECT_TRUE(turn::asks_again(game.attempt));  // its story is as false as before
    // Another request is another; and a turn without it begins anew.
    EXPECT_EQ(asks(R"({"actor_id":"hero","to_area_id":"moon"})"), "unknown_area");
    EXPECT_EQ(asks(isle), "not_connected");
}

// A request that has become legal is carried out, however often it was refused before.
TEST(Tools, ARepeatedRequestThatBecameLegalIsExecuted) {
    Game game;
    for (int turn = 0; turn < 4; ++turn) {
        game.plays({call_of("move", R"({"actor_id":"hero","to_area_id":"vault"})")});
    }
    EXPECT_EQ(game.failures(), "repeat_illegal_request");
    game.tries({command(proposal::Op::kSet, "campaign.paths.p3.lock", false),
                command(proposal::Op::kSet, "campaign.areas.vault.lock", false)},
               engine::Actor::kPlayer);
    game.state = game.attempt.candidate();
    game.tries({call_of("move", R"({"actor_id":"hero","to_area_id":"vault"})")});
    EXPECT_EQ(game.failures(), "");
}

TEST(Tools, MapsComeFromTheSeedAndHoldTogether) {
    for (std::int64_t size = 1; size <= base::kMapSizeMax; ++size) {
        const table::Map map = table::generate_map(static_cast<std::uint64_t>(size), size, {});
        EXPECT_EQ(static_cast<std::int64_t>(map.areas.size()), size);
        EXPECT_TRUE(table::validate_map(map.areas, map.paths).has_value());
        EXPECT_TRUE(table::is_connected(map.areas, map.paths));
        const table::Map again = table::generate_map(static_cast<std::uint64_t>(size), size, {});
        EXPECT_EQ(again.paths, map.paths);
    }
    Game game(
        R"({"map":{"id":"m","areas":{},"paths":{}},"characters":{"hero":{"name":"a","hp":{"max":5}}},
                  "party":["hero"]})");
    game.plays({call_of("map_generate", R"({"size":5,"seed":3,"names":["港口"]})")});
    EXPECT_EQ(game.failures(), "");
    EXPECT_EQ(game.at("campaign.areas.area_01.name"), "\"港口\"");
    EXPECT_EQ(game.at("campaign.characters.hero.area_id"), "\"area_01\"");
    EXPECT_EQ(game.at("campaign.selected.map_id"), "\"map_3\"");
    game.tries({call_of("map_generate", R"({"size":5})")});
    EXPECT_EQ(game.failures(), "map_in_use");
    game.tries({call_of("map_generate", R"({"size":31})")});
    EXPECT_EQ(game.failures(), "E:bad_arg");
}

TEST(Tools, GeneratedCharactersAreWholeAndNotInTheParty) {
    Game game;
    game.plays({call_of("character_generate",
                        R"({"name":"老船夫","job":"船夫","area_id":"hall","seed":5,)"
                        R"("attributes":{"strength":9},"skills":[{"name":"划船","level":4}]})")});
    EXPECT_EQ(game.failures(), "");
    const Value* made = table::find_character(game.state.document, "char_003");
    ASSERT_NE(made, nullptr);
    const auto card = table::character_from("char_003", *made);
    ASSERT_TRUE(card.has_value());
    EXPECT_EQ(card->hp.current, card->hp.max);
    EXPECT_EQ(table::int_in(value::find_member(made, "attributes"), "strength"), 9);
    EXPECT_EQ(table::party(game.state.document).size(), 2U);
    game.tries({call_of("character_generate", R"({"name":"老船夫"})", "a"),
                call_of("character_generate", R"({"name":"x","area_id":"moon"})", "b"),
                call_of("character_generate", R"({"name":"y","attributes":{"a":"b"}})", "c"),
                call_of("character_generate", R"({"name":"z","skills":[{"level":1}]})", "d")});
    EXPECT_EQ(game.failures(), "name_taken unknown_area bad_attribute bad_card");
}

TEST(Tools, ThingsChangeHandsAndNoneAreMade) {
    Game game;
    game.plays({call_of("item_transfer",
                        R"({"from_id":"hero","to_id":"mage","item_id":"coin","count":2})")});
    EXPECT_EQ(game.at("campaign.characters.hero.items.coin.count"), "3");
    EXPECT_EQ(game.at("campaign.characters.mage.items.coin"), R"({"name":"铜钱","count":2})");
    game.tries(
        {call_of("item_transfer", R"({"from_id":"hero","to_id":"mage","item_id":"coin","count":4})",
                 "a"),
         call_of("item_transfer", R"({"from_id":"hero","to_id":"hero","item_id":"coin"})", "b"),
         call_of("item_transfer", R"({"from_id":"hall","to_id":"hero","item_id":"lamp"})", "c"),
         call_of("item_transfer", R"({"from_id":"moon","to_id":"hero","item_id":"lamp"})", "d"),
         call_of("item_transfer", R"({"from_id":"hero","to_id":"mage","item_id":"coin","count":3})",
                 "e")});
    EXPECT_EQ(game.failures(), "not_enough same_holder apart unknown_holder");
    EXPECT_EQ(game.at("campaign.characters.hero.items"), "{}");
    EXPECT_EQ(game.at("campaign.characters.mage.items.coin.count"), "5");
    game.tries(
        {call_of("move", kToHall, "a"),
         call_of("item_transfer", R"({"from_id":"hall","to_id":"hero","item_id":"lamp"})", "b")});
    EXPECT_EQ(game.failures(), "");
    EXPECT_EQ(game.at("campaign.areas.hall.items.lamp.count"), "1");
}

// proves: X-20
TEST(Tools, DiceFollowFromTheSeedAndTheTurn) {
    Game game;
    game.tries({call_of("roll", R"({"dice":"2d6+3","purpose":"跳","difficulty":5})")});
    const Value first = game.result();
    const auto total = table::int_in(&first, "total");
    ASSERT_TRUE(total.has_value());
    EXPECT_GE(*total, 5);
    EXPECT_LE(*total, 15);
    EXPECT_EQ(*value::find_member(&first, "is_success"), Value(true));
    // Asking again in the same turn throws the same dice.
    game.tries({call_of("roll", R"({"dice":"2d6+3","purpose":"跳","difficulty":5})")});
    EXPECT_EQ(game.result(), first);
    // The next turn throws others, sooner or later.
    bool differs = false;
    for (int turn = 0; turn < 8 && !differs; ++turn) {
        game.plays({call_of("roll", R"({"dice":"2d6+3","purpose":"跳","difficulty":5})")});
        differs = table::int_in(&*game.attempt.outcome.verdicts[0].value, "total") != total;
    }
    EXPECT_TRUE(differs);
}

TEST(Tools, PoolsAreThrownAgainstTheDifficultyOfTheSave) {
    Game game("{}", R"({"stat_data":{"检定难度":[2,"预计的难度"]},
                        "play_character_data":{"属性段":{"生理属性":{"敏捷":[5,"x"]}}}})");
    game.tries({call_of("roll", R"({"pool":"力量;白刃","purpose":"砍"})")});
    const Value result = game.result();
    EXPECT_EQ(value::find_member(&result, "rolls")->as_array().size(), 7U);
    EXPECT_EQ(table::int_in(&result, "difficulty"), 2);
    std::int64_t successes = 0;
    for (const Value& die : value::find_member(&result, "rolls")->as_array()) {
        successes += die.as_int() >= 8 ? 1 : 0;
    }
    EXPECT_EQ(table::int_in(&result, "successes"), successes);
    EXPECT_EQ(*value::find_member(&result, "is_success"), Value(successes >= 2));
    game.tries({call_of("roll", R"({"pool":"力量:2;敏捷","purpose":"x"})")});
    EXPECT_EQ(
        value::find_member(&*game.attempt.outcome.verdicts[0].value, "rolls")->as_array().size(),
        7U);
    game.tries({call_of("roll", R"({"pool":"魅力","purpose":"x"})", "a"),
                call_of("roll", R"({"pool":"","purpose":"x"})", "b"),
                call_of("roll", R"({"pool":"力量","dice":"d6","purpose":"x"})", "c"),
                call_of("roll", R"({"dice":"0d6","purpose":"x"})", "d"),
                call_of("roll", R"({"dice":"999999999999d6","purpose":"x"})", "e"),
                call_of("roll", R"({"dice":"2d6+","purpose":"x"})", "f"),
                call_of("roll", R"({"dice":"5","purpose":"x"})", "g"),
                call_of("roll", R"({"dice":"d1001","purpose":"x"})", "h"),
                call_of("roll", R"({"dice":"201d2","purpose":"x"})", "i")});
    EXPECT_EQ(game.failures(),
              "unknown_attribute bad_pool dice_or_pool bad_dice bad_dice bad_dice bad_dice "
              "bad_dice bad_dice");
}

// proves: S0-95
TEST(Tools, TimeAndTimelineAreWrittenTogether) {
    Game game("{}", R"({"时间":{"当前":"2024年3月1日 08:00","时间轴":[]}})");
    game.plays({call_of("time_advance", R"({"days":2,"event":"赶路"})", "a", "去港口")});
    EXPECT_EQ(game.failures(), "");
    EXPECT_EQ(game.at("时间.当前"), "\"2024年3月3日 08:00\"");
    EXPECT_EQ(game.at("时间.时间轴"),
              R"([{"时间":"2024年3月3日 08:00","事件":"赶路","原因":"去港口"}])");
    game.tries({call_of("time_advance", R"({"to":"2024年3月2日 08:00","event":"x"})", "a"),
                call_of("time_advance", R"({"event":"x"})", "b"),
                call_of("time_advance", R"({"to":"2024年3月4日","days":1,"event":"x"})", "c")});
    EXPECT_EQ(game.failures(), "time_backwards to_or_days to_or_days");
    // A clock that is no calendar's still has a `to`, and gets its timeline.
    Game free;
    free.tries({call_of("time_advance", R"({"to":"雾起之后","event":"x"})")});
    EXPECT_EQ(free.at("时间.当前"), "\"雾起之后\"");
    EXPECT_EQ(free.at("时间.时间轴[0].时间"), "\"雾起之后\"");
    free.state = free.attempt.candidate();
    free.tries({call_of("time_advance", R"({"days":1,"event":"x"})")});
    EXPECT_EQ(free.failures(), "date_unreadable");
}

}  // namespace
}  // namespace arbiter
