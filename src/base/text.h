// Text: a sentence for people in both languages.
#pragma once

#include <string>
#include <string_view>

#include "base/messages.h"

namespace arbiter::base {

template <typename String>
struct BasicText {
    String english;
    String chinese;

    [[nodiscard]] constexpr std::string_view in(Language language) const noexcept {
        return language == Language::kChinese ? chinese : english;
    }
    // True if neither language is empty.
    [[nodiscard]] constexpr bool is_complete() const noexcept {
        return !english.empty() && !chinese.empty();
    }
    [[nodiscard]] constexpr bool empty() const noexcept {
        return english.empty() && chinese.empty();
    }
    friend bool operator==(const BasicText&, const BasicText&) = default;
};

using Text = BasicText<std::string>;
// For tables of constants: does not own its characters.
using TextView = BasicText<std::string_view>;

}  // namespace arbiter::base
