// Goal: whatever the model does, a turn is committed whole or not at all, the player sees what
// passed, and the model is told what did not. Method: a simulated driver, one campaign.
#include <algorithm>
#include <tuple>

#include "base/limits.h"
#include "tests/turn/driver.h"

namespace arbiter {
namespace {

using prompt::Role;
using tests::Answer;
using tests::Driver;
using tests::Game;
using tests::native;
using tests::print;
using tests::tag;
using turn::Mode;
using turn::Status;
using turn::TurnRequest;
using turn::TurnResult;
using value::Value;

constexpr const char* kToHall = R"({"actor_id":"hero","to_area_id":"hall"})";
constexpr const char* kToIsle = R"({"actor_id":"hero","to_area_id":"isle"})";
constexpr const char* kRoll = R"({"dice":"3d6","purpose":"jump"})";
constexpr const char* kHurt = R"({"target_character_id":"hero","delta":-1,"cause":"x"})";

bool contains(const prompt::Message& message, std::string_view part) {
    return message.content.view().find(part) != std::string_view::npos;
}

// proves: S1-46, S1-52, S1-53, S1-54, S1-64, A1-5, A1-10, X-18
TEST(Machine, AGuardedTurnIsAskedAgainAndShowsOnlyWhatPassed) {
    Driver driver{Game()};
    driver.piece = 5;
    const TurnResult result =
        driver.turn("go", {{"She flies." + tag("hp_delta", kHurt) + tag("move", kToIsle, "c2")},
                           {"She tries again." + tag("summon", "{}")},
                           {"She stays."}});
    EXPECT_EQ(result.status, Status::kCommitted);
    EXPECT_EQ(result.attempts, 3);
    EXPECT_EQ(result.shown.str(), "She stays.");
    EXPECT_EQ(driver.shown, "She stays.");
    EXPECT_EQ(driver.shown_while_asking, "");
    EXPECT_EQ(driver.withdrawn.size(), 2U);
    // The same request again, with one message of feedback that holds all of it.
    ASSERT_EQ(driver.asked.size(), 3U);
    const auto& first = driver.asked[0].messages;
    for (const std::size_t again : {1U, 2U}) {
        const auto& messages = driver.asked[again].messages;
        ASSERT_EQ(messages.size(), first.size() + 1);
        EXPECT_TRUE(std::equal(first.begin(), first.end(), messages.begin()));
        EXPECT_EQ(messages.back().role, Role::kSystem);
        EXPECT_TRUE(contains(messages.back(), "isle"));
        EXPECT_EQ(driver.asked[again].attempt, static_cast<std::int64_t>(again) + 1);
        EXPECT_EQ(driver.asked[again].round, 1);
    }
    EXPECT_TRUE(contains(driver.asked[2].messages.back(), "summon"));
    EXPECT_EQ(driver.asked[0].tools.size(), 7U);
    // Nothing of the dropped attempts is left but the trace, their calls and their price.
    EXPECT_EQ(driver.at("campaign.characters.hero.hp.current"), "10");
    EXPECT_EQ(driver.at("campaign.turn"), "1");
    EXPECT_EQ(driver.kept->turn.raw, "She stays.");
    EXPECT_EQ(driver.kept->turn.trace.size(), 3U);
    EXPECT_EQ(driver.kept->turn.failed_calls.size(), 2U);
    EXPECT_EQ(driver.kept->turn.usage, (turn::Usage{300, 3}));
    EXPECT_EQ(turn::usage_of(driver.state.meta), (turn::Usage{300, 3}));
    EXPECT_EQ(print(tests::replay(*driver.kept).attempt.candidate()), print(driver.state));
}

// proves: A1-6, S1-60, S1-62, S1-63
TEST(Machine, SpentRetriesAreReportedAndNothingChanges) {
    Driver driver(Game(R"({"settings":{"rollback.max_checkpoints":3}})"));
    const engine::State before = driver.state;
    const TurnResult result = driver.turn("go", {{"She flies!" + tag("move", kToIsle)}});
    EXPECT_EQ(result.status, Status::kReported);
    EXPECT_EQ(result.attempts, 3);
    EXPECT_EQ(driver.asked.size(), 3U);
    EXPECT_EQ(driver.withdrawn.size(), 3U);
    EXPECT_TRUE(result.shown.empty() && driver.shown.empty());
    EXPECT_NE(result.notice.str().find("move"), std::string::npos);
    EXPECT_EQ(result.notice.str().find("She flies"), std::string::npos);
    EXPECT_EQ(Game::in(result.report, "attempts"), "3");
    EXPECT_EQ(Game::in(result.report, "choices"), R"(["keep_state","edit","roll_back"])");
    EXPECT_FALSE(driver.kept.has_value());
    EXPECT_EQ(driver.state, before);
    // The cost of the failed turn is counted with the next commit.
    EXPECT_EQ(driver.turn("stay", {{"She stays."}}).status, Status::kCommitted);
    EXPECT_EQ(turn::usage_of(driver.state.meta), (turn::Usage{400, 4}));
}

TEST(Machine, TheSettingsSayHowOftenAndWhether) {
    for (const auto& [settings, status, asked] :
         {std::tuple{R"({"turn.max_retries":0})", Status::kReported, 1U},
          std::tuple{R"({"turn.max_retries":5})", Status::kReported, 6U},
          std::tuple{R"({"turn.feedback_mode":"next_turn"})", Status::kCommitted, 1U}}) {
        Game game;
        game.sets(settings);
        Driver driver(game);
        const TurnResult result = driver.turn("go", {{"She flies!" + tag("move", kToIsle)}});
        EXPECT_EQ(result.status, status) << settings;
        EXPECT_EQ(driver.asked.size(), asked) << settings;
        EXPECT_EQ(turn::pending_feedback(driver.state.meta).is_null(), status != Status::kCommitted)
            << settings;
    }
}

// proves: X-18
TEST(Machine, ALiveTurnStreamsAndTellsTheModelNextTime) {
    Driver driver{Game()};
    driver.piece = 3;
    const TurnResult result = driver.turn(
        "go", {{"She flies to the isle. " + tag("move", kToIsle) + " What a view!"}}, Mode::kLive);
    EXPECT_EQ(result.status, Status::kCommitted);
    EXPECT_EQ(driver.asked.size(), 1U);
    EXPECT_TRUE(driver.withdrawn.empty());
    EXPECT_TRUE(driver.shown_while_asking.starts_with("She flies to the isle."));
    EXPECT_EQ(driver.shown, result.shown.str());
    EXPECT_EQ(driver.at("campaign.characters.hero.area_id"), "\"gate\"");
    EXPECT_NE(result.notice.str().find("move"), std::string::npos);
    // The next request tells of it, once.
    const Value pending = turn::pending_feedback(driver.state.meta);
    EXPECT_EQ(Game::in(pending, "failed_calls[0].code"), "\"not_connected\"");
    driver.turn("look", {{"Fog."}}, Mode::kLive);
    const auto tells = [&] {
        return std::ranges::any_of(driver.asked[0].messages, [](const prompt::Message& message) {
            return message.role == Role::kSystem &&
                   contains(message, "# 上一回合\n以下变化被拒绝") && contains(message, "- move：");
        });
    };
    EXPECT_TRUE(tells());
    EXPECT_TRUE(turn::pending_feedback(driver.state.meta).is_null());
    driver.turn("look", {{"Fog."}}, Mode::kLive);
    EXPECT_FALSE(tells());
}

// An accepted turn can have commands that were refused: the model hears of them in the next one.
TEST(Machine, RefusedCommandsOfAGuardedTurnAreToldNextTime) {
    Driver driver{Game()};
    const TurnResult result = driver.turn("go", {{R"(Fine. {"op":"delete","path":["silver"]})"}});
    EXPECT_EQ(result.status, Status::kCommitted);
    EXPECT_EQ(driver.asked.size(), 1U);
    EXPECT_EQ(Game::in(turn::pending_feedback(driver.state.meta), "refused_commands[0].path"),
              "\"silver\"");
}

TEST(Machine, DraftsAreShownAndWithdrawn) {
    Driver driver{Game()};
    driver.piece = 4;
    TurnRequest request;
    request.said = "go";
    request.shows_drafts = true;
    const TurnResult result = driver.turn(
        std::move(request), {{"She flies." + tag("move", kToIsle)}, {"She stays at the gate."}});
    EXPECT_EQ(result.status, Status::kCommitted);
    EXPECT_EQ(driver.shown_while_asking.substr(0, 10), "She flies.");
    ASSERT_EQ(driver.withdrawn.size(), 1U);
    EXPECT_EQ(driver.withdrawn[0].attempt, 1);
    EXPECT_EQ(Game::in(driver.withdrawn[0].feedback, "failed_calls[0].tool"), "\"move\"");
    EXPECT_EQ(driver.shown, "She stays at the gate.");
}

// A hint is for one prompt: neither the story nor the next turn knows it.
TEST(Machine, AHintIsTheLastMessageOfItsPromptOnly) {
    Driver driver{Game()};
    TurnRequest request;
    request.said = "go";
    request.hint = "shorter";
    EXPECT_EQ(driver.turn(std::move(request), {{"Gone."}}).status, Status::kCommitted);
    const prompt::Message last = driver.asked[0].messages.back();
    EXPECT_EQ(last.role, prompt::Role::kSystem);
    EXPECT_TRUE(last.content.view().ends_with("shorter")) << last.content.view();
    EXPECT_EQ(driver.kept->turn.said, "go");
    driver.turn("on", {{"Here."}});
    for (const prompt::Message& each : driver.asked[0].messages) {
        EXPECT_EQ(each.content.view().find("shorter"), std::string_view::npos);
    }
}

// proves: X-20
TEST(Machine, NativeCallsAreAnsweredByToolMessagesAndTheTurnGoesOn) {
    for (const Mode mode : {Mode::kGuarded, Mode::kLive}) {
        Driver driver{Game()};
        driver.piece = 4;
        const TurnResult result = driver.turn(
            "jump",
            {{"She jumps.", {native("a", "roll", kRoll), native("b", "hp_delta", kHurt)}},
             {"She lands."}},
            mode);
        ASSERT_EQ(result.status, Status::kCommitted);
        EXPECT_EQ(result.attempts, 1);
        ASSERT_EQ(driver.asked.size(), 2U);
        EXPECT_EQ(driver.asked[1].attempt, 1);
        EXPECT_EQ(driver.asked[1].round, 2);
        const auto& first = driver.asked[0].messages;
        const auto& second = driver.asked[1].messages;
        ASSERT_EQ(second.size(), first.size() + 3);
        EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin()));
        const prompt::Message& said = second[first.size()];
        EXPECT_EQ(said.role, Role::kAssistant);
        EXPECT_EQ(said.content.view(), "She jumps.");
        EXPECT_EQ(said.tool_calls.size(), 2U);
        const auto& verdicts = driver.kept->turn.finished.attempt.outcome.verdicts;
        ASSERT_EQ(verdicts.size(), 2U);
        for (const std::size_t i : {0U, 1U}) {
            const prompt::Message& answer = second[first.size() + 1 + i];
            EXPECT_EQ(answer.role, Role::kTool);
            EXPECT_EQ(answer.tool_call_id, i == 0 ? "a" : "b");
            // The model was told what has been committed.
            EXPECT_EQ(answer.content.view(), value::print_json(*verdicts[i].value));
        }
        EXPECT_EQ(result.shown.str(), "She jumps.\n\nShe lands.");
        EXPECT_EQ(driver.shown, result.shown.str());
        EXPECT_EQ(driver.kept->turn.raw, "She jumps.She lands.");
        EXPECT_EQ(driver.kept->turn.rounds, (std::vector<turn::Round>{{10, 2}, {20, 0}}));
        EXPECT_EQ(driver.kept->turn.usage, (turn::Usage{200, 2}));
        EXPECT_EQ(driver.at("campaign.characters.hero.hp.current"), "9");
        EXPECT_EQ(driver.at("campaign.turn"), "1");
        EXPECT_EQ(print(tests::replay(*driver.kept).attempt.candidate()), print(driver.state));
    }
}

