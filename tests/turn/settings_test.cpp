// Goal: settings, dialog types and milestones take what they define and nothing else.
#include "table/settings_shipped.h"
#include "tests/turn/game.h"

namespace arbiter {
namespace {

using base::ErrorCode;
using table::SettingDefinition;
using table::SettingType;
using tests::call_of;
using tests::Game;
using tests::json;
using value::Object;
using value::Value;

SettingDefinition number(std::string key) {
    SettingDefinition made;
    made.key = std::move(key);
    made.type = SettingType::kInt;
    made.fallback = std::int64_t{1};
    made.validation.words = {"small", "小"};
    made.validation.min = 0;
    made.validation.max = 5;
    made.ui_hint = {"Number", "数字"};
    made.effect_tags = {"rules"};
    return made;
}

// proves: S1-26, S1-27
TEST(Settings, DefinitionsThatLackAnythingAreRefused) {
    table::SettingsRegistry registry;
    const auto fails = [&](auto change) {
        SettingDefinition made = number("x");
        change(made);
        const auto added = registry.add(std::move(made));
        return added ? std::string("added") : added.error().arguments[1];
    };
    EXPECT_EQ(fails([](auto& d) { d.key = ""; }), "key");
    EXPECT_EQ(fails([](auto& d) { d.validation.words.chinese = ""; }), "validation");
    EXPECT_EQ(fails([](auto& d) { d.validation.min.reset(); }), "validation.min, validation.max");
    EXPECT_EQ(fails([](auto& d) { d.ui_hint.english = ""; }), "ui_hint");
    EXPECT_EQ(fails([](auto& d) { d.effect_tags = {"weather"}; }), "effect_tags");
    EXPECT_EQ(fails([](auto& d) { d.effect_tags = {}; }), "effect_tags");
    EXPECT_EQ(fails([](auto& d) { d.fallback = std::int64_t{6}; }), "default");
    EXPECT_EQ(fails([](auto& d) { d.type = SettingType::kEnum; }), "validation.allowed");
    EXPECT_EQ(fails([](auto& d) {
                  d.type = SettingType::kString;
                  d.validation.pattern = "(";
              }),
              "validation.pattern");
    EXPECT_TRUE(registry.all().empty());
    EXPECT_EQ(fails([](auto&) {}), "added");
    EXPECT_EQ(registry.add(number("x")).error().code, ErrorCode::kSettingTwice);
}

// proves: S1-32, S1-58, A1-13
TEST(Settings, TheKeysOfTheFirstVersionAreThere) {
    const table::SettingsRegistry& registry = table::shipped_registries()->settings;
    const auto is = [&](std::string_view key, SettingType type, std::string_view fallback) {
        const SettingDefinition* found = registry.find(key);
        return found != nullptr && found->type == type &&
               value::print_json(found->fallback) == fallback;
    };
    EXPECT_TRUE(is("context.full_context_enabled", SettingType::kBool, "true"));
    EXPECT_TRUE(is("context.compress_enabled", SettingType::kBool, "false"));
    EXPECT_TRUE(is("rules.hp_zero_ends_game", SettingType::kBool, "true"));
    EXPECT_TRUE(is("rollback.max_checkpoints", SettingType::kInt, "10"));
    EXPECT_EQ(registry.find("rollback.max_checkpoints")->validation.max, 10);
    EXPECT_TRUE(is("dialog.manual_type", SettingType::kEnum, "\"scene\""));
    EXPECT_EQ(registry.find("dialog.manual_type")->validation.allowed,
              (std::vector<std::string>{"scene", "action", "rules", "free_chat"}));
    EXPECT_TRUE(is("conflict.intercept_output", SettingType::kBool, "true"));
    EXPECT_TRUE(is("conflict.retry_with_debug", SettingType::kBool, "true"));
    EXPECT_TRUE(is("turn.max_retries", SettingType::kInt, "2"));
    EXPECT_EQ(registry.find("turn.max_retries")->validation.max, 5);
    EXPECT_TRUE(is("turn.feedback_mode", SettingType::kEnum, "\"retry\""));
    EXPECT_EQ(registry.to_value().as_array().size(), registry.all().size());
}

// proves: S1-28, S1-34
TEST(Settings, APatchIsAppliedWhollyOrNotAtAll) {
    const table::SettingsRegistry& registry = table::shipped_registries()->settings;
    const Object values = {{"turn.max_retries", 1}};
    const auto fails = [&](std::string_view patch) {
        const auto patched = registry.patch(values, json(patch).as_object());
        return patched ? std::string("patched")
                       : std::string(base::name(patched.error().code)) + " " +
                             patched.error().arguments[0];
    };
    EXPECT_EQ(fails(R"({"turn.max_retries":3,"rollback.max_checkpoints":11})"),
              "bad_field rollback.max_checkpoints");
    EXPECT_EQ(fails(R"({"turn.max_retries":"3"})"), "bad_field turn.max_retries");
    EXPECT_EQ(fails(R"({"rules.hp_zero_ends_game":1})"), "bad_field rules.hp_zero_ends_game");
    EXPECT_EQ(fails(R"({"dialog.manual_type":"song"})"), "bad_field dialog.manual_type");
    EXPECT_EQ(fails(R"({"ui.language":"fr"})"), "bad_field ui.language");
    EXPECT_EQ(fails(R"({"context.block_limits":3})"), "bad_field context.block_limits");
    EXPECT_EQ(fails(R"({"turn.max_retrys":3})"), "misspelled_key turn.max_retrys");
    EXPECT_EQ(fails(R"({"weather":3})"), "unknown_key weather");
    EXPECT_EQ(fails(R"({"turn.max_retries":5})"), "patched");
    // In a campaign the old value stays, and so does the revision.
    Game game;
    const auto patched =
        table::patch_settings(game.state, json(R"({"turn.max_retries":4,"nope":1})").as_object(),
                              *game.registries, game.globals, 1);
    EXPECT_FALSE(patched.has_value());
    EXPECT_EQ(Game::in(game.state.document, "campaign.settings"), R"({"revision":1,"values":{}})");
}

// proves: S1-33, A1-1
TEST(Settings, FullAndCompressedContextExcludeEachOther) {
    const table::SettingsRegistry& registry = table::shipped_registries()->settings;
    const auto both = registry.patch({}, Object{{"context.compress_enabled", true}});
    ASSERT_FALSE(both.has_value());
    EXPECT_EQ(both.error().code, ErrorCode::kSettingsExclude);
    const Object on = registry.switch_on("context.compress_enabled");
    EXPECT_TRUE(registry.patch({}, on).has_value());
    EXPECT_TRUE(registry
                    .patch({}, Object{{"context.compress_enabled", false},
                                      {"context.full_context_enabled", false}})
                    .has_value());
    // An old save has both: compress wins, and that is told.
    const auto old = registry.effective(
        Object{{"context.compress_enabled", true}, {"context.full_context_enabled", true}}, {});
    EXPECT_TRUE(table::is_on(old.values, "context.compress_enabled"));
    EXPECT_FALSE(table::is_on(old.values, "context.full_context_enabled"));
    EXPECT_EQ(old.passed_over, std::vector<std::string>{"context.full_context_enabled"});
}

// proves: S1-29, S1-30, S1-31, S1-35, S1-6
TEST(Settings, EachTurnReadsTheNewestSnapshotAndSaysWhichItWas) {
    Game game;
    EXPECT_EQ(table::number_in(game.settings(), "turn.max_retries"), 2);
    // A global setting holds for campaigns that have not set it.
    game.globals = Object{{"turn.max_retries", 4}};
    game.reset();
    EXPECT_EQ(table::number_in(game.settings(), "turn.max_retries"), 4);
    // A turn in flight keeps what it took at its start.
    const Object snapshot = game.settings();
    const std::string created = Game::in(game.state.document, "campaign.updated_at");
    game.sets(R"({"turn.max_retries":1})");
    EXPECT_NE(Game::in(game.state.document, "campaign.updated_at"), created);
    EXPECT_EQ(table::number_in(snapshot, "turn.max_retries"), 4);
    game.tries({});
    EXPECT_EQ(game.attempt.settings_revision, 2);
    EXPECT_EQ(table::number_in(game.settings(), "turn.max_retries"), 1);
    const std::string before = Game::in(game.state.document, "campaign.updated_at");
    game.accept();
    EXPECT_NE(Game::in(game.state.document, "campaign.updated_at"), before);
}

// proves: S1-3, S1-40, A1-15
TEST(Dialogs, ThePlayerChoosesAndTypesCanBeAdded) {
    Game game;
    const auto chosen = [&] {
        return table::chosen_dialog(game.registries->dialogs, game.settings()).id;
    };
    EXPECT_EQ(chosen(), "scene");
    const Value before = game.state.document;
    game.sets(R"({"dialog.manual_type":"rules"})");
    EXPECT_EQ(chosen(), "rules");
    EXPECT_EQ(Game::in(game.state.document, "campaign.dialog.dialog_type_selected"), "\"rules\"");
    // Nothing else changed but the settings themselves and the date.
    for (const value::Change& change : value::diff(before, game.state.document)) {
        const std::string path = value::print_path(change.path, value::PathSyntax::kDotted);
        EXPECT_TRUE(path.starts_with("campaign.settings") || path.starts_with("campaign.dialog") ||
                    path == "campaign.updated_at")
            << path;
    }
    for (const table::DialogType& type : game.registries->dialogs.all()) {
        for (const table::DialogType& other : game.registries->dialogs.all()) {
            EXPECT_TRUE(type.id == other.id ||
                        (type.instruction != other.instruction && type.prompt != other.prompt));
        }
    }
    table::DialogTypes dialogs = table::shipped_dialogs();
    EXPECT_FALSE(dialogs.add({"combat", {"Combat", "战斗"}}).has_value());
    EXPECT_FALSE(dialogs.add({"scene", {"Scene", "场景"}, {"Fight.", "打。"}}).has_value());
    ASSERT_TRUE(dialogs.add({"combat", {"Combat", "战斗"}, {"Fight.", "打。"}}).has_value());
    const table::SettingsRegistry registry = table::shipped_settings(dialogs);
    const auto patched = registry.patch({}, Object{{"dialog.manual_type", "combat"}});
    ASSERT_TRUE(patched.has_value());
    EXPECT_EQ(table::chosen_dialog(dialogs, *patched).id, "combat");
}

// A campaign's own type is in effect, and only those that there are can be chosen.
TEST(Dialogs, TypesOfACampaignCanBeChosen) {
    Game game(R"({"dialog_types":{"duel":{"title":{"en":"Duel","zh":"决斗"},
        "instruction":{"en":"One blow.","zh":"一个回合。"}}}})");
    const auto chosen = [&] {
        return table::chosen_dialog(game.state.document, game.registries->dialogs, game.settings())
            .id;
    };
    const auto setting = [&] {
        return std::string(table::word_in(game.settings(), table::kDialogSetting));
    };
    EXPECT_EQ(chosen(), "scene");
    game.sets(R"({"dialog.manual_type":"duel"})");
    EXPECT_EQ(setting(), "duel");
    EXPECT_EQ(chosen(), "duel");
    game.sets(R"({"dialog.manual_type":"rules"})");
    EXPECT_EQ(chosen(), "rules");
    // From the globals, and one that this campaign does not have.
    game.sets(R"({"dialog.manual_type":null})");
    game.globals = Object{{"dialog.manual_type", "duel"}};
    EXPECT_EQ(table::effective_settings(game.state, *game.registries, game.globals)
                  .find(table::kDialogSetting)
                  ->as_string(),
              "duel");
    const auto elsewhere = table::effective_settings({}, *game.registries, game.globals);
    EXPECT_EQ(table::word_in(elsewhere, table::kDialogSetting), "scene");
}

