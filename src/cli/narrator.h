// The narrator of a campaign at the terminal: a script, the model of an upstream, or none.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "model/model.h"
#include "model/script.h"
#include "net/loop.h"
#include "openai/endpoint.h"
#include "openai/upstream.h"

namespace arbiter::cli {

// The upstream that --upstream, --model, --api-key-env and --config name; nothing if none is named
// and none is configured. On failure, the mistakes are reported.
std::expected<std::optional<openai::Upstream>, Exit> upstream_of(const Call& call);

class Narrator {
  public:
    // In this order: --script; an upstream that the options name; `otherwise`; the configured
    // upstream; a narrator that says how to get one. `is_cancelled` is asked while a model answers.
    static std::expected<std::unique_ptr<Narrator>, Exit> choose(
        const Call& call, std::optional<model::Script> otherwise,
        std::function<bool()> is_cancelled);

    [[nodiscard]] model::Model& model() { return *model_; }

  private:
    std::unique_ptr<net::Loops> loops_;
    std::unique_ptr<openai::Endpoint> endpoint_;
    std::unique_ptr<model::Model> model_;
};

}  // namespace arbiter::cli