TEST(Machine, CallsInTheTextAreAnsweredByOneSystemMessage) {
    Driver driver{Game()};
    const TurnResult result =
        driver.turn("jump", {{"She jumps." + tag("roll", kRoll, "a") + tag("roll", kRoll, "b")},
                             {"She lands." + tag("hp_delta", kHurt, "c")}});
    ASSERT_EQ(result.status, Status::kCommitted);
    ASSERT_EQ(driver.asked.size(), 2U);
    const auto& second = driver.asked[1].messages;
    ASSERT_EQ(second.size(), driver.asked[0].messages.size() + 2);
    EXPECT_EQ(second[second.size() - 2].role, Role::kAssistant);
    EXPECT_EQ(second.back().role, Role::kSystem);
    const turn::Attempt& attempt = driver.kept->turn.finished.attempt;
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_TRUE(contains(second.back(), value::print_json(*attempt.outcome.verdicts[i].value)));
    }
    EXPECT_EQ(driver.at("campaign.characters.hero.hp.current"), "9");
    // Spans are of the joined replies.
    const auto& raw = driver.kept->turn.raw;
    const proposal::Span span = attempt.reading.proposals[2].span;
    EXPECT_NE(raw.substr(span.begin, span.end - span.begin).find("hp_delta"), std::string::npos);
    EXPECT_EQ(print(tests::replay(*driver.kept).attempt.candidate()), print(driver.state));
}

