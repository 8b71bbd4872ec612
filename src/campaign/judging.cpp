#include "campaign/judging.h"

#include "protocol/activation.h"
#include "value/json.h"

namespace arbiter::campaign {

using proposal::Proposal;
using value::Array;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kSpent = "spent";

std::int64_t int_at(const Object& object, std::string_view key) noexcept {
    const Value* found = object.find(key);
    return found != nullptr && found->is_int() ? found->as_int() : 0;
}
std::string text_at(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}

}  // namespace

engine::State begin_turn(const engine::State& state, std::string_view said, std::int64_t number,
                         const protocol::Library& library) {
    engine::State begun = state;
    begun.meta =
        protocol::update_activation(state.meta, protocol::Speaker::kPlayer, said, number, library)
            .meta;
    return begun;
}

std::vector<Proposal> proposals_of(std::span<const prompt::NativeToolCall> calls,
                                   std::uint32_t batch) {
    std::vector<Proposal> proposals;
    for (const prompt::NativeToolCall& call : calls) {
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

Array encode_failed(std::span<const table::FailedCall> failed) {
    Array encoded;
    for (const table::FailedCall& call : failed) {
        encoded = std::move(encoded).push_back(
            Object{{"tool", std::string_view(call.tool)},
                   {"key", std::string_view(call.key)},
                   {"reason", std::string_view(call.refusal.reason)},
                   {"error", call.status == table::FailedCall::Status::kError}});
    }
    return encoded;
}

std::vector<table::FailedCall> decode_failed(const Array& encoded) {
    std::vector<table::FailedCall> failed;
    for (const Value& each : encoded) {
        if (!each.is_object()) {
            continue;
        }
        const Object& object = each.as_object();
        table::FailedCall call;
        call.tool = text_at(object, "tool");
        call.key = text_at(object, "key");
        call.refusal.reason = text_at(object, "reason");
        const Value* error = object.find("error");
        call.status = error != nullptr && error->is_bool() && error->as_bool()
                          ? table::FailedCall::Status::kError
                          : table::FailedCall::Status::kRejected;
        failed.push_back(std::move(call));
    }
    return failed;
}

Object with_around(Object extra, const Around& around) {
    if (!around.globals.empty()) {
        extra = std::move(extra).set("globals", around.globals);
    }
    if (around.tokens != 0) {
        extra = std::move(extra).set("tokens", around.tokens);
    }
    if (!around.failed.empty()) {
        extra = std::move(extra).set("failed", encode_failed(around.failed));
    }
    return extra;
}

Around around_of(const Object& extra) {
    Around around;
    if (const Value* globals = extra.find("globals"); globals != nullptr && globals->is_object()) {
        around.globals = globals->as_object();
    }
    around.tokens = int_at(extra, "tokens");
    if (const Value* failed = extra.find("failed"); failed != nullptr && failed->is_array()) {
        around.failed = decode_failed(failed->as_array());
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
