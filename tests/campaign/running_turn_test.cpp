// Goal: a turn that blocks no thread leads to the same bytes as a blocking one, and a turn that is
// played again becomes a sibling without moving the head before it is committed.
#include "campaign/running_turn.h"

#include <condition_variable>
#include <deque>
#include <mutex>

#include "tests/campaign/support.h"

namespace arbiter::campaign {
namespace {

using turn::Status;
using turn::TurnResult;

// Runs posted work on the thread of the test.
class Executor {
  public:
    model::Post post() {
        return [this](std::function<void()> work) {
            const std::scoped_lock lock(lock_);
            queue_.push_back(std::move(work));
            changed_.notify_one();
        };
    }
    void run_until(const std::function<bool()>& is_done) {
        while (!is_done()) {
            std::unique_lock lock(lock_);
            changed_.wait(lock, [this] { return !queue_.empty(); });
            const auto work = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            work();
        }
    }

  private:
    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> queue_;
};

class RunningTurnTest : public Fixture {
  protected:
    using Outcome = std::optional<base::Result<TurnResult>>;

    static std::unique_ptr<model::AsyncModel> narrator(const std::vector<std::string>& replies) {
        return model::make_async(std::make_unique<model::Scripted>(says_script(replies)));
    }
    static model::Script says_script(const std::vector<std::string>& replies) {
        model::Script script;
        for (const std::string& reply : replies) {
            model::Answer answer;
            answer.say = reply;
            answer.pieces = {1, 5};
            model::Line line;
            line.times = 1;
            line.answers.push_back(std::move(answer));
            script.lines.push_back(std::move(line));
        }
        return script;
    }
    std::function<void()> start(Session& played, const turn::TurnRequest& request,
                                model::AsyncModel& model, const TurnCondition& condition,
                                Outcome& outcome) {
        return start_turn(
            played, request, condition,
            {model, committer, executor.post(),
             [this](const table::PlayerText& text) { shown += text.str(); },
             [this](std::int64_t, const value::Value&) { shown.clear(); },
             [&outcome](base::Result<TurnResult> result) { outcome = std::move(result); }});
    }
    base::Result<TurnResult> play(Session& played, const turn::TurnRequest& request,
                                  model::AsyncModel& model, const TurnCondition& condition = {}) {
        Outcome outcome;
        start(played, request, model, condition, outcome);
        executor.run_until([&] { return outcome.has_value(); });
        return *std::move(outcome);
    }

    Executor executor;
    ledger::Committer committer{*store};
    std::string shown;
};

TEST_F(RunningTurnTest, LeadsToTheSameTurnAsABlockingOne) {
    const std::vector<std::string> replies = {
        "她冲进金库。" + tool("move", R"({"actor_id":"hero","to_area_id":"vault"})"),
        "她走进大厅。" + tool("move", R"({"actor_id":"hero","to_area_id":"hall"})", "c2")};
    begin();
    const TurnResult blocking = turn("我走进大厅", replies);
    ASSERT_EQ(blocking.status, Status::kCommitted);
    const turn::TurnRequest same = request("我走进大厅", 2000);

    store = ledger::make_memory_store();
    begin();
    ledger::Committer other(*store);
    const auto model = narrator(replies);
    Outcome outcome;
    start_turn(*session, same, {},
               {*model,
                other,
                executor.post(),
                [this](const table::PlayerText& text) { shown += text.str(); },
                {},
                [&](base::Result<TurnResult> result) { outcome = std::move(result); }});
    executor.run_until([&] { return outcome.has_value(); });
    ASSERT_TRUE(*outcome);
    EXPECT_EQ((*outcome)->id, blocking.id);
    EXPECT_EQ((*outcome)->attempts, 2);
    EXPECT_EQ(shown, "她走进大厅。");
    EXPECT_EQ(session->campaign().head().hex(), blocking.id);
    expect_replays();
}

TEST_F(RunningTurnTest, ACancelledTurnChangesNothingAndLeavesTheSessionFree) {
    begin();
    const std::string before = session->campaign().head().hex();
    const auto model = narrator({"她走进大厅。", "风声。"});
    Outcome first;
    Outcome second;
    const auto cancel = start(*session, request("走", now()), *model, {}, first);
    start(*session, request("又走", now()), *model, {}, second);
    cancel();
    executor.run_until([&] { return first.has_value() && second.has_value(); });
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->status, Status::kCancelled);
    ASSERT_FALSE(*second);
    EXPECT_EQ(second->error().code, base::ErrorCode::kCampaignBusy);
    EXPECT_EQ(session->campaign().head().hex(), before);
    const auto next = play(*session, request("听", now()), *model);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->status, Status::kCommitted);
}

TEST_F(RunningTurnTest, AKeyIsStoredOnce) {
    begin();
    const auto model = narrator({"风声。", "雨声。"});
    const TurnCondition condition{.key = "k1"};
    const auto first = play(*session, request("听", 2000), *model, condition);
    const auto again = play(*session, request("听", 3000), *model, condition);
    ASSERT_TRUE(first && again);
    EXPECT_EQ(first->id, again->id);
    EXPECT_TRUE(again->already_stored);
}

TEST_F(RunningTurnTest, ATurnPlayedAgainIsASibling) {
    begin();
    const auto root = session->campaign().head();
    const TurnResult first =
        turn("听", {"她受了伤。" + tool("hp_delta", R"({"target_character_id":"hero",)"
                                                    R"("delta":-2,"cause":"落石"})")});
    ASSERT_EQ(first.status, Status::kCommitted);
    const auto again = Session::open_at(*store, "c", root, options()).value();
    EXPECT_EQ(store->campaign("c")->head->hex(), first.id);
    const auto model = narrator({"只有风声。"});
    const auto second = play(*again, request("听", now()), *model);
    ASSERT_TRUE(second) << base::explain(second.error(), base::Language::kEnglish);
    EXPECT_EQ(store->campaign("c")->head->hex(), second->id);
    ASSERT_TRUE(session->refresh().value());
    EXPECT_EQ(at("campaign.characters.hero.hp.current"), "10");
    EXPECT_EQ(session->campaign().record(session->campaign().head())->parent, root);
    expect_replays();
}

TEST_F(RunningTurnTest, ATurnPlayedAgainGivesWayToAnotherWriter) {
    begin();
    const auto root = session->campaign().head();
    turn("听", {"风声。"});
    const auto again = Session::open_at(*store, "c", root, options()).value();
    const TurnResult other = turn("等", {"雨声。"});
    const auto model = narrator({"雷声。"});
    const auto second = play(*again, request("听", now()), *model);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, base::ErrorCode::kHeadMoved);
    EXPECT_EQ(store->campaign("c")->head->hex(), other.id);
}

}  // namespace
}  // namespace arbiter::campaign
