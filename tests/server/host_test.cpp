// Goal: changes of one campaign happen one after another, viewers learn of every change wherever it
// was made, and can go on from the last event that they saw.
#include "server/host.h"

#include <gtest/gtest.h>

#include <future>

#include "campaign/create.h"
#include "campaign/running_turn.h"
#include "config/rulebooks.h"
#include "ledger/store/memory.h"
#include "model/scripted.h"
#include "value/json.h"

namespace arbiter::server {
namespace {

using namespace std::chrono_literals;

class HostTest : public testing::Test {
  protected:
    HostTest() {
        create("a");
        model::Script script;
        script.otherwise.emplace().say = "风声。";
        host->set_model(model::make_async(std::make_unique<model::Scripted>(std::move(script))));
    }
    void create(const std::string& id) {
        campaign::CampaignSetup setup;
        setup.id = id;
        setup.name = id;
        setup.now = 1000;
        setup.world = config::load_world("auto").value();
        std::vector<base::Error> warnings;
        ASSERT_TRUE(campaign::create_campaign(
            *store, std::move(setup), campaign::SessionOptions{config::Protocols()}, warnings));
    }
    static HostOptions options() {
        HostOptions options{campaign::SessionOptions{config::Protocols()}};
        options.workers = 3;
        options.jobs_max = 2;
        return options;
    }
    // Plays a turn as the server does, and waits for it.
    base::Result<turn::TurnResult> turn(const std::string& id, const std::string& said) {
        std::promise<base::Result<turn::TurnResult>> promise;
        const auto session = host->session(id).value();
        const auto model = host->model(id);
        EXPECT_TRUE(host->enqueue(id, [&](const model::Post& post, const Host::Done& done) {
            turn::TurnRequest request;
            request.said = said;
            request.now = host->now();
            campaign::start_turn(*session, request, {},
                                 {*model,
                                  host->committer(),
                                  post,
                                  {},
                                  {},
                                  [&promise, done](base::Result<turn::TurnResult> result) {
                                      done();
                                      promise.set_value(std::move(result));
                                  }});
        }));
        return promise.get_future().get();
    }
    // Waits until everything that was queued for a campaign is done and told.
    void settle(const std::string& id) {
        std::promise<void> promise;
        while (!host->enqueue(id, [&](const model::Post&, const Host::Done& done) {
            done();
            promise.set_value();
        })) {
            std::this_thread::sleep_for(1ms);
        }
        promise.get_future().wait();
    }

    std::unique_ptr<ledger::Store> store = ledger::make_memory_store();
    std::unique_ptr<Host> host = std::make_unique<Host>(*store, options());
};

TEST_F(HostTest, JobsOfOneCampaignRunOneAfterAnother) {
    create("b");
    ASSERT_TRUE(host->session("a") && host->session("b"));
    std::promise<void> other;
    std::promise<Host::Done> first;
    ASSERT_TRUE(host->enqueue(
        "a", [&](const model::Post&, Host::Done done) { first.set_value(std::move(done)); }));
    const Host::Done finish = first.get_future().get();
    bool second = false;
    ASSERT_TRUE(host->enqueue("a", [&](const model::Post&, const Host::Done& done) {
        second = true;
        done();
    }));
    // Another campaign does not wait, and a queue has an end.
    ASSERT_TRUE(host->enqueue("b", [&](const model::Post&, const Host::Done& done) {
        done();
        other.set_value();
    }));
    other.get_future().wait();
    EXPECT_FALSE(second);
    EXPECT_TRUE(host->enqueue("a", [](const model::Post&, const Host::Done& done) { done(); }));
    EXPECT_FALSE(host->enqueue("a", [](const model::Post&, const Host::Done& done) { done(); }));
    finish();
    settle("a");
    EXPECT_TRUE(second);
}

TEST_F(HostTest, ViewersLearnOfTurnsHereAndElsewhere) {
    std::mutex lock;
    std::vector<std::string> seen;
    const auto subscription = host->events().subscribe("a", [&](const Event& event) {
        const std::scoped_lock guard(lock);
        seen.push_back(event.type + " " + event.id);
    });
    ASSERT_TRUE(turn("a", "听"));
    settle("a");
    const std::string head = host->session("a").value()->campaign().head().hex();
    // Another process.
    auto elsewhere =
        campaign::Session::open(*store, "a", campaign::SessionOptions{config::Protocols()}).value();
    turn::SuppliedReply reply;
    reply.text = "雨声。";
    ASSERT_TRUE(elsewhere->apply(reply));
    host->follow("a");
    settle("a");
    const std::string moved = elsewhere->campaign().head().hex();
    const std::scoped_lock guard(lock);
    EXPECT_EQ(seen, (std::vector<std::string>{"turn " + head, "head " + head, "turn " + moved,
                                              "head " + moved}));
}

TEST_F(HostTest, AViewerGoesOnFromItsLastEvent) {
    ASSERT_TRUE(turn("a", "听"));
    settle("a");
    const auto session = host->session("a").value();
    const ledger::TurnId first = session->campaign().head();
    ASSERT_TRUE(turn("a", "等"));
    settle("a");
    const ledger::TurnId second = session->campaign().head();
    const auto missed = missed_events(*session, first).value().events;
    ASSERT_EQ(missed.size(), 2U);
    EXPECT_EQ(missed[0].type, "turn");
    EXPECT_EQ(missed[0].id, second.hex());
    EXPECT_NE(value::print_json(missed[0].data.get()).find(R"("said":"等","shown":"风声。")"),
              std::string::npos);
    EXPECT_TRUE(missed_events(*session, second).value().events.empty());
    // From a branch that was left there is no way; the viewer is told where the head is.
    ASSERT_TRUE(session->rollback(first));
    const auto back = missed_events(*session, second).value().events;
    ASSERT_EQ(back.size(), 1U);
    EXPECT_EQ(back[0].type, "head");
    EXPECT_EQ(back[0].id, first.hex());
}

TEST_F(HostTest, AViewerMayKnowMoreThanTheServer) {
    ASSERT_TRUE(turn("a", "听"));
    settle("a");
    const auto session = host->session("a").value();
    // Another process, whose viewer comes here before we have followed.
    auto elsewhere =
        campaign::Session::open(*store, "a", campaign::SessionOptions{config::Protocols()}).value();
    std::vector<ledger::TurnId> played;
    for (const char* text : {"雨声。", "雷声。"}) {
        turn::SuppliedReply reply;
        reply.text = text;
        ASSERT_TRUE(elsewhere->apply(reply));
        played.push_back(elsewhere->campaign().head());
    }
    const auto missed = missed_events(*session, played[1]).value();
    EXPECT_TRUE(missed.events.empty());
    EXPECT_EQ(missed.ahead, (std::vector{played[1], played[0]}));
}

TEST_F(HostTest, UnknownCampaignsAreNotKept) {
    const auto unknown = host->session("nowhere");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, base::ErrorCode::kCampaignUnknown);
    EXPECT_EQ(host->open_sessions(), 0U);
}

}  // namespace
}  // namespace arbiter::server
