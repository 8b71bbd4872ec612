#include "campaign/judging.h"

#include "protocol/activation.h"
#include "value/json.h"

namespace arbiter::campaign {

using proposal::Proposal;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kSpent = "spent";

std::int64_t int_at(const Object& object, std::string_view key) noexcept {
    const Value* found = object.find(key);
    return found != nullptr && found->is_int() ? found->as_int() : 0;
}

}  // namespace

engine::State begin_turn(const engine::State& state, std::string_view said, std::int64_t number,
                         const protocol::Library& library) {
    engine::State begun = state;
    begun.meta =
        protocol::listen(state.meta, protocol::Speaker::kPlayer, said, number, library).meta;
    return begun;
}

std::vector<Proposal> proposals_of(std::span<const model::ToolCall> calls, std::uint32_t batch) {
    std::vector<Proposal> proposals;
    for (const model::ToolCall& call : calls) {
        Proposal proposal;
        proposal.dialect = proposal::Dialect::kTool;
        proposal.verb = call.name;
        proposal.batch = batch;
        proposal.raw = call.arguments;
        proposal::ToolCall asked;
        asked.id = value::Str(call.id);
        asked.tool = value::Str(call.name);
        auto arguments = value::parse_json(call.arguments);
        if (arguments && arguments->is_object()) {
            asked.args = *std::move(arguments);
        } else {
            proposal.refuse(proposal::Code::kBadEntry, {call.arguments.substr(0, 200)});
        }
        proposal.what = std::move(asked);
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

Spent spent_of(const Object& meta) noexcept {
    const Value* spent = meta.find(kSpent);
    if (spent == nullptr || !spent->is_object()) {
        return {};
    }
    return {int_at(spent->as_object(), "tokens"), int_at(spent->as_object(), "calls")};
}

Object with_spent(Object meta, const Spent& spent) {
    return std::move(meta).set(kSpent, Object{{"tokens", spent.tokens}, {"calls", spent.calls}});
}

std::vector<ledger::FailedCall> kept_calls(std::span<const table::FailedCall> failed) {
    std::vector<ledger::FailedCall> kept;
    for (const table::FailedCall& call : failed) {
        kept.push_back({call.tool, call.key, call.refusal.reason,
                        call.status == table::FailedCall::Status::kError});
    }
    return kept;
}

Around around_of(const ledger::Record& turn) {
    Around around{turn.globals, turn.usage.tokens, {}};
    for (const ledger::FailedCall& kept : turn.failed_calls) {
        table::FailedCall call;
        call.tool = kept.tool;
        call.key = kept.key;
        call.refusal.reason = kept.reason;
        call.status = kept.is_error ? table::FailedCall::Status::kError
                                    : table::FailedCall::Status::kRejected;
        around.failed.push_back(std::move(call));
    }
    return around;
}

table::Closed close(const engine::State& candidate, const Stage& stage, const Object& settings,
                    const engine::Context& context, const Around& around) {
    table::Closing closing;
    closing.now = context.now;
    closing.batch_id = context.batch_id;
    closing.tokens = around.tokens;
    closing.failed_calls = around.failed;
    return table::close_turn(candidate, stage.table, settings, closing);
}

}  // namespace arbiter::campaign