// proves: S1-38, S1-39
TEST(Dialogs, AStoredRouteDecisionDisturbsNothing) {
    Game game;
    const table::RouteDecision decision{"action", "duel", "compact", {"no_spoilers"}};
    game.state.document = table::store_route(game.state.document, decision, 1).value().document;
    const Value* kept =
        table::find_in_campaign(game.state.document, {"dialog", "future_route_decision"});
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(value::print_json(*kept),
              R"({"dialog_type":"action","variant":"duel","context_profile":"compact",)"
              R"("guards":["no_spoilers"]})");
    EXPECT_EQ(table::to_value(table::route_decision_from(*kept).value()), *kept);
    EXPECT_EQ(table::chosen_dialog(game.registries->dialogs, game.settings()).id, "scene");
}

// proves: S1-11, S1-67, S1-68, A1-12
TEST(Milestones, EachPolicyAdvancesByItsOwnCounterWhichRestarts) {
    Game turns(R"({"settings":{"milestone.policy":"by_turn_count","milestone.threshold":2}})");
    std::string seen;
    for (int i = 0; i < 5; ++i) {
        turns.plays({}, 1'000'000);
        seen += turns.finished.advanced ? "x" : ".";
    }
    EXPECT_EQ(seen, ".x.x.");
    EXPECT_EQ(Game::in(turns.state.document, "campaign.milestone.value"), "2");
    EXPECT_EQ(Game::in(turns.state.document, "campaign.milestone.last_advanced_at_turn"), "4");

    Game tokens(
        R"({"settings":{"milestone.policy":"by_token_estimate","milestone.threshold":100}})");
    seen.clear();
    for (int i = 0; i < 5; ++i) {
        tokens.plays({}, 60);
        seen += tokens.finished.advanced ? "x" : ".";
    }
    EXPECT_EQ(seen, ".x.x.");

    Game summaries(
        R"({"milestone":{"advance_policy":{"type":"by_summary_version","threshold":2}}})");
    summaries.plays({}, 9999);
    EXPECT_FALSE(summaries.finished.advanced);
    // Every summary is a version, and so is every long memory of the memory dialect (X-10).
    summaries.sets(R"({"summary.every_turns":1})");
    summaries.plays({tests::call_of("summarize", R"({"text":"a"})")});
    EXPECT_FALSE(summaries.finished.advanced);
    summaries.plays({tests::command(proposal::Op::kSet, "assa_data.summary.big.一", "b")});
    EXPECT_TRUE(summaries.finished.advanced);
    summaries.plays({});
    EXPECT_FALSE(summaries.finished.advanced);

    // A policy of another version, in an old save.
    Game unknown;
    unknown.state.document =
        value::set(unknown.state.document, table::campaign_path({"milestone", "advance_policy"}),
                   json(R"({"type":"by_moon","n":1})"))
            .value();
    unknown.plays({}, 9999);
    EXPECT_FALSE(unknown.finished.advanced);
    EXPECT_TRUE(unknown.finished.unknown_policy);
    unknown.sets(R"({"milestone.policy":"by_turn_count","milestone.threshold":1})");
    unknown.plays({});
    EXPECT_TRUE(unknown.finished.advanced);
}

