// An estimate of the number of tokens of a text, in one pass. Deterministic: the same on every
// machine. A host that has the model's own tokenizer sets TokenCounter::exact.
//
// Rules: seven ASCII letters of a word are one token, so are three digits, and one punctuation mark
// or up to four equal ones in a row. A single space is free; a longer run of spaces is one token,
// and so is a run of line ends. A character of Chinese, Japanese or Korean is `cjk` thousandths of
// a token, a letter of another alphabet `letter`, an emoji two tokens.
//
// Accuracy: English prose within a fifth of the vendors' rule of one token for four bytes. For
// Chinese the models differ more than any estimate: about 0.6 tokens for a character (models made
// for Chinese), 0.7 to 0.8 (current ones), 1.1 (before 2024). The default of 1.0 keeps a budget
// rather than fills it; set `cjk` to the rate of the model. docs/prompt.md has the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace arbiter::text {

// Thousandths of a token.
struct TokenRates {
    std::uint32_t cjk = 1000;
    std::uint32_t letter = 500;
    std::uint32_t ascii = 1000;  // of what the rules count as one token of ASCII text
    friend bool operator==(const TokenRates&, const TokenRates&) = default;
};

[[nodiscard]] std::size_t estimate_tokens(std::string_view text,
                                          const TokenRates& rates = {}) noexcept;
// The same in thousandths of a token. Additive over lines: the sum of two texts of which the first
// ends with a line break and the second does not begin with one is that of both together.
[[nodiscard]] std::uint64_t estimate_thousandths(std::string_view text,
                                                 const TokenRates& rates = {}) noexcept;

struct TokenCounter {
    TokenRates rates;
    std::function<std::size_t(std::string_view)> exact;  // optional; replaces the estimate

    std::size_t operator()(std::string_view text) const {
        return exact ? exact(text) : estimate_tokens(text, rates);
    }
};

}  // namespace arbiter::text