TEST(Machine, BothWaysOfCallingInOneReply) {
    Driver driver{Game()};
    driver.turn("jump", {{"She jumps." + tag("roll", kRoll, "a"), {native("b", "roll", kRoll)}},
                         {"She lands."}});
    ASSERT_EQ(driver.asked.size(), 2U);
    const auto& second = driver.asked[1].messages;
    ASSERT_EQ(second.size(), driver.asked[0].messages.size() + 3);
    EXPECT_EQ(second[second.size() - 2].role, Role::kTool);
    EXPECT_EQ(second[second.size() - 2].tool_call_id, "b");
    EXPECT_EQ(second.back().role, Role::kSystem);
    EXPECT_TRUE(contains(second.back(), "- a roll"));
    EXPECT_FALSE(contains(second.back(), "- b roll"));
}

TEST(Machine, RoundsAreBounded) {
    Driver driver{Game()};
    std::vector<Answer> answers;
    for (int i = 0; i < 9; ++i) {
        answers.push_back({"Again." + tag("roll", kRoll, "c" + std::to_string(i))});
    }
    const TurnResult result = driver.turn("jump", answers);
    EXPECT_EQ(result.status, Status::kCommitted);
    EXPECT_EQ(driver.asked.size(), static_cast<std::size_t>(base::kToolRoundsMax));
    EXPECT_EQ(driver.kept->turn.rounds.size(), driver.asked.size());
    EXPECT_EQ(driver.kept->turn.finished.attempt.tool_results.size(), driver.asked.size());
}

