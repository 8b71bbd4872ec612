// Memories in the document: the lists of small and big ones that the memory dialect keeps, and the
// view of them that a table has (a text, facts and pins). Pure.
#pragma once

#include <string>
#include <vector>

#include "prompt/block.h"
#include "prompt/fair_share.h"
#include "prompt/plan.h"
#include "text/tokens.h"
#include "value/value.h"

namespace arbiter::prompt {

// Pins are the big memories that are protected, and what stands at the places of pins.
struct SummaryState {
    std::string text;    // all memories, oldest first, big before small
    value::Value facts;  // an object; null where there are none
    std::vector<std::string> pins;
};
SummaryState summary_state(const value::Value& document, const SummaryPlaces& places = {});

struct MemoryOut {
    std::string id;
    Kind kind;
    std::string source;
    Why why;
};
struct MemoryBlocks {
    std::vector<Block> blocks;
    std::vector<MemoryOut> out;  // held back, so that the model does not repeat them
};
// One block for each memory, pin and the facts, and the request to distil them while a flag is up.
// `replies` are those of the model that the prompt holds anyway: memories are not all held back
// unless that is where they came from.
MemoryBlocks memory_blocks(const value::Value& document, const Plan& plan, std::size_t replies);

// Blocks from the state itself: the fragments of the plan (or the document's default ones), as much
// of each as fits into `room` tokens, and what the level of the world means. The work goes by what
// is shown.
MemoryBlocks state_blocks(const value::Value& document, const Plan& plan, Context context,
                          std::size_t room = kUnlimited, const text::TokenCounter& count = {});

// Priorities of blocks that are made here, so that they stand in this order in one place.
inline constexpr std::int64_t kFactsPriority = 20'000;
inline constexpr std::int64_t kShortMemoryPriority = 100'000;
inline constexpr std::int64_t kPowerLevelPriority = 1'000'000;
inline constexpr std::int64_t kStatePriority = 2'000'000;
inline constexpr std::int64_t kRequestPriority = 3'000'000;

}  // namespace arbiter::prompt
