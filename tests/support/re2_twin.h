// Runs a pattern of text/regex.h in RE2, so that the two engines can be compared.
//
// The pattern is rewritten, because the same text has a different meaning in RE2 in a few places:
// `.` and \s are Unicode-aware in ours, [] is an empty set, and escapes by number are spelled
// differently. Patterns with scripts (\p) are not compared: RE2 has tables of another Unicode
// version. Only used by tests and fuzz targets.
#pragma once

#include <re2/re2.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "text/utf8.h"

namespace arbiter::tests {

// Rewrites a pattern that text::Regex accepted.
class Re2Pattern {
  public:
    explicit Re2Pattern(std::string_view pattern) {
        for (std::size_t at = 0; at < pattern.size();) {
            const text::Decoded next = text::decode(pattern.substr(at));
            in_.push_back(next.code_point);
            at += next.size;
        }
        if (in_.starts_with(U"(?i)")) {
            folds_ = true;
            out_ = "(?i)";
            at_ = 4;
        }
        while (at_ < in_.size()) {
            atom();
        }
    }

    [[nodiscard]] const std::string& text() const { return out_; }
    [[nodiscard]] bool folds() const { return folds_; }
    // Has \B, which RE2 also finds between the bytes of one character.
    [[nodiscard]] bool has_no_edge() const { return has_no_edge_; }
    [[nodiscard]] bool has_script() const { return has_script_; }
    [[nodiscard]] bool is_ascii() const { return is_ascii_; }

  private:
    static constexpr std::string_view kSpaces =
        "\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}"
        "\\x{3000}\\x{FEFF}";
    static constexpr std::string_view kNoSpaces =
        "\\x{0}-\\x{8}\\x{E}-\\x{1F}!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}"
        "\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}"
        "\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}";

    [[nodiscard]] char32_t peek(std::size_t ahead = 0) const {
        return at_ + ahead < in_.size() ? in_[at_ + ahead] : U'\0';
    }
    void character(char32_t c) {
        char number[16];
        std::snprintf(number, sizeof(number), "\\x{%X}", static_cast<unsigned>(c));
        out_ += number;
        is_ascii_ = is_ascii_ && c < 0x80;
    }

    void atom() {
        const char32_t c = peek();
        switch (c) {
            case '(':
                group();
                return;
            case '[':
                set();
                return;
            case '\\':
                escape(false);
                return;
            case '.':
                out_ += "[^\\n\\r\\x{2028}\\x{2029}]";
                break;
            case '^':
                out_ += "\\A";
                break;
            case '$':
                out_ += "\\z";
                break;
            case '{':
                if (peek(1) >= '0' && peek(1) <= '9') {
                    count();
                } else {
                    out_ += "\\{";
                }
                break;
            case ')':
            case '|':
            case '*':
            case '+':
            case '?':
                out_ += static_cast<char>(c);
                break;
            default:
                character(c);
                break;
        }
        ++at_;
    }

    // {2,5}, without the leading zeros that RE2 refuses.
    void count() {
        bool leading = true;
        while (peek() != '}') {
            const char32_t c = in_[at_++];
            const bool digit = c >= '0' && c <= '9';
            const bool next_digit = peek() >= '0' && peek() <= '9';
            if (!digit || !leading || c != '0' || !next_digit) {
                out_ += static_cast<char>(c);
            }
            leading = !digit || (leading && c == '0');
        }
        out_ += '}';
    }

    void group() {
        out_ += "(?:";
        ++at_;
        if (peek() != '?') {
            return;
        }
        // A lookahead at the end is found like a part of the match.
        if (peek(1) == '=') {
            at_ += 2;
            return;
        }
        const char32_t end = peek(1) == '<' ? U'>' : U':';
        at_ = in_.find(end, at_) + 1;
    }

