#include "turn/internal/call_judge.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "table/layout.h"
#include "table/summary.h"
#include "text/truncate.h"
#include "value/hash.h"

namespace arbiter::turn::internal {

using proposal::Proposal;
using proposal::ToolCall;
using table::Condition;
using table::Refusal;
using table::Tool;
using value::Array;
using value::Object;
using value::Value;

namespace {

using Status = FailedCall::Status;

std::string truncated(std::string_view text) {
    return std::string(text::truncate(text, base::kDetailBytesMax));
}

std::unexpected<FailedCall> failed(const ToolCall& call, Status status, Refusal refusal,
                                   std::optional<std::int64_t> until = std::nullopt) {
    FailedCall made;
    made.id = truncated(call.id);
    made.tool = truncated(call.tool);
    made.status = status;
    made.refusal = std::move(refusal);
    made.disabled_until = until;
    return std::unexpected(std::move(made));
}

// Defects that make a call malformed whatever tool it names.
std::optional<Refusal> malformed(const ToolCall& call) {
    if (call.id.empty()) {
        return Refusal{"missing_id"};
    }
    if (call.tool.empty()) {
        return Refusal{"missing_tool"};
    }
    return call.args.is_object() ? std::nullopt : std::optional(Refusal{"args_not_object"});
}

std::string list_of(const Array& allowed) {
    std::string list;
    for (const Value& each : allowed) {
        if (each.is_string() && list.size() < base::kDetailBytesMax) {
            list += (list.empty() ? "" : ", ") + std::string(each.as_string());
        }
    }
    return list;
}

bool is_suppressed(const Value& document, const std::string& key) {
    const Value* row = table::find_in_campaign(document, {"tools", "repeats", key});
    return table::int_in(row, "count").value_or(0) >= base::kRepeatsMax &&
           table::int_in(row, "turn").value_or(-1) == table::turn_number(document);
}

std::optional<Refusal> broken_condition(const Tool& tool, const table::ToolContext& at,
                                        Condition::Stage stage) {
    for (const Condition& condition : tool.conditions) {
        if (condition.stage != stage) {
            continue;
        }
        if (auto details = condition.broken(at)) {
            return Refusal{condition.reason, std::move(*details)};
        }
    }
    return std::nullopt;
}

}  // namespace

std::string request_key(std::string_view tool, const Value& args) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::uint64_t hash = value::fingerprint_of(args).loose;
    std::string key = truncated(tool) + ":";
    for (int i = 0; i < 16; ++i) {
        key.push_back(kDigits[hash & 15]);
        hash >>= 4;
    }
    return key;
}

namespace {

// One transaction by the actor of the context.
engine::Outcome apply_all(const engine::State& state,
                          std::span<const proposal::Instruction> instructions,
                          const engine::Policy& policy, const engine::Context& context) {
    std::vector<Proposal> proposals;
    proposals.reserve(instructions.size());
    for (const proposal::Instruction& instruction : instructions) {
        Proposal& made = proposals.emplace_back();
        made.dialect = proposal::Dialect::kTool;
        made.what = instruction;
        made.transaction = true;
    }
    return engine::apply(state, proposals, policy, context);
}

}  // namespace

engine::Outcome apply_as_system(const engine::State& state,
                                std::span<const proposal::Instruction> instructions,
                                const engine::Policy& policy, const engine::Context& context,
                                std::string batch_id) {
    engine::Context own = context;
    own.actor = engine::Actor::kSystem;
    own.batch_id = std::move(batch_id);
    return apply_all(state, instructions, policy, own);
}

std::vector<rules::Effect> effects_of(const engine::Outcome& outcome, std::string_view rule) {
    std::vector<rules::Effect> effects;
    for (const engine::Verdict& verdict : outcome.verdicts) {
        if (!verdict.changes.empty()) {
            effects.push_back(
                {std::string(rule), verdict.path, verdict.before, verdict.after, verdict.changes});
        }
    }
    return effects;
}

void add_effect(Attempt& attempt, rules::Effect effect) {
    if (!effect.changes.empty()) {
        attempt.actions.push_back(
            {Action::Kind::kRule, attempt.effects.size(), {}, effect.changes});
    }
    attempt.effects.push_back(std::move(effect));
}

bool all_applied(const engine::Outcome& outcome) noexcept {
    return std::ranges::all_of(outcome.verdicts, [](const engine::Verdict& verdict) {
        return verdict.status == proposal::Status::kApplied;
    });
}

