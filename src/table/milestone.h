// Milestones: how far a story has come, pressed on by turns, tokens or summaries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/messages.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

// Exactly one policy counts. Its counter restarts with every advance.
struct AdvancePolicy {
    enum class Type : std::uint8_t { kTurns, kTokens, kSummaries, kOff, kUnknown };
    Type type = Type::kOff;
    std::int64_t threshold = 1;
};
// That of the campaign's milestone, where it names one; else that of its settings.
AdvancePolicy advance_policy(const value::Value& document, const value::Object& settings);

struct Advance {
    value::Object milestone;  // as it is after the turn
    bool advanced = false;
    bool unknown_policy = false;  // to be told: the milestone never advances
};
// After turn number `turn` was committed, which took so many tokens.
Advance advance(const value::Value& document, const value::Object& settings, std::int64_t turn,
                std::int64_t tokens);

// What the system prompt says once a milestone was passed: more urgency, denser clues, towards the
// goal, and still no change of state but through tools. Empty before the first.
std::string acceleration(const value::Value& document, base::Language language);

}  // namespace arbiter::table