    void set() {
        ++at_;
        const bool inverted = peek() == '^';
        at_ += inverted ? 1 : 0;
        if (peek() == ']') {
            out_ += inverted ? "[\\x{0}-\\x{10FFFF}]" : "[^\\x{0}-\\x{10FFFF}]";
            ++at_;
            return;
        }
        out_ += inverted ? "[^" : "[";
        bool range = false;  // the - before the upper end of a range was written
        while (peek() != ']') {
            if (peek() == '\\') {
                escape(true);
            } else {
                character(in_[at_++]);
            }
            if (!range && peek() == '-' && peek(1) != ']') {
                out_ += '-';
                ++at_;
                range = true;
            } else {
                range = false;
            }
        }
        out_ += ']';
        ++at_;
    }

    void escape(bool in_set) {
        const char32_t c = peek(1);
        at_ += 2;
        switch (c) {
            case 'b':
                out_ += in_set ? "\\x{8}" : "\\b";
                return;
            case 'B':
                has_no_edge_ = true;
                out_ += "\\B";
                return;
            case 'd':
            case 'D':
            case 'w':
            case 'W':
            case 'n':
            case 't':
            case 'r':
            case 'f':
            case 'v':
                out_ += '\\';
                out_ += static_cast<char>(c);
                return;
            case 's':
            case 'S': {
                const std::string_view ranges = c == 's' ? kSpaces : kNoSpaces;
                out_ += in_set ? "" : "[";
                out_ += ranges;
                out_ += in_set ? "" : "]";
                return;
            }
            case 'p':
            case 'P':
                has_script_ = true;
                at_ = in_.find(U'}', at_) + 1;
                return;
            case '0':
                character(U'\0');
                return;
            case 'x':
                number(2);
                return;
            case 'u':
                if (peek() == '{') {
                    ++at_;
                    number(in_.find(U'}', at_) - at_);
                    ++at_;
                } else {
                    number(4);
                }
                return;
            default:
                character(c);
                return;
        }
    }

    void number(std::size_t digits) {
        char32_t value = 0;
        for (; digits > 0; --digits) {
            const char32_t c = in_[at_++];
            value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20U) - 'a' + 10);
        }
        character(value);
    }

    std::u32string in_;
    std::size_t at_ = 0;
    std::string out_;
    bool folds_ = false;
    bool has_no_edge_ = false;
    bool has_script_ = false;
    bool is_ascii_ = true;
};

// Whether RE2 finds the pattern in the text. Empty where RE2 differs by design (it folds the case
// of all of Unicode, and finds \B inside a character) or the pattern is too large for it.
inline std::optional<bool> re2_finds(std::string_view pattern, std::string_view searched) {
    const Re2Pattern translated(pattern);
    const std::string text = text::repair(searched);
    const bool ascii_text =
        std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (translated.has_script() ||
        (translated.folds() && (!ascii_text || !translated.is_ascii())) ||
        (translated.has_no_edge() && !ascii_text)) {
        return std::nullopt;
    }
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(std::int64_t{64} << 20);
    const RE2 regex(translated.text(), options);
    if (!regex.ok() && (regex.error_code() == RE2::ErrorPatternTooLarge ||
                        regex.error_code() == RE2::ErrorRepeatSize)) {
        return std::nullopt;
    }
    CHECK(regex.ok());
    return RE2::PartialMatch(text, regex);
}

// The place of the first match in an ASCII text, for patterns without (?=…).
inline std::optional<std::pair<std::size_t, std::size_t>> re2_first_match(std::string_view pattern,
                                                                          std::string_view text) {
    const Re2Pattern translated(pattern);
    RE2::Options options;
    options.set_log_errors(false);
    const RE2 regex(translated.text(), options);
    CHECK(regex.ok());
    re2::StringPiece found;
    if (!regex.Match(text, 0, text.size(), RE2::UNANCHORED, &found, 1)) {
        return std::nullopt;
    }
    const auto begin = static_cast<std::size_t>(found.data() - text.data());
    return std::pair(begin, begin + found.size());
}

}  // namespace arbiter::tests
