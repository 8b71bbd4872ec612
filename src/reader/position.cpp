#include "reader/position.h"

namespace arbiter::reader {

Position advance(Position from, std::string_view text) noexcept {
    for (const char c : text) {
        if (c == '\n') {
            ++from.line;
            from.column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
            ++from.column;
        }
    }
    return from;
}

}  // namespace arbiter::reader
