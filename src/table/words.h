// Text: a sentence in both languages.
#pragma once

#include <string>
#include <string_view>

#include "base/messages.h"

namespace arbiter::table {

struct Text {
    std::string english;
    std::string chinese;

    [[nodiscard]] std::string_view in(base::Language language) const noexcept {
        return language == base::Language::kChinese ? chinese : english;
    }
    // Both are there.
    [[nodiscard]] bool complete() const noexcept { return !english.empty() && !chinese.empty(); }
    friend bool operator==(const Text&, const Text&) = default;
};

}  // namespace arbiter::table