// Every round of an attempt that fails is dropped, and the dice fall as they fell.
TEST(Machine, AnAttemptOfSeveralRoundsIsMadeAgainWhole) {
    Driver driver{Game()};
    const TurnResult result = driver.turn("jump", {{"She jumps." + tag("roll", kRoll)},
                                                   {"She flies." + tag("move", kToIsle, "c2")},
                                                   {"She jumps, carefully." + tag("roll", kRoll)},
                                                   {"She lands."}});
    ASSERT_EQ(result.status, Status::kCommitted);
    ASSERT_EQ(driver.asked.size(), 4U);
    EXPECT_EQ(driver.asked[2].attempt, 2);
    EXPECT_EQ(driver.asked[2].round, 1);
    EXPECT_EQ(driver.asked[2].messages.size(), driver.asked[0].messages.size() + 1);
    EXPECT_EQ(driver.asked[3].round, 2);
    EXPECT_EQ(driver.asked[1].messages.back(), driver.asked[3].messages.back());
    EXPECT_EQ(result.shown.str(), "She jumps, carefully.\n\nShe lands.");
    EXPECT_EQ(driver.kept->turn.trace.size(), 2U);
}

TEST(Machine, SpendingHasCaps) {
    Game game;
    game.sets(R"({"spend.turn_calls_max":2})");
    Driver turns(game);
    const TurnResult capped = turns.turn("go", {{tag("summon", "{}")}});
    EXPECT_EQ(capped.status, Status::kOverSpent);
    EXPECT_EQ(turns.asked.size(), 2U);
    EXPECT_NE(capped.notice.str().find("spend.turn_calls_max"), std::string::npos);
    EXPECT_FALSE(turns.kept.has_value());
    // So do the rounds of one attempt.
    std::vector<Answer> rolls;
    for (int i = 0; i < 4; ++i) {
        rolls.push_back({tag("roll", kRoll, "c" + std::to_string(i))});
    }
    EXPECT_EQ(turns.turn("go", rolls).status, Status::kOverSpent);
    EXPECT_EQ(turns.asked.size(), 2U);
    EXPECT_EQ(turns.uncommitted, (turn::Usage{400, 4}));
    // A campaign's cap counts what came to nothing as well, and what was committed.
    game.sets(R"({"spend.turn_calls_max":0,"spend.campaign_tokens_max":250})");
    Driver campaign(game);
    EXPECT_EQ(
        campaign.turn("go", {{"Half", {}, 0, base::Error{base::ErrorCode::kModelCutOff}}}).status,
        Status::kFailed);
    campaign.uncommitted.tokens = 100;
    EXPECT_EQ(campaign.turn("go", {{"Fine."}}).status, Status::kCommitted);
    EXPECT_EQ(turn::usage_of(campaign.state.meta), (turn::Usage{200, 2}));
    EXPECT_EQ(campaign.turn("go", {{"Fine."}}).status, Status::kCommitted);
    EXPECT_EQ(campaign.turn("go", {{"Fine."}}).status, Status::kOverSpent);
    EXPECT_TRUE(campaign.asked.empty());
}

