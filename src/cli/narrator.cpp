#include "cli/narrator.h"

#include "cli/ledger.h"
#include "cli/profiles.h"
#include "model/scripted.h"
#include "openai/blocking_model.h"

namespace arbiter::cli {
namespace {

// The narrator of a campaign for which none was given: commands work, speaking says what to do.
class NoNarrator final : public model::Model {
  public:
    base::Result<model::Reply> answer(const model::Request&, const model::OnPiece&) override {
        return base::fail(base::ErrorCode::kNoNarrator);
    }
};

std::optional<std::string> option_of(const Call& call, std::string_view name) {
    return call.has(name) ? std::optional(std::string(call.value(name, ""))) : std::nullopt;
}

}  // namespace

std::expected<std::optional<openai::Upstream>, Exit> upstream_of(const Call& call) {
    auto upstream = openai::choose_upstream({.url = option_of(call, "--upstream"),
                                             .model = option_of(call, "--model"),
                                             .key_env = option_of(call, "--api-key-env"),
                                             .file = option_of(call, "--config")});
    if (!upstream) {
        report(call.console, upstream.error());
        return std::unexpected(Exit::kTrouble);
    }
    const bool names_part = call.has("--model") || call.has("--api-key-env");
    if (!*upstream && names_part) {
        return std::unexpected(trouble(
            call.console, base::Error(base::ErrorCode::kMissingArgument, {"--upstream URL"})));
    }
    if (*upstream && call.has("--no-tools")) {
        (*upstream)->takes_tools = false;
    }
    return *std::move(upstream);
}

std::expected<std::unique_ptr<Narrator>, Exit> Narrator::choose(
    const Call& call, std::optional<model::Script> otherwise, std::function<bool()> is_cancelled) {
    auto narrator = std::make_unique<Narrator>();
    if (call.has("--script")) {
        auto loaded = model::load_script(std::string(call.value("--script", "")));
        if (!loaded) {
            report(call.console, loaded.error());
            return std::unexpected(Exit::kTrouble);
        }
        narrator->model_ = std::make_unique<model::Scripted>(*std::move(loaded));
        return narrator;
    }
    const bool names_upstream =
        call.has("--upstream") || call.has("--model") || call.has("--config");
    if (otherwise && !names_upstream) {
        narrator->model_ = std::make_unique<model::Scripted>(*std::move(otherwise));
        return narrator;
    }
    auto upstream = upstream_of(call);
    if (!upstream) {
        return std::unexpected(upstream.error());
    }
    if (!*upstream) {
        narrator->model_ = std::make_unique<NoNarrator>();
        return narrator;
    }
    narrator->loops_ = std::make_unique<net::Loops>(1);
    narrator->endpoint_ =
        std::make_unique<openai::Endpoint>(*narrator->loops_, **std::move(upstream));
    narrator->model_ =
        std::make_unique<openai::BlockingModel>(*narrator->endpoint_, std::move(is_cancelled));
    return narrator;
}

}  // namespace arbiter::cli
