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

    [[nodiscard]] bool is_said() const { return block.kind == Kind::kHistory && !said.empty(); }
    [[nodiscard]] std::string_view text() const { return is_said() ? said.view() : block.text; }
};

// "history:3", or "history:0-7" for a run of messages.
std::string history_id(std::size_t first, std::size_t last);

// Tokens that models add to every message for its role and its end.
inline constexpr std::size_t kMessageTokens = 4;

// Counts, trims and drops blocks; dropped ones are listed in `out`.
void keep_to_budget(std::vector<Item>& items, const Plan& plan, const text::TokenCounter& count,
                    Assembly& out);

}  // namespace arbiter::prompt::internal