TEST(Machine, ACancelledOrFailedCallIsCountedOnce) {
    Driver driver{Game()};
    driver.piece = 2;
    const engine::State before = driver.state;
    Answer answer{"A long way."};
    answer.cancel_after = 2;
    const TurnResult cancelled = driver.turn("go", {answer}, Mode::kLive);
    EXPECT_EQ(cancelled.status, Status::kCancelled);
    EXPECT_EQ(cancelled.usage, (turn::Usage{0, 1}));
    EXPECT_FALSE(cancelled.error.has_value());
    const TurnResult stopped =
        driver.turn("go", {{"A long", {}, 0, base::Error{base::ErrorCode::kModelCancelled}}});
    EXPECT_EQ(stopped.status, Status::kCancelled);
    const TurnResult failed =
        driver.turn("go", {{"She flies." + tag("move", kToIsle)},
                           {"A long", {}, 0, base::Error{base::ErrorCode::kModelCutOff}}});
    EXPECT_EQ(failed.status, Status::kFailed);
    ASSERT_TRUE(failed.error.has_value());
    EXPECT_EQ(failed.error->code, base::ErrorCode::kModelCutOff);
    EXPECT_EQ(failed.usage, (turn::Usage{100, 2}));
    EXPECT_EQ(driver.state, before);
    EXPECT_EQ(driver.number, 0);
    driver.turn("go", {{"Fine."}});
    EXPECT_EQ(turn::usage_of(driver.state.meta), (turn::Usage{200, 5}));
    EXPECT_EQ(driver.at("campaign.turn"), "1");
    // They are in the record of the turn that was committed, and in none after it.
    EXPECT_EQ(print(tests::replay(*driver.kept).attempt.candidate()), print(driver.state));
    driver.turn("go", {{"Fine."}});
    EXPECT_EQ(turn::usage_of(driver.state.meta), (turn::Usage{300, 6}));
}

