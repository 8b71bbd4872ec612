// Milestones: the progress of a story, advanced by turns, tokens or summaries. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/messages.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

// Exactly one policy is active. Its counter restarts with every advance.
struct AdvancePolicy {
    enum class Type : std::uint8_t { kTurns, kTokens, kSummaries, kOff, kUnknown };
    Type type = Type::kOff;
    std::int64_t threshold = 1;
};
// The policy of the campaign's milestone. Default: the policy of its settings.
AdvancePolicy advance_policy(const value::Value& document, const value::Object& settings);

struct Advance {
    value::Object milestone;  // after the turn
    bool advanced = false;
    bool unknown_policy = false;  // report it: the milestone never advances
};
// A turn that is about to be committed, as far as milestones count it.
struct StoryTurn {
    std::int64_t number = 0;
    std::int64_t tokens = 0;           // of the story: the player's words and the narrative
    std::int64_t summary_version = 0;  // after it
};
// Computes the milestone after a turn.
Advance advance(const value::Value& document, const value::Object& settings, const StoryTurn& turn);

// A milestone speeds the story up for this many turns; then the pace is the narrator's again.
inline constexpr std::int64_t kPacingTurns = 3;

// The addition to the prompt in the turns after a milestone: more urgency, denser clues, towards
// the goal, the more the higher its level; state still changes through tools only. Empty before the
// first milestone, beyond kPacingTurns, and if the policy is off.
std::string acceleration(const value::Value& document, const value::Object& settings,
                         base::Language language);

}  // namespace arbiter::table
