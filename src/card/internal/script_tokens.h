// The tokens of JavaScript, for script_syntax.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::card::internal {

struct Token {
    enum class Kind : std::uint8_t {
        kName,
        kNumber,
        kText,   // a string; a template literal without ${}
        kMark,   // an operator or bracket
        kOther,  // a template literal with ${}, a regular expression, a string that is never closed
        kEnd
    };
    Kind kind = Kind::kEnd;
    std::string_view text = {};
    std::size_t line = 1;
};

// Without comments; the last one is kEnd. Borrowed from the script.
std::vector<Token> tokens_of(std::string_view script);
// The content of a kText.
std::string unquoted(std::string_view token);

}  // namespace arbiter::card::internal
