#include "reader/position.h"

#include <algorithm>

namespace arbiter::reader {

// Two counts that compilers do in blocks of bytes: hostile text has many places to report.
Position advance(Position from, std::string_view text) noexcept {
    if (const auto lines = std::ranges::count(text, '\n'); lines > 0) {
        from.line += static_cast<std::size_t>(lines);
        from.column = 1;
        text.remove_prefix(text.rfind('\n') + 1);
    }
    // Bytes that continue a character are the lowest as signed numbers.
    from.column += static_cast<std::size_t>(std::ranges::count_if(
        text, [](char byte) { return static_cast<signed char>(byte) >= -64; }));
    return from;
}

}  // namespace arbiter::reader
