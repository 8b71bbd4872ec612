#include "reader/internal/block_end.h"

#include <algorithm>
#include <array>

#include "reader/internal/call_scan.h"
#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

// Bytes of blanks between a block and the prose behind it, and of the line that is examined.
constexpr std::size_t kBlanksMax = 256;
constexpr std::size_t kLineMax = 128;

bool is_word_at(std::string_view text, std::size_t at) {
    const char c = text[at];
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' ||
           (static_cast<unsigned char>(c) >= 0x80 && glyph_at(text, at).ascii == 0);
}

// name: value, or a constant.
bool is_member(std::string_view line) {
    std::size_t at = 0;
    while (at < line.size() && is_word_at(line, at)) {
        ++at;
    }
    const std::string_view word = line.substr(0, at);
    while (at < line.size() && line[at] == ' ') {
        ++at;
    }
    constexpr auto kConstants = std::to_array<std::string_view>(
        {"true", "false", "null", "True", "False", "None", "undefined"});
    return (at < line.size() && line[at] == ':') ||
           std::ranges::find(kConstants, word) != kConstants.end();
}

// “name”：value, or a value with a separator behind it.
bool is_quoted_member(std::string_view line) {
    const std::size_t close = line.find("”");
    if (close == std::string_view::npos) {
        return false;
    }
    const std::string_view behind = line.substr(close + 3);
    const char next = behind.empty() ? '\0' : glyph_at(behind, 0).ascii;
    return next == ':' || next == ']' || next == '}' || (next == ',' && behind[0] == ',');
}

}  // namespace

Scan find_prose(std::string_view rest, bool finished) noexcept {
    std::size_t at = 0;
    bool blank = false;
    while (at < rest.size() && at < kBlanksMax) {
        const std::size_t size = blank_at(rest, at);
        if (size == 0) {
            break;
        }
        blank = blank || rest[at] == '\n';
        at += size;
    }
    if (at >= kBlanksMax) {
        return Scan::kNo;
    }
    // An incomplete character decides nothing.
    if (rest.size() - at < (blank ? 4U : 1U) && !finished) {
        return Scan::kMore;
    }
    if (at >= rest.size() || !blank) {
        return Scan::kNo;
    }
    const char first = glyph_at(rest, at).ascii;
    const bool wide_quote = glyph_at(rest, at).wide && is_quote(first);
    constexpr std::string_view kValueStarts = "\"'`{}[],:;+.-/<0123456789";
    if (first != 0 && !wide_quote && kValueStarts.find(first) != std::string_view::npos) {
        return Scan::kNo;
    }
    if (!is_word_at(rest, at) && !wide_quote) {
        return Scan::kDone;
    }
    std::string_view line = rest.substr(at, kLineMax);
    const std::size_t end = line.find('\n');
    if (end == std::string_view::npos && line.size() < kLineMax && !finished) {
        return Scan::kMore;
    }
    line = line.substr(0, end);
    const Scan command = find_command(line, true);
    const bool goes_on =
        command == Scan::kDone || (wide_quote ? is_quoted_member(line) : is_member(line));
    return goes_on ? Scan::kNo : Scan::kDone;
}

Scan find_line_tag(std::string_view rest, bool finished) noexcept {
    std::size_t at = 0;
    while (at < rest.size() && at < kBlanksMax && is_blank(rest[at])) {
        ++at;
    }
    if (rest.size() - at < 2 && at < kBlanksMax && !finished) {
        return rest.size() == at || rest[at] == '<' ? Scan::kMore : Scan::kNo;
    }
    const bool tag = rest.size() - at >= 2 && rest[at] == '<' &&
                     (rest[at + 1] == '/' || rest[at + 1] == '|' || is_letter(rest[at + 1]));
    return tag ? Scan::kDone : Scan::kNo;
}

std::size_t unclosed_end(std::string_view text) noexcept {
    std::size_t line = 0;
    while ((line = text.find('\n', line)) != std::string_view::npos) {
        if (find_prose(text.substr(line + 1), true) == Scan::kDone) {
            return line;
        }
        ++line;
    }
    return text.size();
}

}  // namespace arbiter::reader::internal
