#include "tests/sim/fault_model.h"

namespace arbiter::sim {

using base::ErrorCode;

std::optional<base::Error> FaultModel::fault() {
    struct Row {
        ErrorCode code;
        const char* name;
    };
    static const std::vector<Row> kRows = {{ErrorCode::kModelRefused, "refused"},
                                           {ErrorCode::kModelKey, "bad key"},
                                           {ErrorCode::kModelRateLimited, "rate limit"},
                                           {ErrorCode::kModelOverloaded, "overloaded"},
                                           {ErrorCode::kModelTimeout, "stall"},
                                           {ErrorCode::kModelUnreachable, "unreachable"},
                                           {ErrorCode::kModelCutOff, "cut"},
                                           {ErrorCode::kModelTooLong, "too long"},
                                           {ErrorCode::kModelBadAnswer, "garbage"}};
    if (!random_.chance(options_.fault_percent)) {
        return std::nullopt;
    }
    const Row& row = random_.pick(kRows);
    coverage_.count("fault", std::string("model ") + row.name);
    return base::Error(row.code, {"simulated"});
}

base::Result<model::Reply> FaultModel::answer(const model::Request& request,
                                              const model::OnPiece& on_piece) {
    ++calls_;
    if (meanwhile_) {
        meanwhile_();
    }
    if (!options_.hidden.empty()) {
        for (const prompt::Message& each : request.messages) {
            if (each.content.view().contains(options_.hidden)) {
                leak_ = each.content.view();
            }
        }
    }
    const auto fault = this->fault();
    model::Reply reply;
    const bool is_prose = options_.behaviour == Behaviour::kProse || request.attempt > 2 ||
                          (request.attempt > 1 && random_.chance(50)) || request.round > 2;
    const bool is_story = options_.behaviour == Behaviour::kStory;
    reply.text = is_story   ? replies_.prose() + "\n" + std::string(kStoryCommand)
                 : is_prose ? replies_.prose()
                            : replies_.text();
    if (!is_prose && !is_story && options_.takes_tools) {
        reply.tool_calls = replies_.calls();
    }
    if (!is_story && random_.chance(2)) {
        reply.text.clear();
        coverage_.count("fault", "model empty reply");
    }
    texts_.push_back(reply.text);
    const std::size_t end = fault ? random_.below(reply.text.size() + 1) : reply.text.size();
    const std::size_t most = random_.chance(50) ? reply.text.size() + 1 : 1 + random_.below(40);
    for (std::size_t at = 0; at < end;) {
        const std::size_t size = std::min(end - at, 1 + random_.below(most));
        if (on_piece && !on_piece({std::string_view(reply.text).substr(at, size)})) {
            coverage_.count("fault", "model cancelled");
            return std::unexpected(base::Error(ErrorCode::kModelCancelled));
        }
        at += size;
    }
    if (fault) {
        return std::unexpected(*fault);
    }
    if (random_.chance(3)) {
        reply.finish = random_.chance(50) ? model::Finish::kLength : model::Finish::kFilter;
        coverage_.count("fault", "model finish " + std::string(model::name(reply.finish)));
    }
    reply.usage = {static_cast<std::int64_t>(100 + random_.below(900)),
                   static_cast<std::int64_t>(1 + random_.below(200)), false};
    return reply;
}

}  // namespace arbiter::sim
