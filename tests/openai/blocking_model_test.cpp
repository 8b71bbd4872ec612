// Goal: a cancelled answer keeps nothing, also if its model still sends work.
#include "openai/blocking_model.h"

#include <gtest/gtest.h>

#include <memory>

namespace arbiter::openai {
namespace {

// Sends one piece, and work that refers to its executor as that of a stream does.
class Talkative final : public model::AsyncModel {
  public:
    explicit Talkative(std::shared_ptr<int> kept) : kept_(std::move(kept)) {}
    std::unique_ptr<model::PendingAnswer> ask(model::Request, model::AnswerCallbacks callbacks,
                                              model::Post post) override {
        post([callbacks] { callbacks.on_piece({"a"}); });
        post([post, kept = kept_] { (void)kept; });
        return std::make_unique<model::PendingAnswer>();
    }

  private:
    std::shared_ptr<int> kept_;
};

TEST(BlockingModel, DropsTheWorkOfACancelledAnswer) {
    const auto kept = std::make_shared<int>(1);
    {
        Talkative talkative(kept);
        BlockingModel model(talkative);
        const auto reply = model.answer({}, [](const model::Piece&) { return false; });
        ASSERT_FALSE(reply);
        EXPECT_EQ(reply.error().code, base::ErrorCode::kModelCancelled);
    }
    EXPECT_EQ(kept.use_count(), 1);
}

}  // namespace
}  // namespace arbiter::openai
