// Goal: one turn goes from the player's words to a committed truth, or leaves everything as it was.
#include <future>
#include <thread>

#include "table/summary.h"
#include "tests/campaign/support.h"

namespace arbiter::campaign {
namespace {

using turn::Status;
using turn::TurnResult;

// Remembers what it was asked, and answers from a list.
class Watched final : public model::Model {
  public:
    explicit Watched(std::vector<std::string> replies) : replies_(std::move(replies)) {}
    using Model::answer;
    base::Result<model::Reply> answer(const model::Request& request,
                                      const model::OnPiece& on_piece) override {
        requests.push_back(request);
        model::Reply reply;
        reply.text = replies_.at(std::min(requests.size(), replies_.size()) - 1);
        reply.usage = {100, 10, false};
        if (on_piece && !on_piece({reply.text})) {
            return base::fail(base::ErrorCode::kModelCancelled);
        }
        reply.tool_calls = calls;
        return reply;
    }
    [[nodiscard]] bool takes_tools() const override { return native_tools; }

    bool native_tools = false;
    std::vector<model::Request> requests;
    std::vector<prompt::NativeToolCall> calls;

  private:
    std::vector<std::string> replies_;
};

using SessionTest = Fixture;

// proves: S1-2, S1-44, S1-50, S1-56: tools settle what happened, in order.
TEST_F(SessionTest, ToolsSettleWhatHappened) {
    begin();
    const TurnResult turned = turn(
        "我走进大厅",
        {"她走进大厅，被绊了一下。\n" +
         tool("move", R"({"actor_id":"hero","from_area_id":"gate","to_area_id":"hall"})") +
         tool("hp_delta", R"({"target_character_id":"hero","delta":-3,"cause":"绊倒"})", "c2")});
    EXPECT_EQ(turned.status, Status::kCommitted);
    EXPECT_EQ(turned.shown.str(), "她走进大厅，被绊了一下。");
    EXPECT_EQ(at("campaign.characters.hero.area_id"), R"("hall")");
    EXPECT_EQ(at("campaign.characters.hero.hp.current"), "7");
    EXPECT_EQ(at("campaign.turn"), "1");
    EXPECT_EQ(tools_in(turned), 2U);
    expect_replays();
}

// proves: S1-46, S1-51, S1-52, S1-4, S1-53, S1-54, S1-64, S1-17, A1-5, A1-10, X-18: the same
// request again, with one message of feedback; nothing of the first attempt is left.
TEST_F(SessionTest, ARejectedToolIsToldAndRepaired) {
    begin();
    Watched model(
        {"她冲进金库。" +
             tool("hp_delta", R"({"target_character_id":"hero","delta":-1,"cause":"擦伤"})") +
             tool("move", R"({"actor_id":"hero","to_area_id":"vault"})", "c2"),
         "她推了推门。" + tool("summon", "{}"), "门锁着，她停在城门。"});
    const TurnResult turned = turn("进金库", model);
    EXPECT_EQ(turned.status, Status::kCommitted);
    EXPECT_EQ(turned.attempts, 3);
    EXPECT_EQ(turned.shown.str(), "门锁着，她停在城门。");
    EXPECT_EQ(at("campaign.characters.hero.hp.current"), "10");
    EXPECT_EQ(at("campaign.turn"), "1");
    ASSERT_EQ(model.requests.size(), 3U);
    const auto& first = model.requests[0].messages;
    const auto& second = model.requests[1].messages;
    const auto& third = model.requests[2].messages;
    ASSERT_EQ(second.size(), first.size() + 1);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin()));
    EXPECT_EQ(second.back().role, prompt::Role::kSystem);
    EXPECT_NE(second.back().content.view().find("c2"), std::string::npos);
    // They do not pile up: one message holds all.
    ASSERT_EQ(third.size(), first.size() + 1);
    EXPECT_NE(third.back().content.view().find("vault"), std::string::npos);
    EXPECT_NE(third.back().content.view().find("summon"), std::string::npos);
    // Withheld text appears only in the trace (S1-17).
    const ledger::Campaign campaign = session->campaign();
    const ledger::Record record = campaign.record(campaign.head()).value();
    EXPECT_EQ(record.shown, "门锁着，她停在城门。");
    EXPECT_EQ(record.trace.size(), 3U);
    expect_replays();
}