TEST(Machine, ATurnThatCannotBeCommittedLeavesNothing) {
    Driver driver{Game()};
    const engine::State before = driver.state;
    driver.disk = base::Error{base::ErrorCode::kHeadMoved};
    const TurnResult result = driver.turn("go", {{"She goes in." + tag("move", kToHall)}});
    EXPECT_EQ(result.status, Status::kFailed);
    ASSERT_TRUE(result.error.has_value());
    EXPECT_EQ(result.error->code, base::ErrorCode::kHeadMoved);
    EXPECT_TRUE(result.shown.empty() && driver.shown.empty());
    EXPECT_EQ(driver.state, before);
    driver.disk.reset();
    EXPECT_EQ(driver.turn("go", {{"She goes in." + tag("move", kToHall)}}).status,
              Status::kCommitted);
    EXPECT_EQ(driver.at("campaign.characters.hero.area_id"), "\"hall\"");
    EXPECT_EQ(turn::usage_of(driver.state.meta), (turn::Usage{200, 2}));
}

// proves: A1-4
TEST(Machine, NoTurnBeginsWhereNobodyCanAct) {
    Game game;
    game.plays(
        {tests::call_of("hp_delta", R"({"target_character_id":"hero","delta":-99,"cause":"x"})")});
    Driver driver(game);
    const TurnResult result = driver.turn("go", {{"Nobody asks."}});
    EXPECT_EQ(result.status, Status::kBlocked);
    EXPECT_FALSE(result.notice.empty());
    EXPECT_TRUE(driver.asked.empty());
    EXPECT_EQ(result.usage, turn::Usage());
}

// proves: S1-10
TEST(Machine, AHiddenGoalIsMaskedInEveryTextForThePlayer) {
    const Game game(
        R"({"goal":{"ultimate_goal_text":"Light the old lighthouse","is_hidden":true}})");
    for (const Mode mode : {Mode::kGuarded, Mode::kLive}) {
        for (const std::size_t piece : {0U, 1U, 7U}) {
            Driver driver(game);
            driver.piece = piece;
            const TurnResult result = driver.turn(
                "go",
                {{"You must light the OLD light-house! " + tag("roll", kRoll) +
                  tag("move", R"({"actor_id":"Light the old lighthouse","to_area_id":"hall"})",
                      "c2") +
                  "Light the"},
                 {"old lighthouse, I say."}},
                mode == Mode::kLive ? mode : Mode::kGuarded);
            const std::string said = driver.shown + result.shown.str() + result.notice.str();
            EXPECT_EQ(said.find("light-house"), std::string::npos) << said;
            EXPECT_EQ(said.find("old lighthouse"), std::string::npos) << said;
            if (mode == Mode::kLive) {
                EXPECT_EQ(result.status, Status::kCommitted);
                EXPECT_EQ(driver.shown, result.shown.str());
                EXPECT_TRUE(result.shown.str().ends_with(", I say.")) << result.shown.str();
                // The campaign itself keeps what was said.
                EXPECT_NE(driver.kept->turn.finished.attempt.reading.text.find("light-house"),
                          std::string::npos);
            }
        }
    }
}

// proves: X-20
TEST(Machine, AStreamedReplyIsTheSameTurnHoweverItIsCut) {
    const std::vector<Answer> answers = {
        {"她跳了。<think>嗯</think>" + tag("roll", kRoll, "a") + "\n```json\n[{\"op\":\"assign\"," +
         "\"path\":[\"gold\"],\"value\":3}]\n```\n点亮灯塔吧！"},
        {"她落在大厅。" + tag("move", kToHall, "b") + "好。"}};
    for (const Mode mode : {Mode::kGuarded, Mode::kLive}) {
        std::string whole;
        std::string shown;
        for (std::size_t piece = 0; piece <= answers[0].text.size(); ++piece) {
            Driver driver(Game(R"({"goal":{"ultimate_goal_text":"点亮灯塔","is_hidden":true}})",
                               R"({"gold":1})"));
            driver.piece = piece;
            const TurnResult result = driver.turn("跳", answers, mode);
            ASSERT_EQ(result.status, Status::kCommitted);
            if (piece == 0) {
                whole = print(*driver.kept);
                shown = driver.shown;
                EXPECT_EQ(driver.at("gold"), "3");
                EXPECT_EQ(driver.asked.size(), 2U);
                EXPECT_EQ(shown.find("点亮灯塔"), std::string::npos);
            }
            ASSERT_EQ(print(*driver.kept), whole) << piece;
            ASSERT_EQ(driver.shown, shown) << piece;
            ASSERT_EQ(result.shown.str(), shown) << piece;
        }
    }
}

