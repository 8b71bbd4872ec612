// Goal: what a campaign keeps survives being written down and read again, under the names of the
// specification; what the player may not see is not shown; a tool that cannot be explained cannot
// be registered.
#include "table/player_view.h"
#include "table/summary.h"
#include "table/template.h"
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

// proves: X-10, S1-19
TEST(Summary, ASectionIsTextPinsAndFacts) {
    const auto args = table::summary_args(
        "他们进了城。\n\n雾更浓了。\n勿忘：师父未死\npin: the oath\n事实：灯塔 = 熄灭\nFact: 人数 "
        "= 3\n事实：没有等号");
    ASSERT_TRUE(args.has_value());
    EXPECT_EQ(
        value::print_json(*args),
        R"({"text":"他们进了城。\n雾更浓了。\n事实：没有等号","pins":["师父未死","the oath"],)"
        R"("facts":{"灯塔":"熄灭","人数":3}})");
    EXPECT_FALSE(table::summary_args(" \n\t\n").has_value());
    EXPECT_FALSE(table::summary_args("pin: only a pin").has_value());
    const std::string endless(1 << 20, 'x');
    const auto cut = table::summary_args(endless);
    ASSERT_TRUE(cut.has_value());
    EXPECT_LE(cut->find("text")->as_string().size(), base::kToolTextBytesMax);
}

// proves: X-10: the lists of the memory dialect and the campaign's own entries are one SummaryState
TEST(Summary, TheViewJoinsMemoriesAndEntries) {
    Game game;
    auto document = value::set(
        game.state.document, {"assa_data"},
        json(R"({"summary":{"big":{"誓言":{"text":"不可背弃","_is_protected":true},"旧事":"已过"},
                 "small":{"今日":["下雨","天气"]},"facts":{"城":"已陷"},"pins":["王已死"]}})"),
        value::Parents::kCreate);
    document = value::set(*document, table::campaign_path({"summary"}),
                          json(R"({"entries":[{"text":"入城"},{"text":"师父未死","pinned":true}],
                                   "facts_json":{"灯塔":"熄灭"},"version":2,"covers":0})"));
    EXPECT_EQ(table::summary_view({*document, {}}),
              json(R"({"summary_text":"入城\n旧事: 已过\n今日: 下雨",
                       "facts_json":{"灯塔":"熄灭","城":"已陷"},
                       "pins":["师父未死","誓言: 不可背弃","王已死"]})"));
    EXPECT_EQ(table::summary_view({Object(), {}}),
              json(R"({"summary_text":"","facts_json":{},"pins":[]})"));
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
    EXPECT_EQ(fails(R"({"party":["ghost"]})"), "bad_field");
    EXPECT_EQ(fails(R"({"party":["hero","hero"]})"), "bad_field");
    EXPECT_EQ(fails(R"({"party":["hero"],"active_actor":"mage"})"), "not_in_party");
    EXPECT_EQ(fails(R"({"tools":["fly"]})"), "bad_field");
    EXPECT_EQ(fails(R"({"settings":{"turn.max_retries":9}})"), "bad_field");
    EXPECT_EQ(fails(R"({"authority":[{"path":"a","tool":"fly"}]})"), "authority_row");
    EXPECT_EQ(fails(R"({"characters":{"hero":{"name":"a","hp":{"max":1},"area_id":"moon"}}})"),
              "bad_field");
    EXPECT_EQ(fails(R"({"map":{"areas":{"a":{"name":"a"}},"paths":{"p":{"from":"a","to":"b"}}}})"),
              "bad_field");
    EXPECT_EQ(fails(R"({"map":{"areas":{"a":{"name":"a","lock":{"unlock_when":"1 +"}}}}})"),
              "formula_end");
    EXPECT_EQ(fails(R"({"map":{"areas":{"a":{}}}})"), "missing_key");
    // Every mistake has the path at which it was made, and what would have worked.
    const auto says = [](std::string_view changes) {
        Object written = json(tests::kWritten).as_object();
        const value::Value changed = json(changes);
        for (const auto& [key, member] : changed.as_object()) {
            written = std::move(written).set(key, member);
        }
        std::string all;
        for (const value::Diagnostic& each :
             table::check_template(written, *table::shipped_registries(), {})) {
            all += value::print_path(each.path, value::PathSyntax::kDotted) + ": " +
                   base::explain(each.error, base::Language::kEnglish) + "\n";
        }
        return all;
    };
    EXPECT_EQ(says("{}"), "");
    EXPECT_EQ(says(R"({"goal":{"ultimate_goal_text":"x","is_hiden":true}})"),
              "goal.is_hiden: There is no key is_hiden here. Did you mean is_hidden?\n");
    EXPECT_EQ(says(R"({"characters":{"hero":{"name":"a","hp":{"current":20,"max":12},
                       "attributes":{"strength":"strong"},"backgroud":"b"}},"party":["hero"]})"),
              "characters.hero.hp.current: current takes 0 – 12, not 20.\n"
              "characters.hero.attributes.strength: strength takes a number, not \"strong\".\n"
              "characters.hero.backgroud: There is no key backgroud here. Did you mean "
              "background?\n");
    EXPECT_EQ(says(R"({"map":{"areas":{"a":{"name":"a"},"hall":{"name":"b"}},"paths":{"p":
                       {"from":"a","to":"hal","lokc":true}}},"characters":{},"party":[],"active_actor":""})"),
              "map.paths.p.to: to takes the id of an area, not \"hal\". Did you mean hall?\n"
              "map.paths.p.lokc: There is no key lokc here. Did you mean lock?\n");
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
                EXPECT_NE(text->find(tool.name), std::string::npos);
                for (const table::Parameter& parameter : tool.parameters) {
                    EXPECT_NE(text->find(parameter.name), std::string::npos);
                }
            }
            // Reasons come back to the model when they apply; people may look them up.
            for (const table::Reason& reason : tool.reasons) {
                EXPECT_NE(people.find("`" + reason.id + "`"), std::string::npos);
                EXPECT_EQ(agents.find(reason.id), std::string::npos);
            }
        }
    }
    EXPECT_EQ(names,
              "move hp_delta map_generate character_generate item_transfer roll time_advance "
              "summarize ");
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
        (void)table::summary_view(game.state);
        (void)table::goal_request(game.state.document, Language::kChinese);
        (void)for_player(game.state.document);
        (void)table::turn_block(game.state.document);
    }
}

}  // namespace
}  // namespace arbiter
