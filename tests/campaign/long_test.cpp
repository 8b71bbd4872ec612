// Goal: a campaign of forty turns and more that uses every tool, setting, dialog type, milestone
// policy, rollback, undo and branch, and that leads to the same place when it is played again.
// proves: S1-18, S1-35, S1-36, S1-40, S1-67, S1-68, S1-69, S1-74, S1-75, S1-76, X-7, X-8, X-20
#include <algorithm>

#include "engine/describe.h"
#include "ledger/archive.h"
#include "table/milestone.h"
#include "tests/campaign/support.h"
#include "tests/support/archive_lines.h"
#include "value/hash.h"

namespace arbiter::campaign {
namespace {

using LongTest = Fixture;

TEST_F(LongTest, FortyTurnsOfEverything) {
    begin();
    const auto settle = [&](std::string_view name, std::string_view args) {
        // After dice the model goes on.
        const turn::TurnResult turned =
            turn("我做点什么", {"于是发生了一件事。" + tool(name, args), "就是这样。"});
        EXPECT_EQ(turned.status, turn::Status::kCommitted) << name << turned.notice.str();
        EXPECT_TRUE(turned.attempt.failed_calls.empty()) << name << turned.notice.str();
    };
    const auto set = [&](std::string_view key, value::Value value) {
        const auto done = session->patch_settings(value::Object{{key, std::move(value)}}, now());
        EXPECT_TRUE(done) << key << ": " << base::explain(done.error(), base::Language::kEnglish);
    };
    // Every tool.
    settle("item_transfer", R"({"from_id":"mage","to_id":"hero","item_id":"key"})");
    settle("move", R"({"actor_id":"hero","to_area_id":"hall"})");
    settle("item_transfer", R"({"from_id":"hall","to_id":"hero","item_id":"lamp","count":2})");
    settle("move",
           R"({"actor_id":"hero","from_area_id":"hall","to_area_id":"vault","path_id":"p2"})");
    settle("roll", R"({"dice":"2d6+3","character_id":"hero","purpose":"跳过去"})");
    settle("roll", R"({"pool":"力量;白刃","character_id":"hero","difficulty":2,"purpose":"搏斗"})");
    settle("hp_delta", R"({"target_character_id":"hero","delta":-4,"cause":"陷阱"})");
    settle("time_advance", R"({"to":"开阳历 230 年 3 月 初六 日出","event":"天亮了"})");
    settle("character_generate", R"({"name":"老船夫","job":"船夫","area_id":"gate"})");
    set("rules.map_replace", true);
    settle("map_generate", R"({"size":5,"seed":3,"names":["港口"]})");
    // Every dialog type; each builds another prompt.
    std::vector<std::string> plans;
    for (const table::DialogType& type : table::shipped_registries()->dialogs.all()) {
        set("dialog.manual_type", std::string_view(type.id));
        plans.push_back(session->prompt("看看", 1)->plan);
        turn("看看", {"四下无人。"});
    }
    std::ranges::sort(plans);
    EXPECT_EQ(std::ranges::unique(plans).size(), 0U);
    set("dialog.manual_type", "scene");  // talk outside the story does not move it
    // Every policy of milestones.
    const auto milestone = [&] { return std::stoll(at("campaign.milestone.value")); };
    const std::pair<const char*, std::int64_t> policies[] = {
        {"by_turn_count", 2}, {"by_token_estimate", 50}, {"by_summary_version", 1}};
    for (const auto& [policy, threshold] : policies) {
        const auto before = milestone();
        const auto done = session->patch_settings(
            value::Object{{"milestone.policy", policy}, {"milestone.threshold", threshold}}, now());
        ASSERT_TRUE(done);
        for (int i = 0; i < 4; ++i) {
            turn("继续", {"故事向前走了一步，又走了一步。"});
        }
        if (std::string_view(policy) != "by_summary_version") {
            EXPECT_GT(milestone(), before) << policy;
        }
    }
    // Every setting takes its own default, and what it says of itself.
    for (const table::SettingDefinition& each : table::shipped_registries()->settings.all()) {
        set(each.key, value::Value());
    }
    // Rollback, undo, branch.
    set("rollback.max_checkpoints", 3);
    ASSERT_TRUE(session->checkpoint("桥", now(), 10));
    const ledger::TurnId bridge = session->campaign().head();
    for (int i = 0; i < 8; ++i) {
        settle("hp_delta", i % 2 == 0
                               ? R"({"target_character_id":"hero","delta":-1,"cause":"风"})"
                               : R"({"target_character_id":"hero","delta":1,"cause":"歇脚"})");
    }
    const ledger::TurnId far = session->campaign().head();
    ASSERT_TRUE(session->rollback(bridge));
    ASSERT_TRUE(session->undo());
    EXPECT_EQ(session->campaign().head(), far);
    ASSERT_TRUE(session->rollback(bridge));
    turn("换一条路", {"这条路安静得多。"});
    ASSERT_TRUE(session->select_actor("mage", now()));
    turn("白露上前", {"白露推开了门。"});
    EXPECT_GE(session->campaign().turns()->size(), 41U);
    expect_replays();
    // The other branch too, and a copy from an archive.
    ASSERT_TRUE(session->go_to(far));
    expect_replays();
    const auto elsewhere = ledger::make_memory_store();
    ASSERT_TRUE(ledger::import_campaign(
        *elsewhere, tests::lines_of(ledger::export_campaign(session->campaign()).value())));
    const ledger::Campaign copy = ledger::Campaign::open(*elsewhere, "c").value();
    EXPECT_EQ(ledger::hash_of(copy.state()), ledger::hash_of(session->campaign().state()));
    EXPECT_TRUE(ledger::rebuild(copy, replay_step(copy))->defects.empty());
    // Everything that changed the document is an action or a decision of the player (S1-18).
    const auto line = copy.line_to(copy.head()).value();
    value::Value document = copy.state_at(line[0])->document;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const ledger::Record record = copy.record(line[i]).value();
        if (record.edit) {
            document = copy.state_at(line[i])->document;
            continue;
        }
        const value::Value before = document;
        for (const value::Value& action : ledger::applied_actions(record)) {
            const auto changes = value::diff_from_value(*action.as_object().find("changes"));
            ASSERT_TRUE(changes) << i;
            auto next = value::apply_diff(*changes, document);
            ASSERT_TRUE(next) << i;
            document = *std::move(next);
        }
        // The records of its audit lead back.
        const value::Array audit = ledger::audit_records(record);
        const std::vector<value::Value> records(audit.begin(), audit.end());
        const auto undone = engine::undo(document, records);
        ASSERT_TRUE(undone) << i;
        EXPECT_TRUE(value::same_bytes(*undone, before)) << i;
    }
    EXPECT_EQ(document, copy.state().document);
}

}  // namespace
}  // namespace arbiter::campaign
