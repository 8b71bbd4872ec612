// Lines: a line diff of two texts. Pure function.
#pragma once

#include <string_view>
#include <vector>

namespace arbiter::cli {

struct Line {
    char mark;  // '-' only in the first text, '+' only in the second, ' ' in both
    std::string_view text;
    friend bool operator==(const Line&, const Line&) = default;
};

// Returns a minimal diff of texts of up to about 500 lines each. For larger texts, returns all
// lines of the first as removed, then all lines of the second as added. The result refers to both
// texts.
std::vector<Line> compare_lines(std::string_view before, std::string_view after);

}  // namespace arbiter::cli
