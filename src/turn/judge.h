// judge(): one reply on one state: commands, tool calls, the world's rules, and the effects of
// them. The step that live play, retries, replay, `apply`, transcripts and fuzzers all take.
//
// Pure: equal arguments give equal bytes. The state that is passed in stays as it is.
#pragma once

#include "rules/react.h"
#include "turn/attempt.h"
#include "turn/begun.h"

namespace arbiter::turn {

// Rule names under which changes of the table itself are in the audit.
inline constexpr std::string_view kSettleRule = "table.settle";
inline constexpr std::string_view kFinishRule = "table.close";

// Native tool calls, if any, are already among the proposals of the reading. The settings are those
// in effect at the turn's start; a patch during the turn counts from the next one on. The dice
// follow from the campaign's seed and the turn number, so that an attempt that is made again throws
// the same dice. `memories` only saves work.
Attempt judge(const Begun& begun, reader::Reading reading, rules::Memories* memories = nullptr);
// The document after the commands in the player's words, before the reply.
value::Value open(const Begun& begun);

}  // namespace arbiter::turn
