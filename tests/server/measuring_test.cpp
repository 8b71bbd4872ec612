// Goal: every call of the model and every commit is counted once, with its outcome.
#include "server/measuring.h"

#include <gtest/gtest.h>

namespace arbiter::server {
namespace {

// Answers when the test says so.
class HeldModel final : public model::AsyncModel {
  public:
    [[nodiscard]] std::unique_ptr<model::PendingAnswer> ask(model::Request,
                                                            model::AnswerCallbacks callbacks,
                                                            model::Post) override {
        done = std::move(callbacks.on_done);
        return std::make_unique<model::PendingAnswer>();
    }
    [[nodiscard]] bool takes_tools() const override { return true; }

    std::function<void(base::Result<model::Reply>)> done;
};

TEST(Measuring, CallsOfTheModelAreCountedByOutcome) {
    Metrics metrics;
    EXPECT_EQ(measured_model(nullptr, metrics), nullptr);
    const auto held = std::make_shared<HeldModel>();
    const auto model = measured_model(held, metrics);
    EXPECT_TRUE(model->takes_tools());
    std::size_t answered = 0;
    const auto ask = [&] {
        return model->ask({}, {nullptr, [&](const base::Result<model::Reply>&) { ++answered; }},
                          {});
    };
    {
        const auto pending = ask();
        model::Reply reply;
        reply.usage = {.prompt = 100, .completion = 20};
        held->done(reply);
    }
    {
        const auto pending = ask();
        held->done(base::fail(base::ErrorCode::kModelTimeout));
    }
    {
        const auto pending = ask();  // and gives up
    }
    EXPECT_EQ(answered, 2U);
    EXPECT_EQ(metrics.model_calls.at({"ok"}).value(), 1U);
    EXPECT_EQ(metrics.model_calls.at({"model_timeout"}).value(), 1U);
    EXPECT_EQ(metrics.model_calls.at({"cancelled"}).value(), 1U);
    EXPECT_EQ(metrics.model_tokens.at({"prompt"}).value(), 100U);
    EXPECT_EQ(metrics.model_tokens.at({"completion"}).value(), 20U);
    std::uint64_t observed = 0;
    for (const std::uint64_t count : metrics.model_seconds.snapshot().counts) {
        observed += count;
    }
    EXPECT_EQ(observed, 3U);
}

TEST(Measuring, CommitsAreCountedByOutcome) {
    Metrics metrics;
    const auto memory = ledger::open_store("memory:").value();
    MeasuredStore store(*memory, metrics);
    ledger::Commit create;
    create.campaign = "a";
    create.create = ledger::CampaignRow{"a", "A", 0, {}, {}};
    EXPECT_TRUE(store.commit(create));
    EXPECT_FALSE(store.commit(create));
    EXPECT_EQ(store.campaigns()->size(), 1U);
    EXPECT_EQ(metrics.commits.at({"ok"}).value(), 1U);
    EXPECT_EQ(metrics.commits.at({"campaign_exists"}).value(), 1U);
}

}  // namespace
}  // namespace arbiter::server
