// Splitting text at separators. Pure.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace arbiter::text {

// The non-empty parts between any of the separators, which are single bytes.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (end > 0) {
            parts.push_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

}  // namespace arbiter::text