// proves: A1-6, S1-60, S1-62, S1-71: the retries are spent; a neutral notice, and nothing has
// changed.
TEST_F(SessionTest, SpentRetriesLeaveEverythingAsItWas) {
    begin();
    const ledger::TurnId before = session->campaign().head();
    Watched model({"她进了金库！" + tool("move", R"({"actor_id":"hero","to_area_id":"vault"})")});
    const TurnResult turned = turn("进金库", model);
    EXPECT_EQ(turned.status, Status::kReported);
    EXPECT_EQ(turned.attempts, 3);
    EXPECT_TRUE(turned.shown.empty());
    EXPECT_FALSE(turned.notice.empty());
    EXPECT_EQ(turned.notice.str().find("她进了金库"), std::string::npos);
    EXPECT_TRUE(turned.report.is_object());
    EXPECT_EQ(session->campaign().head(), before);
    EXPECT_EQ(at("campaign.turn"), "0");
    // K = 0: no retry at all.
    ASSERT_TRUE(session->patch_settings(value::Object{{"turn.max_retries", 0}}, now()));
    Watched once({"她进了金库！" + tool("move", R"({"actor_id":"hero","to_area_id":"vault"})")});
    EXPECT_EQ(turn("进金库", once).status, Status::kReported);
    EXPECT_EQ(once.requests.size(), 1U);
    // The refused narration is shown beside the report, and a retry is told nothing (S1-61).
    ASSERT_TRUE(session->patch_settings(value::Object{{"turn.max_retries", 1},
                                                      {"conflict.intercept_output", false},
                                                      {"conflict.retry_with_debug", false}},
                                        now()));
    Watched open({"她进了金库！" + tool("move", R"({"actor_id":"hero","to_area_id":"vault"})")});
    const TurnResult seen = turn("进金库", open);
    EXPECT_EQ(seen.status, Status::kReported);
    EXPECT_EQ(seen.shown.str(), "她进了金库！");
    EXPECT_EQ(open.requests.at(1).messages, open.requests.at(0).messages);
    EXPECT_EQ(at("campaign.turn"), "0");
    // feedback_mode next_turn: what can be applied is, and nobody is asked again.
    ASSERT_TRUE(session->patch_settings(value::Object{{"turn.feedback_mode", "next_turn"}}, now()));
    Watched next({"她进了金库！" + tool("move", R"({"actor_id":"hero","to_area_id":"vault"})")});
    EXPECT_EQ(turn("进金库", next).status, Status::kCommitted);
    EXPECT_EQ(at("campaign.characters.hero.area_id"), R"("gate")");
    expect_replays();
}

TEST_F(SessionTest, CancelledMidStreamNothingChanges) {
    begin();
    const ledger::TurnId before = session->campaign().head();
    model::Scripted model = script("answers:\n  - say: 她走了很远很远很远。\n    pieces: 2\n");
    int pieces = 0;
    std::string draft;
    turn::TurnRequest wanted = request("走", now());
    wanted.shows_drafts = true;
    model::TurnCallbacks callbacks;
    callbacks.is_cancelled = [&] { return ++pieces > 3; };
    callbacks.on_show = [&](const table::PlayerText& text) { draft += text.str(); };
    const auto turned = session->turn(wanted, model, callbacks);
    ASSERT_TRUE(turned);
    EXPECT_EQ(turned->status, Status::kCancelled);
    EXPECT_EQ(draft, "她走了很远很");
    EXPECT_EQ(session->campaign().head(), before);
    // The next turn is the first one.
    EXPECT_EQ(turn("走", {"好。"}).status, Status::kCommitted);
    EXPECT_EQ(at("campaign.turn"), "1");
}

