#include "server/measuring.h"

#include <algorithm>

#include "base/messages.h"
#include "server/workers.h"

namespace arbiter::server {
namespace {

using Clock = std::chrono::steady_clock;

// One call of the model. Its callbacks and its end are on one executor.
class Measurement {
  public:
    explicit Measurement(Metrics& metrics) : metrics_(metrics) {}
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;

    void end(std::string_view outcome) {
        if (!is_over_) {
            is_over_ = true;
            metrics_.model_calls.at({outcome}).add();
            metrics_.model_seconds.observe(Clock::now() - began_);
        }
    }
    void end(const base::Result<model::Reply>& reply) {
        end(reply ? "ok" : base::name(reply.error().code));
        if (reply) {
            count("prompt", reply->usage.prompt);
            count("completion", reply->usage.completion);
        }
    }

  private:
    void count(std::string_view kind, std::int64_t tokens) {
        metrics_.model_tokens.at({kind}).add(
            static_cast<std::uint64_t>(std::max<std::int64_t>(tokens, 0)));
    }

    Metrics& metrics_;
    const Clock::time_point began_ = Clock::now();
    bool is_over_ = false;
};

class MeasuredAnswer final : public model::PendingAnswer {
  public:
    MeasuredAnswer(std::unique_ptr<PendingAnswer> answer, std::shared_ptr<Measurement> measurement)
        : answer_(std::move(answer)), measurement_(std::move(measurement)) {}
    ~MeasuredAnswer() override { measurement_->end("cancelled"); }

  private:
    std::unique_ptr<PendingAnswer> answer_;
    std::shared_ptr<Measurement> measurement_;
};

class MeasuredModel final : public model::AsyncModel {
  public:
    MeasuredModel(std::shared_ptr<AsyncModel> model, Metrics& metrics)
        : model_(std::move(model)), metrics_(metrics) {}

    [[nodiscard]] std::unique_ptr<model::PendingAnswer> ask(model::Request request,
                                                            model::AnswerCallbacks callbacks,
                                                            model::Post post) override {
        auto measurement = std::make_shared<Measurement>(metrics_);
        callbacks.on_done =
            [measurement, done = std::move(callbacks.on_done)](base::Result<model::Reply> reply) {
                measurement->end(reply);
                done(std::move(reply));
            };
        auto answer = model_->ask(std::move(request), std::move(callbacks), std::move(post));
        return std::make_unique<MeasuredAnswer>(std::move(answer), std::move(measurement));
    }
    [[nodiscard]] bool takes_tools() const override { return model_->takes_tools(); }

  private:
    std::shared_ptr<AsyncModel> model_;
    Metrics& metrics_;
};

}  // namespace

std::vector<base::Result<>> MeasuredStore::commit_all(std::span<const ledger::Commit> commits) {
    const Workers::Wait wait;
    const auto began = Clock::now();
    auto results = inner_.commit_all(commits);
    const auto took = Clock::now() - began;
    for (const base::Result<>& result : results) {
        metrics_.commits.at({result ? "ok" : base::name(result.error().code)}).add();
        metrics_.commit_seconds.observe(took);
    }
    return results;
}

base::Result<ledger::CampaignRow> MeasuredStore::campaign(std::string_view id) {
    const Workers::Wait wait;
    return inner_.campaign(id);
}

base::Result<std::optional<ledger::TurnRow>> MeasuredStore::turn(std::string_view campaign,
                                                                 const ledger::TurnId& id) {
    const Workers::Wait wait;
    return inner_.turn(campaign, id);
}

base::Result<std::optional<ledger::TurnId>> MeasuredStore::turn_of_key(std::string_view campaign,
                                                                       std::string_view key) {
    const Workers::Wait wait;
    return inner_.turn_of_key(campaign, key);
}

base::Result<> MeasuredStore::visit_turns(std::string_view campaign,
                                          const std::optional<ledger::TurnId>& after,
                                          const std::function<bool(const ledger::TurnRow&)>& each) {
    const Workers::Wait wait;
    return inner_.visit_turns(campaign, after, each);
}

base::Result<> MeasuredStore::visit_ancestors(
    std::string_view campaign, const ledger::TurnId& from, Content content,
    const std::function<bool(const ledger::TurnRow&)>& each) {
    const Workers::Wait wait;
    return inner_.visit_ancestors(campaign, from, content, each);
}

base::Result<std::optional<std::string>> MeasuredStore::keyframe(std::string_view campaign,
                                                                 const ledger::TurnId& turn) {
    const Workers::Wait wait;
    return inner_.keyframe(campaign, turn);
}

std::shared_ptr<model::AsyncModel> measured_model(std::shared_ptr<model::AsyncModel> model,
                                                  Metrics& metrics) {
    return model ? std::make_shared<MeasuredModel>(std::move(model), metrics) : nullptr;
}

}  // namespace arbiter::server