// proves: S1-69, S1-70, S1-71
TEST(Milestones, AccelerationIsAnInstructionAndNoPermission) {
    Game game(R"({"settings":{"milestone.threshold":1}})");
    const auto pace = [&](base::Language language = base::Language::kEnglish) {
        return table::acceleration(game.state.document, game.settings(), language);
    };
    EXPECT_EQ(pace(), "");
    // A turn that was judged but not accepted does not count.
    game.tries({});
    EXPECT_EQ(table::turn_number(game.state.document), 0);
    EXPECT_EQ(table::turn_number(game.attempt.candidate().document), 0);
    game.accept();
    EXPECT_EQ(table::turn_number(game.state.document), 1);
    for (const auto language : {base::Language::kChinese, base::Language::kEnglish}) {
        const std::string text = pace(language);
        EXPECT_NE(text.find(language == base::Language::kChinese ? "系统结算" : "system settles"),
                  std::string::npos);
        EXPECT_NE(text.find(language == base::Language::kChinese ? "紧迫" : "urgency"),
                  std::string::npos);
    }
    game.tries({tests::command(proposal::Op::kSet, "campaign.rules.magic", "allowed")});
    EXPECT_EQ(game.failures(), "authoritative_path");
    // The words grow with the level.
    const std::string first = pace();
    game.plays({});
    EXPECT_NE(pace().find("milestone 2"), std::string::npos);
    EXPECT_NE(pace().substr(25), first.substr(25));
    // It ends some turns after the last milestone, and at once with the policy off.
    game.sets(R"({"milestone.threshold":100})");
    EXPECT_NE(pace(), "");
    for (int i = 0; i < table::kPacingTurns; ++i) {
        game.plays({});
    }
    EXPECT_EQ(pace(), "");
    game.sets(R"({"milestone.threshold":1})");
    game.plays({});
    EXPECT_NE(pace(), "");
    game.sets(R"({"milestone.policy":"off"})");
    EXPECT_EQ(pace(), "");
}