// A model that breaks off is an error, and nothing has changed.
TEST_F(SessionTest, AModelThatBreaksOffChangesNothing) {
    begin();
    const ledger::TurnId before = session->campaign().head();
    model::Scripted model = script(
        "answers:\n  - say: 她话说到一半\n    pieces: 2\n    fail: {how: cut_off, after: 2}\n");
    const auto turned = session->turn(request("说"), model);
    ASSERT_FALSE(turned);
    EXPECT_EQ(turned.error().code, base::ErrorCode::kModelCutOff);
    EXPECT_EQ(session->campaign().head(), before);
}

TEST_F(SessionTest, OneTurnAtATimeAndTheSecondIsTold) {
    begin();
    std::promise<void> asked;
    std::promise<void> go_on;
    class Slow final : public model::Model {
      public:
        Slow(std::promise<void>& waits, std::future<void> until)
            : waits_(waits), until_(std::move(until)) {}
        base::Result<model::Reply> answer(const model::Request&, const model::OnPiece&) override {
            waits_.set_value();
            until_.wait();
            model::Reply reply;
            reply.text = "慢慢来。";
            return reply;
        }

      private:
        std::promise<void>& waits_;
        std::future<void> until_;
    };
    Slow slow(asked, go_on.get_future());
    auto first = std::async(std::launch::async, [&] { return session->turn(request("一"), slow); });
    asked.get_future().wait();
    model::Scripted other = says({"抢话。"});
    const turn::TurnRequest second = request("二");
    const auto refused = session->turn(second, other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::ErrorCode::kCampaignBusy);
    EXPECT_EQ(session->select_actor("mage", 5).error().code, base::ErrorCode::kCampaignBusy);
    // Looking goes on meanwhile.
    EXPECT_EQ(session->campaign().number(), 0);
    go_on.set_value();
    EXPECT_EQ(first.get()->status, Status::kCommitted);
    EXPECT_EQ(session->turn(second, other)->status, Status::kCommitted);
}

// The same calls as chat completions give them, beside the text.
TEST_F(SessionTest, ToolCallsBesideTheText) {
    begin();
    Watched model({"她走进大厅。"});
    model.native_tools = true;
    model.calls = {{"call_9", "move", R"({"actor_id":"hero","to_area_id":"hall"})"}};
    EXPECT_EQ(turn("去大厅", model).status, Status::kCommitted);
    EXPECT_EQ(at("campaign.characters.hero.area_id"), R"("hall")");
    // The model knows which tools there are.
    EXPECT_EQ(model.requests[0].tools.size(), 7U);
    expect_replays();
}

// proves: X-3, S1-1, S1-5: a direct command on what is the system's becomes the tool's, or is
// refused.
TEST_F(SessionTest, DirectCommandsOnAuthoritativePlaces) {
    begin();
    const TurnResult turned =
        turn("受伤", {"她流血了。\n```json\n[{\"op\":\"assign\",\"path\":["
                      "\"campaign\",\"characters\",\"hero\",\"hp\",\"current\"],"
                      "\"value\":4}]\n```"});
    EXPECT_EQ(at("campaign.characters.hero.hp.current"), "4");
    EXPECT_EQ(tools_in(turned), 1U);
    const TurnResult refused =
        turn("改规则", {"规则变了。\n```json\n[{\"op\":\"assign\",\"path\":[\"campaign\",\"world\","
                        "\"name\"],\"value\":\"新世界\"}]\n```",
                        "什么都没变。"});
    EXPECT_EQ(at("campaign.world.name"), R"("雾港")");
    expect_replays();
}

