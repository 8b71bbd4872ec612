#include "reader/blanks.h"

#include "reader/internal/glyph.h"

namespace arbiter::reader {

void skip_blanks(std::string_view text, std::size_t& at) noexcept {
    while (at < text.size()) {
        const std::size_t blank = internal::blank_at(text, at);
        if (blank == 0) {
            return;
        }
        at += blank;
    }
}

std::string_view trim(std::string_view text) noexcept {
    std::size_t begin = 0;
    skip_blanks(text, begin);
    text.remove_prefix(begin);
    while (!text.empty()) {
        const char last = text.back();
        if (internal::is_blank(last)) {
            text.remove_suffix(1);
        } else if (static_cast<unsigned char>(last) < 0x80) {
            break;
        } else if (text.ends_with("\u3000") || text.ends_with("\uFEFF") ||
                   text.ends_with("\u2028") || text.ends_with("\u2029")) {
            text.remove_suffix(3);
        } else if (text.ends_with("\u00A0")) {
            text.remove_suffix(2);
        } else {
            break;
        }
    }
    return text;
}

}  // namespace arbiter::reader
