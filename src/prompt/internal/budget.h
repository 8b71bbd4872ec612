// Token budgets of a prompt: trims and drops blocks.
#pragma once

#include <span>
#include <vector>

#include "prompt/assemble.h"
#include "prompt/internal/history.h"

namespace arbiter::prompt::internal {

// A block during assembly.
struct Item {
    Block block = {};
    std::size_t tokens = 0;
    Target first_target = Target::kSystemStart;  // before placement
    std::vector<Why> notes = {};
    bool is_dropped = false;  // stays in its place: moving those behind it costs more
};

// Whether the context mode `minimal` keeps blocks of a kind.
bool is_minimal(Kind kind) noexcept;

// Tokens that models add to every message for its role and its end.
inline constexpr std::size_t kMessageTokens = 4;

// Counts, trims and drops blocks and messages; dropped ones are listed in `out`.
void keep_to_budget(std::span<Item* const> items, History& history, const AssemblyInputs& inputs,
                    Assembly& out);

}  // namespace arbiter::prompt::internal
