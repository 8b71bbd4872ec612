#include "config/internal/yaml_text.h"

#include <algorithm>

#include "text/truncate.h"
#include "text/utf8.h"

namespace arbiter::config::internal {

base::Place place_in(std::string_view text, std::size_t offset) {
    offset = std::min(offset, text.size());
    // A byte order mark is not part of the first line.
    const std::size_t start =
        text.starts_with(kByteOrderMark) && offset >= kByteOrderMark.size() ? 3 : 0;
    const std::string_view before = text.substr(start, offset - start);
    const std::size_t newline = before.rfind('\n');
    const std::string_view line =
        newline == std::string_view::npos ? before : before.substr(newline + 1);
    return {offset, 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
            1 + text::count(line)};
}

std::string code_point_name(char32_t c) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out = "U+";
    for (int shift = c > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) {
        out += kHex[(c >> shift) & 15];
    }
    return out;
}

std::string harmless(std::string_view words) {
    std::string out = text::repair(text::truncate(words, 200));
    std::ranges::replace_if(out, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    while (out.ends_with(' ') || out.ends_with(':')) {
        out.pop_back();
    }
    return out;
}

std::string shown_tag(std::string_view tag) {
    return harmless(tag.starts_with(kCoreTag) ? "!!" + std::string(tag.substr(kCoreTag.size()))
                                              : std::string(tag));
}

std::optional<std::size_t> find_forbidden(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x20 && byte < 0x7F) {
            ++at;
            continue;
        }
        const text::Decoded next = text::decode(text.substr(at, 4));
        const char32_t c = next.code_point;
        const bool blank = c == '\t' || c == '\n' || c == '\r' || c == 0x85;
        if (!blank && (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF)) {
            return at;
        }
        at += next.size;
    }
    return std::nullopt;
}

}  // namespace arbiter::config::internal