// proves: S1-36, D-27
TEST(Dialogs, TalkBesideTheStoryChangesNothing) {
    for (const std::string_view type : {"rules", "free_chat"}) {
        Game game(R"({"settings":{"milestone.threshold":1}})", R"({"hp":3})");
        game.sets(R"({"dialog.manual_type":")" + std::string(type) + R"("})");
        proposal::Proposal unreadable;
        unreadable.problems.push_back({proposal::Code::kParseError, {"x"}});
        game.tries({call_of("hp_delta", R"({"target_character_id":"hero","delta":-4,"cause":"x"})"),
                    tests::command(proposal::Op::kSet, "hp", 9), unreadable});
        EXPECT_EQ(game.failures(), "dialog_changes_nothing");
        EXPECT_EQ(game.attempt.outcome.verdicts[1].problem->code, proposal::Code::kDialogType);
        EXPECT_EQ(game.attempt.outcome.verdicts[2].problem->code, proposal::Code::kParseError);
        EXPECT_EQ(game.at("hp"), "3");
        EXPECT_EQ(game.at("campaign.characters.hero.hp.current"), "10");
        game.accept();
        EXPECT_FALSE(game.finished.advanced);
        EXPECT_EQ(Game::in(game.state.document, "campaign.milestone.value"), "0");
        EXPECT_EQ(Game::in(game.state.document, "campaign.turn"), "1");
        // The player's own commands are not the model's.
        game.tries({tests::command(proposal::Op::kSet, "hp", 9)}, engine::Actor::kPlayer);
        EXPECT_EQ(game.at("hp"), "9");
    }
}

