// How many tokens of a language model a text is, nearly: the same number on every machine and in
// every run, in one pass. Who has the model's own tokenizer gives it as TokenCounter::exact.
//
// What is counted: a word of ASCII letters is one token for each seven of them, digits one for each
// three, a sign one (four equal ones in a row too); one space before something is free, more of
// them are one, and so are line ends in a row. A character of Chinese, Japanese or Korean is `cjk`
// thousandths, a letter of another alphabet `letter`, an emoji two tokens.
//
// How far off: English prose within a fifth of a token for each four bytes, which is what the
// makers of models name as a rule. For Chinese the models differ more than any estimate: from
// about 0.6 tokens for a character (those made for Chinese) over 0.7 to 0.8 to 1.1 (those before
// 2024). One for one is between them, so that a budget is rather kept than filled; set `cjk` to
// what the model has. docs/prompt.md has the table.
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
};

[[nodiscard]] std::size_t estimate_tokens(std::string_view text,
                                          const TokenRates& rates = {}) noexcept;
// The same in thousandths of a token. Additive over lines: the sum of two texts of which the first
// ends with a line break and the second does not begin with one is that of both together.
[[nodiscard]] std::uint64_t estimate_thousandths(std::string_view text,
                                                 const TokenRates& rates = {}) noexcept;

struct TokenCounter {
    TokenRates rates;
    std::function<std::size_t(std::string_view)> exact;  // if there is one

    std::size_t operator()(std::string_view text) const {
        return exact ? exact(text) : estimate_tokens(text, rates);
    }
};

}  // namespace arbiter::text