// Spend caps: of a turn, and of the campaign, also for what came to nothing.
TEST_F(SessionTest, SpendingHasCaps) {
    begin();
    ASSERT_TRUE(session->patch_settings(value::Object{{"spend.turn_calls_max", 2}}, now()));
    Watched model({tool("summon", "{}")});
    const TurnResult capped = turn("召唤", model);
    EXPECT_EQ(capped.status, Status::kOverSpent);
    EXPECT_EQ(model.requests.size(), 2U);
    EXPECT_FALSE(capped.notice.empty());
    ASSERT_TRUE(session->patch_settings(
        value::Object{{"spend.turn_calls_max", 0}, {"spend.campaign_tokens_max", 300}}, now()));
    Watched more({"好。"});
    EXPECT_EQ(turn("走", more).status, Status::kCommitted);  // 220 + 110
    EXPECT_EQ(turn::usage_of(session->campaign().state().meta).tokens, 330);
    EXPECT_EQ(turn("走", more).status, Status::kOverSpent);
    // It is kept with the campaign.
    open();
    EXPECT_EQ(turn("走", more).status, Status::kOverSpent);
    expect_replays();
}

// proves: S1-8, S1-30, S1-31, S1-34, S1-36, S1-37: what a player changes, and what follows.
TEST_F(SessionTest, SettingsActorsAndDialogTypes) {
    begin();
    const auto before = session->prompt("看看四周", 1).value();
    ASSERT_TRUE(session->patch_settings(value::Object{{"dialog.manual_type", "rules"}}, now()));
    EXPECT_EQ(at("campaign.dialog.dialog_type_selected"), R"("rules")");
    const auto after = session->prompt("看看四周", 1).value();
    EXPECT_NE(before.plan, after.plan);
    EXPECT_FALSE(session->patch_settings(
        value::Object{{"dialog.manual_type", "scene"}, {"no.such.key", 1}}, now()));
    EXPECT_EQ(at("campaign.dialog.dialog_type_selected"), R"("rules")");
    EXPECT_EQ(session->select_actor("nobody", now()).error().code, base::ErrorCode::kNotInParty);
    ASSERT_TRUE(session->select_actor("mage", now()));
    EXPECT_EQ(at("campaign.selected.active_actor_id"), R"("mage")");
    ASSERT_TRUE(session->set_goal("找到渡船", true, now()));
    EXPECT_FALSE(session->set_goal("别的", false, now()));
    EXPECT_EQ(turn("走", {"好。"}).status, Status::kCommitted);
    expect_replays();
}