// chat.passthrough_blocks: a chat client gets the text with its blocks, however it is cut and in
// both modes; the turn is the same as without, and thinking and secrets stay hidden.
TEST(Machine, AChatClientMayGetTheBlocksOfAReply) {
    const std::string block =
        "\n```json\n[{\"op\":\"assign\",\"path\":[\"gold\"],\"value\":3}]\n```\n";
    const std::string call = tag("roll", kRoll, "a");
    const std::vector<Answer> answers = {
        {"她跳了。<think>嗯</think>" + block + call + "点亮灯塔吧！"}, {"她落地。"}};
    const std::string expected = "她跳了。" + block + call;
    for (const Mode mode : {Mode::kGuarded, Mode::kLive}) {
        std::string kept;
        for (std::size_t piece = 0; piece <= answers[0].text.size(); piece += piece < 20 ? 1 : 17) {
            for (const bool passes : {false, true}) {
                Game game(R"({"goal":{"ultimate_goal_text":"点亮灯塔","is_hidden":true}})",
                          R"({"gold":1})");
                game.sets(passes ? R"({"chat.passthrough_blocks":true})"
                                 : R"({"chat.passthrough_blocks":false})");
                Driver driver(game);
                driver.piece = piece;
                turn::TurnRequest request;
                request.said = "跳";
                request.mode = mode;
                request.chat = turn::ClientChat{{{Role::kUser, value::Str("跳")}}};
                const TurnResult result = driver.turn(request, answers);
                ASSERT_EQ(result.status, Status::kCommitted);
                EXPECT_EQ(driver.at("gold"), "3");
                const turn::Attempt& attempt = driver.kept->turn.finished.attempt;
                kept = kept.empty() ? attempt.reading.text : kept;
                ASSERT_EQ(attempt.reading.text, kept) << piece;
                ASSERT_EQ(driver.shown, result.shown.str()) << piece;
                EXPECT_EQ(driver.shown.find("嗯"), std::string::npos);
                EXPECT_EQ(driver.shown.find("点亮灯塔"), std::string::npos);
                ASSERT_EQ(driver.shown.starts_with(expected), passes) << driver.shown;
                EXPECT_EQ(driver.shown.find("tool_call") != std::string::npos, passes);
            }
        }
    }
}

// A reply at hand is committed whatever was refused of it, and asks no model.
TEST(Machine, ASuppliedReplyIsAppliedOnce) {
    Driver driver{Game()};
    turn::SuppliedReply reply;
    reply.text = "She flies." + tag("move", kToIsle, "a") + tag("roll", kRoll, "b");
    reply.tool_calls = {native("c", "hp_delta", kHurt), native("d", "move", "{not json")};
    reply.proposals = {tests::command(proposal::Op::kSet, "gold", 7)};
    const TurnResult result = driver.apply(reply);
    EXPECT_EQ(result.status, Status::kCommitted);
    EXPECT_TRUE(driver.asked.empty());
    EXPECT_EQ(result.usage, turn::Usage());
    EXPECT_EQ(result.attempt.failed_calls.size(), 2U);
    EXPECT_EQ(driver.at("campaign.characters.hero.hp.current"), "9");
    EXPECT_EQ(driver.at("gold"), "7");
    EXPECT_FALSE(turn::pending_feedback(driver.state.meta).is_null());
    EXPECT_EQ(print(tests::replay(*driver.kept).attempt.candidate()), print(driver.state));
    EXPECT_EQ(turn::usage_of(driver.state.meta), turn::Usage());
    // Calls of a turn that came to nothing are kept with the next one, whatever it is.
    driver.uncommitted = {30, 2};
    driver.apply({});
    EXPECT_EQ(turn::usage_of(driver.state.meta), (turn::Usage{30, 2}));
    EXPECT_EQ(print(tests::replay(*driver.kept).attempt.candidate()), print(driver.state));
}

