// Position: a place in a reply as a person counts it.
#pragma once

#include <cstddef>
#include <string_view>

namespace arbiter::reader {

struct Position {
    std::size_t line = 1;
    std::size_t column = 1;  // in characters
    friend bool operator==(const Position&, const Position&) = default;
};

// The position behind `text`, which begins at `from`.
Position advance(Position from, std::string_view text) noexcept;

}  // namespace arbiter::reader
