// FaultModel: a simulated model. It answers in pieces of any size and fails as endpoints do (F9 of
// the reliability list): refused, timed out, cut off, filtered, empty.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/model.h"
#include "tests/sim/coverage.h"
#include "tests/sim/replies.h"

namespace arbiter::sim {

class FaultModel : public model::Model {
  public:
    // Story: prose that a client finds again, with a command behind it.
    enum class Behaviour : std::uint8_t { kAnything, kProse, kStory };
    static constexpr std::string_view kStoryCommand = "_.add('gold', 1);";
    struct Options {
        Behaviour behaviour = Behaviour::kAnything;
        bool takes_tools = false;
        unsigned fault_percent = 6;
        // Must not appear in a request; empty: there is none.
        std::string hidden = {};
    };
    FaultModel(Replies& replies, tests::Random& random, Options options, Coverage& coverage)
        : replies_(replies), random_(random), options_(std::move(options)), coverage_(coverage) {}

    using model::Model::answer;
    base::Result<model::Reply> answer(const model::Request& request,
                                      const model::OnPiece& on_piece) override;
    [[nodiscard]] bool takes_tools() const override { return options_.takes_tools; }

    // Called before each answer.
    void set_meanwhile(std::function<void()> meanwhile) { meanwhile_ = std::move(meanwhile); }
    [[nodiscard]] std::int64_t calls() const noexcept { return calls_; }
    [[nodiscard]] const std::vector<std::string>& texts() const noexcept { return texts_; }
    // The request that held the hidden text; empty: none did.
    [[nodiscard]] const std::string& leak() const noexcept { return leak_; }

  private:
    std::optional<base::Error> fault();

    Replies& replies_;
    tests::Random& random_;
    Options options_;
    Coverage& coverage_;
    std::int64_t calls_ = 0;
    std::vector<std::string> texts_;
    std::string leak_;
    std::function<void()> meanwhile_;
};

}  // namespace arbiter::sim
