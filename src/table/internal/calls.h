// How one tool call is judged: in what order, and what is kept of it.
#pragma once

#include <expected>
#include <optional>
#include <set>
#include <string>

#include "table/judge.h"

namespace arbiter::table::internal {

// The same request in another turn has the same key.
std::string request_key(std::string_view tool, const value::Value& args);

// What judging a call needs to know of the turn so far.
struct CallDesk {
    const TableSetting& setting;
    const value::Object& settings;
    std::set<std::string, std::less<>> ids;  // of the calls of this turn
    std::size_t looked_at = 0;
};

struct Done {
    engine::State state;
    value::Value result;
    value::Path path;  // of the first instruction
};

// In this order, each before any effect: readable; its id is new; on the list, registered, not
// switched off; arguments; state machine; settings; the tool's own
// rules. Then the effect as instructions of the system, all or none, and the tool's check. What is
// refused again as in the turns before is a repeated illegal request.
std::expected<Done, FailedCall> judge_call(const proposal::ToolCall& call, bool redirected,
                                           const engine::State& state, CallDesk& desk,
                                           const engine::Context& context, Random& random);

// A change of the table's own, which is the system's.
engine::Outcome apply_as_system(const engine::State& state,
                                std::span<const proposal::Instruction> instructions,
                                const engine::Policy& policy, const engine::Context& context,
                                std::string batch_id);
// What such a change did, as the audit has it.
void add_effects(std::vector<rules::Effect>& effects, std::string_view rule,
                 const engine::Outcome& outcome);
bool all_applied(const engine::Outcome& outcome) noexcept;

}  // namespace arbiter::table::internal
