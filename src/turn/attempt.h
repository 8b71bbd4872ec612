// Attempt: one reply, judged on the state in which its turn began. Plain data: dropping an Attempt
// drops everything that the reply did.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conflict/finding.h"
#include "engine/engine.h"
#include "reader/reader.h"
#include "rules/effect.h"
#include "table/tool.h"
#include "turn/action.h"
#include "turn/conflicts.h"

namespace arbiter::turn {

// The reason of a call that was refused in base::kRepeatsMax turns before: asking the model again
// would only cost.
inline constexpr std::string_view kRepeated = "repeat_illegal_request";

// A tool call, or a direct command on a path of the system, that was not carried out.
struct FailedCall {
    enum class Status : std::uint8_t { kRejected, kError };
    std::string id;
    std::string tool;
    Status status = Status::kRejected;
    table::Refusal refusal;
    std::optional<std::int64_t> disabled_until;  // a turn number
    std::size_t proposal = 0;                    // index of its proposal
    std::string path = {};                       // of the direct command that it was made from
    std::string key;                             // identifies the same request in another turn
};

// A tool result that the model needs before it can continue (table::Tool::continues_turn).
struct ToolResult {
    std::size_t proposal = 0;
    std::string id;
    std::string tool;
    value::Value result;
};

struct Attempt {
    // Its proposals: commands in the player's words, then those of the text, then native tool
    // calls.
    reader::Reading reading;
    std::size_t player_proposals = 0;  // how many of them are the player's
    // One verdict for each proposal, in order; outcome.state is the candidate.
    engine::Outcome outcome;
    std::vector<rules::Effect> effects;  // of the table and the rulebooks, in order
    std::vector<Action> actions;         // every change of the document, in order
    bool settled = true;                 // false: the rulebooks did not converge and were stopped
    bool spent = false;                  // the steps of the turn were spent, and rules left out
    std::vector<rules::OversizeRule> oversize;  // rules that would have made the document too large
    std::vector<FailedCall> failed_calls;
    std::vector<ToolResult> tool_results;
    std::vector<Conflict> conflicts;
    std::vector<conflict::Finding> narration;  // where the text contradicts the candidate
    std::vector<std::size_t> refused;  // indexes of commands that were rejected or failed, in order
    std::optional<std::string> ended;  // why the campaign is over after this turn
    std::int64_t settings_revision = 0;

    [[nodiscard]] const engine::State& candidate() const noexcept { return outcome.state; }
};

}  // namespace arbiter::turn
