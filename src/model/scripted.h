// Scripted: a model that answers from a YAML file, for tests and for the demo without a network
// (docs/scripted-model.md describes the format).
//
//   answers:
//     - when: {contains: 推门}
//       say: 门开了。
//     - fail: rate_limited
//   default: {say: 风声。}
//
// Deterministic: the same script and requests give the same pieces.
#pragma once

#include <vector>

#include "model/model.h"
#include "model/script.h"

namespace arbiter::model {

// For one thread.
class Scripted final : public Model {
  public:
    explicit Scripted(Script script);

    using Model::answer;
    base::Result<Reply> answer(const Request& request, const OnPiece& on_piece) override;
    [[nodiscard]] bool takes_tools() const override { return script_.native_tools; }
    [[nodiscard]] std::int64_t requests() const noexcept { return requests_; }

  private:
    const Answer* choose(const Request& request);

    Script script_;
    std::vector<std::size_t> used_;  // of each line
    std::int64_t requests_ = 0;
};

}  // namespace arbiter::model
