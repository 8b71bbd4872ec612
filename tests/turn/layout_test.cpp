// Goal: what a campaign keeps survives being written down and read again, under the names of the
// specification; what the player may not see is not shown; a tool that cannot be explained cannot
// be registered.
#include "table/player_view.h"
#include "tests/turn/game.h"

namespace arbiter {
namespace {

using base::ErrorCode;
using base::Language;
using tests::call_of;
using tests::command;
using tests::Game;
using tests::json;
using value::Array;
using value::Object;
using value::Value;

Value stored(const Value& value) {
    return value::parse_json(value::print_json(value)).value();
}

Value for_player(const Value& document) {
    return table::Redactor(document).value(document).get();
}

// proves: S1-6, S1-7, S1-11, S1-12, S1-14, S1-72
TEST(Layout, ACampaignSurvivesARoundTripUnderItsOwnNames) {
    Game game(R"({"goal":{"ultimate_goal_text":"找到灯塔","is_hidden":true},
                  "settings":{"turn.max_retries":1}})");
    game.state.document = table::with_route_decision(game.state.document, {"action", "", "", {}});
    game.state.document =
        table::with_checkpoint(game.state.document, {"turn_0001", "t", "开场", "sha:1"}, 3);
    game.state.document = table::with_rollback(game.state.document, "turn_0002", "turn_0001");
    game.plays({});
    const Value view = table::campaign_view(game.state.document);
    for (const char* path : {"campaign_id",
                             "title",
                             "created_at",
                             "updated_at",
                             "selected.world_id",
                             "selected.map_id",
                             "selected.party_character_ids",
                             "selected.active_actor_id",
                             "goal.ultimate_goal_text",
                             "goal.is_hidden",
                             "milestone.value",
                             "milestone.last_advanced_at_turn",
                             "milestone.advance_policy.type",
                             "settings_snapshot[\"turn.max_retries\"]",
                             "state_refs.world_state_id",
                             "state_refs.map_state_id",
                             "state_refs.summary_state_id",
                             "dialog.dialog_type_selected",
                             "dialog.future_route_decision.guards",
                             "checkpoints[0].turn_id",
                             "checkpoints[0].timestamp",
                             "checkpoints[0].label",
                             "checkpoints[0].state_snapshot_ref",
                             "rollback_pending.is_pending",
                             "rollback_pending.from_turn_id",
                             "rollback_pending.to_turn_id",
                             "rollback_pending.can_undo"}) {
        EXPECT_NE(Game::in(view, path), "-") << path;
    }
    EXPECT_EQ(Game::in(view, "selected.party_character_ids"), R"(["hero","mage"])");
    const auto loaded = table::with_campaign(Object(), stored(view));
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(table::campaign_view(*loaded), view);
    // A title is optional, an id is not.
    EXPECT_TRUE(table::with_campaign(Object(), view.as_object().erase("title")).has_value());
    EXPECT_FALSE(table::with_campaign(Object(), view.as_object().erase("campaign_id")).has_value());
    EXPECT_FALSE(table::with_campaign(Object(), view.as_object().set("selected", 3)).has_value());
    EXPECT_TRUE(table::campaign_view(Object()).is_null());
}

// proves: S1-20, S1-22, S1-23, S1-24, S1-25
TEST(Layout, ACharacterSurvivesARoundTripWithAllItsFields) {
    Game game;
    const Value* kept = table::find_character(game.state.document, "hero");
    auto card = table::character_from("hero", stored(*kept));
    ASSERT_TRUE(card.has_value());
    EXPECT_EQ(table::to_value(*card), *kept);
    EXPECT_EQ(card->character_id, "hero");
    EXPECT_EQ(card->title, "剑客");
    EXPECT_EQ(card->job, "剑士");
    EXPECT_EQ(card->race, "人类");
    ASSERT_EQ(card->skills.size(), 2U);
    EXPECT_EQ(card->skills[0].level, 3);
    EXPECT_FALSE(card->skills[1].level.has_value());
    EXPECT_EQ(table::int_in(kept, "portrait"), std::nullopt);
    EXPECT_EQ(table::text_in(kept, "portrait"), "a.png");
    // Attributes are open for more.
    EXPECT_EQ(card->attributes.find("力量")->as_int(), 4);
    EXPECT_EQ(card->flags, std::vector<std::string>{"lucky"});
    card->alive_state = "石化";
    EXPECT_EQ(table::character_from("hero", table::to_value(*card))->alive_state, "石化");
    for (const char* broken :
         {"3", "{}", R"({"name":"a"})", R"({"name":"a","hp":{"current":5,"max":4}})",
          R"({"name":"a","hp":{"current":-1,"max":4}})", R"({"name":"a","hp":{"max":1.5}})",
          R"({"name":3,"hp":{"max":1}})", R"({"name":"a","hp":{"max":1},"skills":[{"level":1}]})",
          R"({"name":"a","hp":{"max":1},"attributes":[]})",
          R"({"name":"a","hp":{"max":1},"status":{"alive_state":3}})",
          R"({"name":"a","hp":{"max":1},"status":{"flags":"x"}})"}) {
        EXPECT_FALSE(table::character_from("x", json(broken)).has_value()) << broken;
    }
}

// proves: X-10
TEST(Layout, ASummaryIsRenderedFromItsEntriesAndPinsStay) {
    Game game;
    const Value summary = json(
        R"({"summary_text":"他们进了城。\n\n雾更浓了。","facts_json":{"灯塔":"熄灭"},"pins":["师父未死"]})");
    const auto kept = table::with_summary(game.state.document, summary);
    ASSERT_TRUE(kept.has_value());
    EXPECT_EQ(table::summary_view(stored(*kept)), summary);
    EXPECT_EQ(table::summary_version(*kept), 4);
    EXPECT_EQ(Game::in(*kept, "campaign.summary.entries[0]"),
              R"({"text":"师父未死","_is_protected":true})");
    for (const char* broken : {R"({})", R"({"summary_text":"","facts_json":{},"pins":[1]})",
                               R"({"summary_text":"","facts_json":3,"pins":[]})"}) {
        EXPECT_FALSE(table::with_summary(game.state.document, json(broken)).has_value());
    }
}

// proves: S1-15, S1-16, A1-16
TEST(Layout, ATurnLogSurvivesARoundTrip) {
    Game game;
    game.plays({call_of("roll", R"({"dice":"d6","purpose":"x"})")});
    table::TurnLog log;
    log.turn_id = table::turn_name(table::turn_number(game.state.document));
    log.actor_id = table::active_actor(game.state.document);
    log.user_input = "我掷骰";
    log.assistant_output_text = "骰子落下。";
    log.assistant_structured = json(R"({"tool_calls":[{"tool":"roll","args":{},"id":"a"}]})");
    log.applied_actions = Array{game.about(0)};
    log.timestamp = "1970-01-01T00:00:02.000Z";
    log.settings_revision = game.attempt.settings_revision;
    log.retries = 1;
    const Value kept = table::to_value(log);
    const auto read = table::turn_log_from(stored(kept));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(table::to_value(*read), kept);
    EXPECT_EQ(log.turn_id, "turn_0001");
    EXPECT_EQ(table::turn_name(12345), "turn_12345");
    EXPECT_EQ(Game::in(kept, "applied_actions[0].tool"), "\"roll\"");
    EXPECT_EQ(Game::in(kept, "assistant_structured.tool_calls[0].tool"), "\"roll\"");
    EXPECT_FALSE(table::turn_log_from(kept.as_object().erase("turn_id")).has_value());
    EXPECT_FALSE(table::turn_log_from(kept.as_object().set("applied_actions", 3)).has_value());
}

// proves: S1-73, A1-13
TEST(Layout, CheckpointsObeyTheirNumberAndARollbackCanBeUndoneUntilTheNextTurn) {
    Game game;
    for (int i = 1; i <= 4; ++i) {
        game.state.document = table::with_checkpoint(
            game.state.document, {table::turn_name(i), "t", std::nullopt, "r"}, 2);
    }
    EXPECT_EQ(Game::in(game.state.document, "campaign.checkpoints[0].turn_id"), "\"turn_0003\"");
    EXPECT_EQ(table::find_in_campaign(game.state.document, {"checkpoints"})->as_array().size(), 2U);
    const Value off =
        table::with_checkpoint(game.state.document, {"turn_0005", "t", std::nullopt, "r"}, 0);
    EXPECT_TRUE(table::find_in_campaign(off, {"checkpoints"})->as_array().empty());
    game.state.document = table::with_rollback(game.state.document, "turn_0004", "turn_0002");
    EXPECT_TRUE(table::can_undo(game.state.document));
    game.tries({});
    EXPECT_TRUE(table::can_undo(game.attempt.candidate().document));
    game.accept();
    EXPECT_FALSE(table::can_undo(game.state.document));
    EXPECT_EQ(Game::in(game.state.document, "campaign.rollback_pending.is_pending"), "false");
}

// proves: S1-9, S1-66
TEST(Goal, IsAskedFromWorldMapAndCharactersAndSetOnce) {
    Game game;
    for (const Language language : {Language::kChinese, Language::kEnglish}) {
        const std::string asked = table::goal_request(game.state.document, language);
        for (const char* part : {"一座被雾封住的港城", "大厅", "gate ↔ hall", "寻找失踪的师父"}) {
            EXPECT_NE(asked.find(part), std::string::npos) << part;
        }
    }
    const auto set = table::set_goal(game.state.document, "点亮灯塔", true);
    ASSERT_TRUE(set.has_value());
    game.state.document = *set;
    const auto again = table::set_goal(game.state.document, "别的", false);
    ASSERT_FALSE(again.has_value());
    EXPECT_EQ(again.error().code, ErrorCode::kGoalFixed);
    EXPECT_FALSE(table::set_goal(Object(), "x", false).has_value());
    for (const auto actor : {engine::Actor::kModel, engine::Actor::kPlayer}) {
        for (const char* path : {"campaign.goal.ultimate_goal_text", "campaign.goal"}) {
            game.tries({command(proposal::Op::kSet, path, "别的"),
                        command(proposal::Op::kDelete, path, {})},
                       actor);
            EXPECT_EQ(game.at("campaign.goal.ultimate_goal_text"), "\"点亮灯塔\"") << path;
        }
    }
}

// proves: S1-10
TEST(Goal, AHiddenGoalIsNotShownToThePlayer) {
    Game hidden(R"({"goal":{"ultimate_goal_text":"点亮灯塔","is_hidden":true}})");
    const std::string shown = value::print_json(for_player(hidden.state.document));
    EXPECT_EQ(shown.find("点亮灯塔"), std::string::npos);
    EXPECT_NE(value::print_json(hidden.state.document).find("点亮灯塔"), std::string::npos);
    // Nor where a command copied it to.
    auto copy = command(proposal::Op::kCopy, "notes.last", {});
    auto& what = std::get<proposal::Instruction>(copy.what);
    what.value.reset();
    what.from = table::campaign_path({"goal", "ultimate_goal_text"});
    hidden.tries(
        {command(proposal::Op::kSet, "notes", json(R"({"list":["点亮灯塔吧",1]})")), copy});
    EXPECT_EQ(hidden.at("notes.last"), "\"点亮灯塔\"");
    EXPECT_EQ(Game::in(for_player(hidden.attempt.candidate().document), "notes"),
              R"({"list":["……吧",1],"last":"……"})");
    EXPECT_EQ(table::Redactor(hidden.state.document).text("目标是点亮灯塔，点亮灯塔！").str(),
              "目标是……，……！");
    Game open(R"({"goal":{"ultimate_goal_text":"点亮灯塔","is_hidden":false}})");
    EXPECT_EQ(for_player(open.state.document), open.state.document);
    EXPECT_EQ(table::Redactor(open.state.document).text("点亮灯塔").str(), "点亮灯塔");
}

// proves: S1-13
TEST(Campaigns, ShareACharacterWithoutSharingItsFate) {
    Game first;
    Game second(R"({"id":"c2"})");
    first.plays({call_of("hp_delta", R"({"target_character_id":"hero","delta":-4,"cause":"x"})")});
    EXPECT_EQ(Game::in(first.state.document, "campaign.characters.hero.hp.current"), "6");
    EXPECT_EQ(Game::in(second.state.document, "campaign.characters.hero.hp.current"), "10");
}

TEST(Campaigns, WhatIsWrittenIsCheckedWhole) {
    const auto fails = [](std::string_view changes) {
        Object written = json(tests::kWritten).as_object();
        // Named, for g++ 12 lets go of a temporary before the first round.
        const value::Value changed = json(changes);
        for (const auto& [key, member] : changed.as_object()) {
            written = std::move(written).set(key, member);
        }
        const auto begun =
            table::begin_campaign(Object(), written, *table::shipped_registries(), {}, 1);
        return begun ? std::string("begun") : std::string(base::name(begun.error().code));
    };
    EXPECT_EQ(fails("{}"), "begun");
    EXPECT_EQ(fails(R"({"id":""})"), "missing_key");
    EXPECT_EQ(fails(R"({"charakters":{}})"), "misspelled_key");
    EXPECT_EQ(fails(R"({"weather":{}})"), "unknown_key");
    EXPECT_EQ(fails(R"({"seed":"x"})"), "bad_field");
    EXPECT_EQ(fails(R"({"party":["ghost"]})"), "not_found");
    EXPECT_EQ(fails(R"({"party":["hero","hero"]})"), "not_found");
    EXPECT_EQ(fails(R"({"party":["hero"],"active_actor":"mage"})"), "not_in_party");
    EXPECT_EQ(fails(R"({"tools":["fly"]})"), "unknown_key");
    EXPECT_EQ(fails(R"({"settings":{"turn.max_retries":9}})"), "bad_field");
    EXPECT_EQ(fails(R"({"authority":[{"path":"a","tool":"fly"}]})"), "authority_row");
    EXPECT_EQ(fails(R"({"characters":{"hero":{"name":"a","hp":{"max":1},"area_id":"moon"}}})"),
              "not_found");
    EXPECT_EQ(fails(R"({"map":{"areas":{"a":{"name":"a"}},"paths":{"p":{"from":"a","to":"b"}}}})"),
              "map_broken");
    EXPECT_EQ(fails(R"({"map":{"areas":{"a":{"name":"a","lock":{"unlock_when":"1 +"}}}}})"),
              "map_broken");
    EXPECT_EQ(fails(R"({"map":{"areas":{"a":{}}}})"), "map_broken");
    // A campaign is not begun over another one, nor on what is no document.
    Game game;
    EXPECT_FALSE(
        table::begin_campaign(game.state.document, json(tests::kWritten), *game.registries, {}, 1)
            .has_value());
    EXPECT_FALSE(table::begin_campaign(Array(), json(tests::kWritten), *game.registries, {}, 1));
}

TEST(Campaigns, TheJoiningAndLeavingOfThePartyIsThePlayers) {
    Game game;
    game.plays({call_of("character_generate", R"({"name":"老船夫"})")});
    game.does(table::join_party(game.state.document, "char_003", 1));
    EXPECT_EQ(table::party(game.state.document).size(), 3U);
    game.does(table::leave_party(game.state.document, "mage", 1));
    EXPECT_EQ(Game::in(game.state.document, "campaign.selected.party_character_ids"),
              R"(["hero","char_003"])");
    // The active actor cannot leave.
    EXPECT_FALSE(table::leave_party(game.state.document, "hero", 1).has_value());
    EXPECT_FALSE(table::join_party(game.state.document, "ghost", 1).has_value());
    game.does(table::end_campaign(game.state.document, "goal_achieved", 1));
    EXPECT_EQ(table::turn_block(game.state.document)->reason, "campaign_ended");
    EXPECT_EQ(table::select_actor(Object(), "hero", 1).error().code, ErrorCode::kNotInParty);
    EXPECT_EQ(table::end_campaign(Object(), "x", 1).error().code, ErrorCode::kNoCampaign);
}

// proves: S1-77, S1-78, S1-79, S1-80
TEST(Registry, ARegistrationThatLacksAnythingIsRefused) {
    const table::Tool whole = *table::shipped_registries()->tools.find("move");
    const auto lacks = [&](auto change) {
        table::ToolRegistry registry;
        table::Tool tool = whole;
        change(tool);
        const auto added = registry.add(std::move(tool));
        return added ? std::string("added") : added.error().arguments[1];
    };
    EXPECT_EQ(lacks([](auto&) {}), "added");
    EXPECT_EQ(lacks([](auto& t) { t.name = ""; }), "name");
    EXPECT_EQ(lacks([](auto& t) { t.parameters.clear(); }), "args schema");
    EXPECT_EQ(lacks([](auto& t) { t.parameters[0].about.chinese = ""; }), "args schema: actor_id");
    EXPECT_EQ(lacks([](auto& t) { t.parameters.push_back(t.parameters[0]); }),
              "args schema: actor_id");
    EXPECT_EQ(lacks([](auto& t) { t.reasons.clear(); }), "rejection reasons");
    EXPECT_EQ(lacks([](auto& t) { t.reasons[1].text.english = ""; }),
              "rejection reasons: unknown_character");
    EXPECT_EQ(lacks([](auto& t) { t.conditions.clear(); }), "conditions");
    EXPECT_EQ(lacks([](auto& t) { t.conditions[1].reason = "mood"; }), "conditions: mood");
    EXPECT_EQ(lacks([](auto& t) { t.effect = nullptr; }), "effect");
    EXPECT_EQ(lacks([](auto& t) { t.check = nullptr; }), "conflict check");
    EXPECT_EQ(lacks([](auto& t) { t.for_agents.english = ""; }), "text for agents");
    EXPECT_EQ(lacks([](auto& t) { t.for_people.chinese = ""; }), "text for people");
    table::ToolRegistry registry = table::shipped_registries()->tools;
    EXPECT_EQ(registry.add(whole).error().code, ErrorCode::kToolTwice);
}

// proves: S1-80, S1-45
TEST(Registry, BothDocumentsNameEveryToolArgumentAndReason) {
    const table::ToolRegistry& registry = table::shipped_registries()->tools;
    std::string names;
    for (const Language language : {Language::kChinese, Language::kEnglish}) {
        const std::string agents = table::agent_document(registry, language);
        const std::string people = table::people_document(registry, language);
        names.clear();
        for (const table::Tool& tool : registry.all()) {
            names += tool.name + " ";
            for (const std::string* text : {&agents, &people}) {
                EXPECT_NE(text->find("## " + tool.name + "\n"), std::string::npos);
                for (const table::Parameter& parameter : tool.parameters) {
                    EXPECT_NE(text->find(parameter.name), std::string::npos);
                }
                for (const table::Reason& reason : tool.reasons) {
                    EXPECT_NE(text->find(reason.id), std::string::npos);
                }
            }
        }
    }
    EXPECT_EQ(names,
              "move hp_delta map_generate character_generate item_transfer roll time_advance ");
    Game game(R"({"tools":["move"]})");
    const auto advertised = table::advertised(game.registries->tools, game.state.document);
    ASSERT_EQ(advertised.size(), 1U);
    const table::ToolSchema schema = table::schema_of(*advertised[0], Language::kEnglish);
    EXPECT_EQ(schema.name, "move");
    EXPECT_EQ(Game::in(schema.parameters, "required"), R"(["actor_id","to_area_id"])");
}

// Untrusted documents of any shape can be judged.
TEST(Layout, AnyDocumentCanBeJudged) {
    for (const char* document :
         {"{}", R"({"campaign":3})", R"({"campaign":{}})",
          R"({"campaign":{"characters":[1],"areas":"x","selected":{"party_character_ids":[3,null]},
              "tools":{"allow":["move","hp_delta","roll","item_transfer","time_advance",3]},
              "settings":{"values":{"turn.max_retries":"x"}},"turn":-5,"ended":false}})",
          R"({"campaign":{"characters":{"hero":{"hp":{"current":-9223372036854775808,
              "max":9223372036854775807},"status":3}},"turn":9223372036854775807,
              "milestone":{"value":"x","tokens":9223372036854775807},
              "tools":{"allow":["move","hp_delta"]}}})"}) {
        Game game;
        game.state.document = json(document);
        game.reset();
        game.plays(
            {call_of("move", R"({"actor_id":"hero","to_area_id":"hall"})", "a"),
             call_of("hp_delta", R"({"target_character_id":"hero","delta":5,"cause":"x"})", "b"),
             call_of("roll", R"({"pool":"力量","purpose":"x"})", "c"),
             command(proposal::Op::kSet, "campaign.characters.hero.hp.current", 3)},
            9'000'000'000'000'000'000);
        EXPECT_EQ(game.attempt.outcome.verdicts.size(), 4U);
        (void)table::campaign_view(game.state.document);
        (void)table::goal_request(game.state.document, Language::kChinese);
        (void)for_player(game.state.document);
        (void)table::turn_block(game.state.document);
    }
}

}  // namespace
}  // namespace arbiter
