// Blocks of the document: memories (the short and long lists of the memory dialect, facts, pins)
// and the state itself. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "prompt/block.h"
#include "prompt/cache.h"
#include "prompt/fair_share.h"
#include "prompt/plan.h"
#include "table/summary.h"
#include "text/tokens.h"
#include "value/value.h"

namespace arbiter::prompt {

struct MemoryOut {
    std::string id;
    Kind kind;
    std::string source;
    Why why;
};
struct MemoryBlocks {
    std::vector<Block> blocks;
    std::vector<MemoryOut> out;  // withheld, so that the model does not repeat them
};
// One block per memory and pin, one for the facts, and the request to summarise while a flag is
// set. All memories are withheld only if the turns that they summarise are in `history`.
MemoryBlocks memory_blocks(const value::Value& document, const Plan& plan,
                           std::span<const Message> history);

// Blocks of the summary that a campaign keeps itself: its entries, pins and facts, and the request
// for the next one while it is due. `in_memory`: the model keeps the lists of the memory dialect,
// and is asked for an entry of these.
std::vector<Block> story_blocks(const table::SummaryState& summary, table::SummaryDue due,
                                const Plan& plan, bool in_memory);

// Blocks of the state: the fragments of the plan, or the default ones, within `room` tokens, and
// the meaning of the world's level. The cost is proportional to the output.
MemoryBlocks state_blocks(const value::Value& document, const Plan& plan, Context context,
                          std::size_t room = kUnlimited, const text::TokenCounter& count = {},
                          Cache* cache = nullptr);

// Priorities of these blocks, which order them at one target.
inline constexpr std::int64_t kFactsPriority = 20'000;
inline constexpr std::int64_t kShortMemoryPriority = 100'000;
inline constexpr std::int64_t kPowerLevelPriority = 1'000'000;
inline constexpr std::int64_t kStatePriority = 2'000'000;
inline constexpr std::int64_t kRequestPriority = 3'000'000;

}  // namespace arbiter::prompt
