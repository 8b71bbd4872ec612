// Token budgets of a prompt: trims and drops blocks.
#pragma once

#include <string_view>
#include <vector>

#include "prompt/assemble.h"

namespace arbiter::prompt::internal {

// A block during assembly.
struct Item {
    Block block = {};
    value::Str said = {};  // content of a history message, shared
    std::size_t tokens = 0;
    Target first_target = Target::kSystemStart;  // before placement
    std::vector<Why> notes = {};
    bool is_dropped = false;  // stays in its place: moving those behind it costs more

    [[nodiscard]] bool is_said() const { return block.kind == Kind::kHistory && !said.empty(); }
    [[nodiscard]] std::string_view text() const { return is_said() ? said.view() : block.text; }
};

// "history:3", or "history:0-7" for a run of messages.
std::string history_id(std::size_t first, std::size_t last);

// Whether the context mode `minimal` keeps blocks of a kind.
bool is_minimal(Kind kind) noexcept;

// Tokens that models add to every message for its role and its end.
inline constexpr std::size_t kMessageTokens = 4;

// Counts, trims and drops blocks; dropped ones are listed in `out`. The cache knows the counts of
// the prompt before; nullptr: none.
void keep_to_budget(std::vector<Item>& items, const Plan& plan, const text::TokenCounter& count,
                    Cache* cache, Assembly& out);

}  // namespace arbiter::prompt::internal
