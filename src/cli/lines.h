// Lines: two texts side by side, as a list of lines that went, came or stayed.
#pragma once

#include <string_view>
#include <vector>

namespace arbiter::cli {

struct Line {
    char mark;  // '-' only in the first text, '+' only in the second, ' ' in both
    std::string_view text;
    friend bool operator==(const Line&, const Line&) = default;
};

// As few lines marked as there can be, where the texts differ in up to some hundred lines; else
// all of one, then all of the other. Points into both texts.
std::vector<Line> compare_lines(std::string_view before, std::string_view after);

}  // namespace arbiter::cli