// proves: S1-66: asked of the model from world, map and characters; kept once.
TEST_F(SessionTest, AGoalIsAskedOfTheModel) {
    begin();
    Watched model({"让灯塔熄灭"});
    EXPECT_EQ(session->generate_goal(model, true, now()).value(), "让灯塔熄灭");
    const std::string asked(model.requests[0].messages[0].content);
    for (const std::string_view part : {"一座被雾封住的港城", "大厅", "阿青"}) {
        EXPECT_NE(asked.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(at("campaign.goal.ultimate_goal_text"), R"("让灯塔熄灭")");
    EXPECT_FALSE(session->generate_goal(model, true, now()));
}

// proves: S1-19, S1-67, A1-2, X-10: the narrator is asked for a summary when it is due; a
// compressed prompt leaves out only turns that a summary covers, and keeps summary, pins and facts.
TEST_F(SessionTest, CompressedTurnsAreCoveredByASummary) {
    begin();
    ASSERT_TRUE(session->patch_settings(value::Object{{"summary.every_turns", 8},
                                                      {"summary.merge_at", 2},
                                                      {"milestone.policy", "by_summary_version"},
                                                      {"milestone.threshold", 1},
                                                      {"context.full_context_enabled", false},
                                                      {"context.compress_enabled", true}},
                                        now()));
    const auto prompt = [&] { return tests::flat(session->prompt("然后呢", 1).value()); };
    for (int i = 1; i <= 8; ++i) {
        EXPECT_EQ(prompt().find("<story_summary>"), std::string::npos) << i;
        turn("动作" + std::to_string(i), {"旁白" + std::to_string(i) + "。"});
    }
    // Due, and nothing is forgotten yet, though the window of recent messages is shorter.
    EXPECT_NE(prompt().find("<story_summary>"), std::string::npos);
    EXPECT_NE(prompt().find("旁白1。"), std::string::npos);
    const auto result = turn("动作9", {"旁白9。\n<story_summary>\n他们进了雾港。\n"
                                       "勿忘：师父未死\n事实：灯塔 = 熄灭\n</story_summary>"});
    EXPECT_EQ(result.shown.str().find("雾港"), std::string::npos);
    EXPECT_EQ(at("campaign.summary.version"), "1");
    EXPECT_EQ(at("campaign.milestone.value"), "1");
    EXPECT_EQ(prompt().find("<story_summary>"), std::string::npos);
    EXPECT_EQ(prompt().find("旁白1。"), std::string::npos);
    for (const char* kept : {"他们进了雾港。", "师父未死", "灯塔: 熄灭", "旁白9。", "动作9"}) {
        EXPECT_NE(prompt().find(kept), std::string::npos) << kept;
    }
    EXPECT_EQ(
        value::print_json(table::summary_view(session->campaign().state())),
        R"({"summary_text":"他们进了雾港。","facts_json":{"灯塔":"熄灭"},"pins":["师父未死"]})");
    // A summary that was not asked for changes nothing and is no reason to ask again.
    turn("动作10", {"旁白10。<story_summary>又一段</story_summary>"});
    EXPECT_EQ(at("campaign.summary.version"), "1");
    // The second one is an entry of its own, the third takes the place of both; pins stay.
    for (const char* text : {"第二段", "归并"}) {
        for (int i = 0; i < 8; ++i) {
            turn("等", {"嗯。"});
        }
        turn("等", {"嗯。<story_summary>" + std::string(text) + "</story_summary>"});
    }
    EXPECT_EQ(value::print_json(table::summary_view(session->campaign().state())),
              R"({"summary_text":"归并","facts_json":{"灯塔":"熄灭"},"pins":["师父未死"]})");
    EXPECT_EQ(at("campaign.milestone.value"), "3");
    expect_replays();
}

// proves: A1-11, S1-32: the limits of blocks and the characters of a token change the prompt.
TEST_F(SessionTest, SettingsOfThePromptAct) {
    begin();
    turn("I walk along the harbour and look at every ship", {"The ships are empty."});
    const auto prompt = [&] { return session->prompt("And then?", 1).value(); };
    const std::size_t tokens = prompt().tokens;
    ASSERT_TRUE(session->patch_settings(value::Object{{"tokens.chars_per_token", 1}}, now()));
    EXPECT_GT(prompt().tokens, tokens);
    ASSERT_TRUE(session->patch_settings(value::Object{{"tokens.chars_per_token", {}}}, now()));
    EXPECT_EQ(prompt().tokens, tokens);
    ASSERT_TRUE(session->patch_settings(
        value::Object{{"context.block_limits", value::Object{{"party", 5}}}}, now()));
    EXPECT_LT(prompt().tokens, tokens);
    for (const prompt::Placed& placed : prompt().blocks) {
        if (placed.block.kind == prompt::Kind::kParty) {
            EXPECT_LE(placed.size, 5 * 4 + 3U) << placed.block.id;
        }
    }
    // 0 leaves the block out, and says so.
    ASSERT_TRUE(session->patch_settings(
        value::Object{{"context.block_limits", value::Object{{"party", 0}}}}, now()));
    const prompt::Assembly without = prompt();
    EXPECT_TRUE(std::ranges::none_of(without.blocks, [](const prompt::Placed& placed) {
        return placed.block.kind == prompt::Kind::kParty;
    }));
    EXPECT_TRUE(std::ranges::any_of(without.omitted, [](const prompt::Omitted& each) {
        return each.kind == prompt::Kind::kParty && each.why.reason == prompt::Reason::kTrimmed;
    }));
}

// proves: S1-30, S1-73: settings are for every campaign, are no turns of the story, and leave a
// rollback undoable; A1-13: 0 switches rolling back off.
TEST_F(SessionTest, SettingsAreNoTurnsOfTheStory) {
    begin();
    turn("一", {"一。"});
    turn("二", {"二。"});
    const ledger::TurnId last = session->campaign().head();
    ASSERT_TRUE(session->rollback(session->campaign().find("1").value()));
    ASSERT_TRUE(session->patch_settings(value::Object{{"turn.max_retries", 1}}, now()));
    EXPECT_EQ(session->campaign().story_number(), 1);
    EXPECT_EQ(session->campaign().find("1").value(), session->campaign().head());
    ASSERT_TRUE(session->undo());
    EXPECT_EQ(session->campaign().head(), last);
    ASSERT_TRUE(session->select_actor("mage", now()));
    turn("三", {"三。"});
    EXPECT_EQ(session->campaign().story_number(), 3);
    EXPECT_EQ(at("campaign.turn"), "3");
    EXPECT_EQ(session->campaign().find("2").value(),
              session->campaign().record(session->campaign().head())->parent);
    ASSERT_TRUE(session->patch_settings(value::Object{{"rollback.max_checkpoints", 0}}, now()));
    EXPECT_EQ(session->rollback(last).error().code, base::ErrorCode::kRollbackOff);
    EXPECT_EQ(session->checkpoint("x", now(), 0).error().code, base::ErrorCode::kRollbackOff);
    expect_replays();
}

// proves: S1-30: a chat that shows an earlier place is played on with the newest settings; a player
// who goes back has those of that time.
TEST_F(SessionTest, SettingsStayWhenAChatMoves) {
    for (const std::string_view written : {std::string_view(kTemplate), std::string_view()}) {
        store = ledger::make_memory_store();
        begin(written);
        turn("一", {"一。"});
        const ledger::TurnId first = session->head();
        turn("二", {"二。"});
        ASSERT_TRUE(session->follow_chat(first, now()));
        EXPECT_EQ(session->head(), first);  // nothing was changed, so nothing is stored
        ASSERT_TRUE(session->patch_settings(
            value::Object{{"dialog.manual_type", "rules"}, {"milestone.threshold", 9}}, now()));
        const std::int64_t revision = table::settings_revision(session->campaign().state());
        ASSERT_TRUE(session->follow_chat(first, now()));
        const ledger::Campaign moved = session->campaign();
        const auto record = moved.record(moved.head());
        ASSERT_TRUE(record && record->edit);
        EXPECT_EQ(record->parent, first);
        EXPECT_EQ(record->edit->reason, "settings");
        EXPECT_EQ(table::word_in(session->settings(), "dialog.manual_type"), "rules");
        EXPECT_GE(table::settings_revision(moved.state()), revision);
        if (!written.empty()) {
            EXPECT_EQ(at("campaign.dialog.dialog_type_selected"), "\"rules\"");
            EXPECT_EQ(at("campaign.milestone.advance_policy.threshold"), "9");
        }
        ASSERT_TRUE(session->rollback(first));
        EXPECT_NE(table::word_in(session->settings(), "dialog.manual_type"), "rules");
        expect_replays();
    }
}

// A chat that shows an earlier place moves the head with its next turn; if there is none, when it
// settles.
TEST_F(SessionTest, TheMoveOfAChatIsStoredWithItsTurn) {
    begin("");
    const auto stored = [&] { return store->campaign("c")->head; };
    turn("一", {"一。"});
    const ledger::TurnId first = session->head();
    turn("二", {"二。"});
    const ledger::TurnId second = session->head();
    EXPECT_TRUE(session->follows_at_once(first));
    ASSERT_TRUE(session->follow_chat(first, now()));
    EXPECT_EQ(session->head(), first);
    EXPECT_EQ(stored(), second);
    EXPECT_FALSE(session->refresh().value());
    turn("三", {"三。"});
    EXPECT_EQ(session->campaign().record(session->head())->parent, first);
    EXPECT_EQ(stored(), session->head());
    ASSERT_TRUE(session->follow_chat(second, now()));
    ASSERT_TRUE(session->settle());
    EXPECT_EQ(stored(), second);
    // Another writer was first: the session is where it knows the stored head.
    const auto other = Session::open(*store, "c", options()).value();
    ASSERT_TRUE(session->follow_chat(first, now()));
    model::Scripted model = says({"四。"});
    ASSERT_TRUE(other->turn(request("四", now()), model));
    EXPECT_EQ(session->settle().error().code, base::ErrorCode::kHeadMoved);
    EXPECT_EQ(session->head(), second);
    EXPECT_TRUE(session->refresh().value());
    EXPECT_EQ(session->head(), other->head());
    // Other settings are an edit, which waits for the store.
    ASSERT_TRUE(session->patch_settings(value::Object{{"turn.max_retries", 2}}, now()));
    EXPECT_FALSE(session->follows_at_once(first));
    EXPECT_FALSE(session->follows_at_once(ledger::sha256("no turn")));
    expect_replays();
}

// proves: S1-19, S1-30: a campaign without a table has settings and a summary too.
TEST_F(SessionTest, ACampaignWithoutATable) {
    begin("");
    ASSERT_TRUE(session->patch_settings(value::Object{{"summary.every_turns", 2}}, now()));
    EXPECT_EQ(table::number_in(session->settings(), "summary.every_turns"), 2);
    turn("一", {"一。"});
    turn("二", {"二。"});
    EXPECT_NE(tests::flat(session->prompt("", 1).value()).find("<story_summary>"),
              std::string::npos);
    turn("三", {"三。<story_summary>三件事</story_summary>"});
    EXPECT_EQ(value::print_json(table::summary_view(session->campaign().state())),
              R"({"summary_text":"三件事","facts_json":{},"pins":[]})");
    EXPECT_EQ(session->campaign().state().document, value::Value(value::Object()));
    expect_replays();
}

// proves: S1-72, S1-73, S1-74, S1-75, S1-76, A1-13: checkpoints, rollback, undo, branch.
// The view has every field of the seed: proves: S1-7, S1-12, S1-15, S1-16, A1-16
TEST_F(SessionTest, RollbackUndoAndBranch) {
    begin();
    turn("一",
         {"一。" + tool("hp_delta", R"({"target_character_id":"hero","delta":-1,"cause":"a"})")});
    ASSERT_TRUE(session->checkpoint("营地", now(), 10));
    turn("二",
         {"二。" + tool("hp_delta", R"({"target_character_id":"hero","delta":-1,"cause":"b"})")});
    const ledger::TurnId last = session->campaign().head();
    const std::string hash = ledger::hash_of(session->campaign().state());
    ASSERT_TRUE(session->rollback(session->campaign().find("营地").value()));
    EXPECT_EQ(at("campaign.characters.hero.hp.current"), "9");
    const value::Value view =
        campaign::campaign_view(session->campaign(), session->options()).value();
    for (const char* path : {"campaign.campaign_id",
                             "campaign.title",
                             "campaign.created_at",
                             "campaign.updated_at",
                             "campaign.selected.world_id",
                             "campaign.selected.map_id",
                             "campaign.selected.party_character_ids",
                             "campaign.selected.active_actor_id",
                             "campaign.goal.ultimate_goal_text",
                             "campaign.goal.is_hidden",
                             "campaign.milestone.value",
                             "campaign.milestone.last_advanced_at_turn",
                             "campaign.milestone.advance_policy.type",
                             "campaign.settings_snapshot[\"rollback.max_checkpoints\"]",
                             "campaign.state_refs.world_state_id",
                             "campaign.state_refs.map_state_id",
                             "campaign.state_refs.summary_state_id",
                             "campaign.dialog.dialog_type_selected",
                             "campaign.checkpoints[0].turn_id",
                             "campaign.checkpoints[0].timestamp",
                             "campaign.checkpoints[0].label",
                             "campaign.checkpoints[0].state_snapshot_ref",
                             "campaign.rollback_pending.from_turn_id",
                             "campaign.rollback_pending.to_turn_id",
                             "characters.hero.hp.max",
                             "summary_state.summary_text",
                             "summary_state.facts_json",
                             "summary_state.pins",
                             "turn_log.turn_id",
                             "turn_log.actor_id",
                             "turn_log.user_input",
                             "turn_log.assistant_output_text",
                             "turn_log.assistant_structured",
                             "turn_log.applied_actions[0].tool",
                             "turn_log.timestamp",
                             "turn_log.settings_revision"}) {
        EXPECT_NE(value::find(view, value::parse_any_path(path).value()), nullptr) << path;
    }
    EXPECT_NE(value::print_json(view).find(R"("can_undo":true)"), std::string::npos);
    // The dialogue goes back with it.
    const auto prompt = session->prompt("", 1).value();
    EXPECT_EQ(tests::flat(prompt).find("二。"), std::string::npos);
    ASSERT_TRUE(session->undo());
    EXPECT_EQ(session->campaign().head(), last);
    EXPECT_EQ(ledger::hash_of(session->campaign().state()), hash);
    ASSERT_TRUE(session->rollback(session->campaign().find("营地").value()));
    turn("另一条路", {"三。"});
    EXPECT_EQ(session->undo().error().code, base::ErrorCode::kNothingToUndo);
    EXPECT_EQ(session->campaign().turns()->size(), 4U);
    for (const char* label : {"a", "b", "c", "d"}) {
        ASSERT_TRUE(session->checkpoint(label, now(), 10));
    }
    EXPECT_EQ(session->campaign().checkpoints()->size(), 3U);
    ASSERT_TRUE(session->patch_settings(value::Object{{"rollback.max_checkpoints", 0}}, now()));
    EXPECT_EQ(session->checkpoint("e", now(), 10).error().code, base::ErrorCode::kRollbackOff);
    expect_replays();
}

// proves: S1-24, A1-4: who is down does not act, and a party that is down has lost.
TEST_F(SessionTest, TheEnd) {
    begin();
    const auto hurt = [](std::string_view who) {
        return "轰。" + tool("hp_delta", R"({"target_character_id":")" + std::string(who) +
                                             R"(","delta":-20,"cause":"爆炸"})");
    };
    turn("一", {hurt("hero")});
    const TurnResult blocked = turn("二", {"不该有人问。"});
    EXPECT_EQ(blocked.status, Status::kBlocked);
    EXPECT_FALSE(blocked.notice.empty());
    ASSERT_TRUE(session->select_actor("mage", now()));
    const TurnResult last = turn("三", {hurt("mage")});
    ASSERT_TRUE(last.attempt.ended);
    EXPECT_EQ(turn("四", {"不该有人问。"}).status, Status::kBlocked);
    expect_replays();
}