std::expected<AcceptedCall, FailedCall> CallJudge::judge_once(const ToolCall& call, bool redirected,
                                                              const engine::State& state) {
    const table::ToolRegistry& tools = rules_.registries->tools;
    if (++judged_ > base::kToolCallsMax) {
        return failed(call, Status::kError,
                      {"too_many_calls", {std::to_string(base::kToolCallsMax)}});
    }
    if (auto refusal = malformed(call)) {
        return failed(call, Status::kError, std::move(*refusal));
    }
    // The id of a redirected command is ours; a call of the model cannot take it.
    if (!redirected && !ids_.insert(std::string(call.id.view())).second) {
        return failed(call, Status::kRejected, {"duplicate_id", {truncated(call.id)}});
    }
    if (!table::has_campaign(state.document) && call.tool != table::kSummaryTool) {
        return failed(call, Status::kRejected, {"no_table", {truncated(call.tool)}});
    }
    const Array& allowed =
        table::array_or_empty(table::find_in_campaign(state.document, {"tools", "allow"}));
    if (!table::holds_text(allowed, call.tool) && call.tool != table::kSummaryTool) {
        return failed(call, Status::kRejected,
                      {"tool_not_allowed", {truncated(call.tool), list_of(allowed)}});
    }
    if (!dialog_.offers(call.tool)) {
        return failed(call, Status::kRejected,
                      {"tool_not_in_dialog", {truncated(call.tool), dialog_.id}});
    }
    const Tool* tool = tools.find(call.tool);
    if (tool == nullptr) {
        return failed(call, Status::kRejected, {"tool_not_registered", {truncated(call.tool)}});
    }
    if (const auto until = table::disabled_until(state.document, tool->name)) {
        return failed(call, Status::kRejected,
                      {"tool_disabled", {tool->name, table::turn_name(*until)}}, until);
    }
    if (auto refusal = table::check_args(*tool, call.args)) {
        return failed(call, Status::kError, std::move(*refusal));
    }
    const table::ToolContext at{
        state.document,   call.args.as_object(), settings_,       call.reason,
        rules_.calendars, rules_.clock,          rules_.timeline, &state.meta};
    for (const auto stage : {Condition::Stage::kState, Condition::Stage::kSetting}) {
        if (auto refusal = broken_condition(*tool, at, stage)) {
            return failed(call, Status::kRejected, std::move(*refusal));
        }
    }
    auto effect = tool->effect(at, random_);
    if (!effect) {
        return failed(call, Status::kRejected, std::move(effect.error()));
    }
    engine::Context own = context_;
    own.actor = tool->rights;
    own.batch_id = context_.batch_id + ".c" + std::to_string(judged_);
    engine::Outcome outcome = apply_all(state, effect->instructions, rules_.policy, own);
    if (!all_applied(outcome)) {
        const auto fault = std::ranges::find_if(
            outcome.verdicts, [](const auto& verdict) { return verdict.problem.has_value(); });
        Refusal refusal{"effect_failed"};
        if (fault != outcome.verdicts.end()) {
            refusal.problem = fault->problem;
        }
        return failed(call, Status::kRejected, std::move(refusal));
    }
    const table::EffectCheck seen{state.document, outcome.state.document, call.args.as_object(),
                                  effect->result};
    if (const auto mismatch = tool->check(seen)) {
        return failed(call, Status::kRejected, {"conflict", {tool->name, mismatch->field}});
    }
    AcceptedCall done;
    done.result = tool->report ? tool->report(seen) : effect->result;
    if (!outcome.verdicts.empty()) {
        done.path = outcome.verdicts[0].path;
    }
    done.state = std::move(outcome.state);
    for (const auto& [key, member] : effect->meta) {
        done.state.meta = std::move(done.state.meta).set(key, member);
    }
    done.continues_turn = tool->continues_turn;
    return done;
}

std::expected<AcceptedCall, FailedCall> CallJudge::judge(const ToolCall& call, bool redirected,
                                                         const engine::State& state) {
    auto judged = judge_once(call, redirected, state);
    // Calls beyond the limit are not even hashed.
    if (judged || judged_ > base::kToolCallsMax) {
        return judged;
    }
    FailedCall& refused = judged.error();
    refused.key = request_key(call.tool, call.args);
    // A request that has become legal meanwhile is not a repeated illegal one.
    if (is_suppressed(state.document, refused.key)) {
        refused.status = Status::kRejected;
        refused.refusal = {std::string(kRepeated), {std::to_string(base::kRepeatsMax)}};
    }
    return judged;
}

}  // namespace arbiter::turn::internal
