// Joining texts with a separator. Pure.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>

namespace arbiter::text {

// "a, b, c". `projection` turns an element into something a std::string can append.
template <typename Range, typename Projection = std::identity>
std::string join(const Range& range, std::string_view separator = ", ",
                 Projection projection = {}) {
    std::string joined;
    bool first = true;
    for (const auto& element : range) {
        if (!first) {
            joined += separator;
        }
        first = false;
        joined += std::string_view(std::invoke(projection, element));
    }
    return joined;
}

}  // namespace arbiter::text