// proves: S1-36, S1-38
TEST(Dialogs, ACampaignBringsItsOwn) {
    Game game(R"({"dialog_types":{"duel":{"extends":"action","title":{"en":"Duel","zh":"决斗"},
        "instruction":{"en":"Blow by blow.","zh":"一招一式。"},"tools":["hp_delta"]}},
        "settings":{"dialog.manual_type":"duel"}})");
    const table::DialogType duel =
        table::chosen_dialog(game.state.document, game.registries->dialogs, game.settings());
    EXPECT_EQ(duel.id, "duel");
    EXPECT_EQ(duel.instruction.english, "Blow by blow.");
    EXPECT_TRUE(duel.offers("hp_delta"));
    game.tries({call_of("hp_delta", R"({"target_character_id":"hero","delta":-4,"cause":"x"})"),
                call_of("move", R"({"actor_id":"hero","to_area_id":"hall"})", "b")});
    EXPECT_EQ(game.failures(), "tool_not_in_dialog");
    EXPECT_EQ(game.at("campaign.characters.hero.hp.current"), "6");
    game.sets(R"({"dialog.manual_type":"scene"})");
    game.sets(R"({"dialog.manual_type":"duel"})");
    const auto unknown = table::patch_settings(
        game.state, json(R"({"dialog.manual_type":"chess"})").as_object(), *game.registries, {}, 1);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(base::explain(unknown.error(), base::Language::kEnglish),
              "dialog.manual_type takes scene | action | rules | free_chat | duel, not \"chess\".");
}

}  // namespace
}  // namespace arbiter