// Acceptance ledger D1: bytes that are not UTF-8 are U+FFFD in everything that is kept, and the
// spans of commands are those of the repaired text.
TEST(Machine, BrokenBytesAreRepairedAtTheDoor) {
    const std::string kCommand = R"({"op":"assign","path":["gold"],"value":7})";
    for (const std::size_t piece : {0U, 1U, 3U}) {
        Driver driver{Game()};
        driver.piece = piece;
        const TurnResult result = driver.turn("I say a\xff",
                                              {{"The wind is cold\xe9\x9b " + kCommand + "\xc0!",
                                                {native("c\xff", "move\xff", "{\"a\":\"\xff\"}")}}},
                                              turn::Mode::kLive);
        ASSERT_EQ(result.status, Status::kCommitted);
        const turn::PendingTurn& kept = driver.kept->turn;
        EXPECT_EQ(kept.said, "I say a\uFFFD");
        EXPECT_EQ(kept.raw, "The wind is cold\uFFFD " + kCommand + "\uFFFD!");
        EXPECT_EQ(driver.at("gold"), "7");
        const auto& proposals = result.attempt.reading.proposals;
        ASSERT_EQ(proposals.size(), 2U);
        EXPECT_EQ(kept.raw.substr(proposals[0].span.begin,
                                  proposals[0].span.end - proposals[0].span.begin),
                  kCommand);
        EXPECT_EQ(proposals[1].tool_call()->tool.view(), "move\uFFFD");
        EXPECT_EQ(proposals[1].tool_call()->id.view(), "c\uFFFD");
        EXPECT_EQ(print(tests::replay(*driver.kept).attempt.candidate()), print(driver.state));
    }
}

// Acceptance ledger D1b: a text that is too long is refused, streamed or whole, and nothing
// changes.
TEST(Machine, TextsThatAreTooLongAreRefused) {
    const std::string most(base::kTurnTextBytesMax, 'x');
    Driver driver{Game()};
    const auto code = [](const TurnResult& result) {
        return result.error ? std::optional(result.error->code) : std::nullopt;
    };
    turn::SuppliedReply reply;
    reply.text = most;
    EXPECT_EQ(driver.apply(reply).status, Status::kCommitted);
    reply.text += 'x';
    EXPECT_EQ(code(driver.apply(reply)), base::ErrorCode::kReplyTooLong);
    reply.text = std::string(base::kTurnTextBytesMax / 2, '\xff');  // three bytes each
    EXPECT_EQ(code(driver.apply(reply)), base::ErrorCode::kReplyTooLong);
    reply.text = "";
    reply.said = most + "x";
    EXPECT_EQ(code(driver.apply(reply)), base::ErrorCode::kSaidTooLong);
    EXPECT_EQ(code(driver.turn(most + "x", {{"no"}})), base::ErrorCode::kSaidTooLong);
    reply.said = "";
    reply.tool_calls = {native("a", "move", most + "x")};
    EXPECT_EQ(code(driver.apply(reply)), base::ErrorCode::kReplyTooLong);
    driver.piece = std::size_t{1} << 20;
    for (const turn::Mode mode : {turn::Mode::kLive, turn::Mode::kGuarded}) {
        const TurnResult streamed = driver.turn("go", {{most + most}}, mode);
        EXPECT_EQ(streamed.status, Status::kFailed);
        EXPECT_EQ(code(streamed), base::ErrorCode::kReplyTooLong);
        EXPECT_EQ(streamed.usage.calls, 1);
    }
}

}  // namespace
}  // namespace arbiter
