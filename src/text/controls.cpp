#include "text/controls.h"

#include "text/utf8.h"

namespace arbiter::text {
namespace {

constexpr char32_t kPictures = 0x2400;

// Of two bytes.
void append_escape(std::string& out, char32_t c) {
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) {
        out += "0123456789abcdef"[(c >> shift) & 0xF];
    }
}

bool turns_text(char32_t c) noexcept {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void append_c0(std::string& out, char c, LineBreaks breaks) {
    const bool shows_breaks = breaks == LineBreaks::kShown;
    if (c == '\t') {
        out += shows_breaks ? ' ' : c;
    } else if (c == '\n' && !shows_breaks) {
        out += c;
    } else {
        append(out, kPictures + static_cast<unsigned char>(c));
    }
}

}  // namespace

std::string show_controls(std::string_view text, LineBreaks breaks) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x20 && byte < 0x7F) {
            out += text[at++];
            continue;
        }
        if (byte < 0x20) {
            const bool ends_line = byte == '\r' && text.substr(at + 1).starts_with('\n');
            if (!ends_line) {
                append_c0(out, text[at], breaks);
            }
            ++at;
            continue;
        }
        const Decoded next = decode(text.substr(at));
        const char32_t c = next.code_point;
        if (next.valid && ((c >= 0x7F && c < 0xA0) || turns_text(c))) {
            append_escape(out, c);
        } else if (next.valid) {
            out += text.substr(at, next.size);
        } else {
            append(out, kReplacement);
        }
        at += next.size;
    }
    return out;
}

}  // namespace arbiter::text
