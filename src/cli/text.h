// A text for people, in both languages.
#pragma once

#include <string_view>

#include "base/messages.h"

namespace arbiter::cli {

struct Text {
    std::string_view english;
    std::string_view chinese;
    [[nodiscard]] std::string_view in(base::Language language) const noexcept {
        return language == base::Language::kChinese ? chinese : english;
    }
};

}  // namespace arbiter::cli