// proves: S1-13: many campaigns in one process.
TEST_F(SessionTest, AThousandCampaignsHold) {
    const SessionOptions shared = options();
    const config::World world = config::load_world("auto").value();
    std::vector<std::unique_ptr<Session>> sessions;
    for (int i = 0; i < 1000; ++i) {
        CampaignSetup setup;
        setup.id = "c" + std::to_string(i);
        setup.name = setup.id;
        setup.world = world;
        setup.table = value::parse_json(kTemplate).value();
        std::vector<base::Error> warnings;
        ASSERT_TRUE(create_campaign(*store, setup, shared, warnings));
        sessions.push_back(Session::open(*store, setup.id, shared).value());
    }
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        model::Scripted model =
            says({"走。" + tool("hp_delta", R"({"target_character_id":"hero","delta":-)" +
                                                std::to_string(i % 9) + R"(,"cause":"x"})")});
        ASSERT_EQ(sessions[i]->turn(request("走", 5), model)->status, Status::kCommitted);
    }
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        const value::Value document = sessions[i]->campaign().state().document;
        EXPECT_EQ(
            value::find(document, {"campaign", "characters", "hero", "hp", "current"})->as_int(),
            10 - static_cast<std::int64_t>(i % 9));
    }
}

}  // namespace
}  // namespace arbiter::campaign
