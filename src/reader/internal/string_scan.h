// StringScan: follows a quoted string in a stream, byte for byte as it comes, to the quote that may
// close it, by the rules of reader/literal.h. Shared by the scanners of values and of calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reader/internal/glyph.h"
#include "reader/internal/special.h"
#include "reader/internal/window.h"

namespace arbiter::reader::internal {

class StringScan {
  public:
    void open(const Glyph& quote) noexcept {
        quote_ = quote.ascii;
        wide_ = quote.wide;
    }

    enum class Found : std::uint8_t {
        kMore,   // the text ends inside the string
        kQuote,  // a quote that may close it; `at` is behind it
        kLine    // `ends` says that the next line is no part of it; `at` is at the line break
    };
    // `text` begins at `at`. `ends(rest, more)` looks at what stands behind a line break, and sets
    // `more` when it cannot tell yet.
    template <typename Ends>
    Found follow(std::string_view text, std::size_t& at, Ends ends) noexcept {
        std::size_t i = 0;
        while (i < text.size()) {
            i = wide_ ? i : find_string_mark(text, i, quote_);
            if (i == text.size()) {
                break;
            }
            const char c = text[i];
            if (c == '\\') {
                if (i + 1 >= text.size()) {
                    break;
                }
                i += 2;
                continue;
            }
            if (c == '\n') {
                bool more = false;
                if (ends(text.substr(i + 1), more)) {
                    at += i;
                    return Found::kLine;
                }
                if (more) {
                    break;
                }
            } else if (c == quote_ || (wide_ && static_cast<unsigned char>(c) >= 0xE2)) {
                if (c != quote_ && text.size() - i < 3) {
                    break;
                }
                const Glyph glyph = glyph_at(text, i);
                if (glyph.ascii == quote_ && (wide_ || !glyph.wide)) {
                    quote_at_ = at + i;
                    at += i + glyph.size;
                    newline_ = false;
                    return Found::kQuote;
                }
            }
            ++i;
        }
        at += i;
        return Found::kMore;
    }

    // Behind a quote: where in `text`, which begins at `at`, the next thing that is no blank
    // stands. Nothing while that is not known, or not enough of it to tell what it means.
    std::optional<std::size_t> next(std::string_view text, std::size_t& at,
                                    bool finished) noexcept {
        std::size_t i = 0;
        while (i < text.size()) {
            if (!finished && static_cast<unsigned char>(text[i]) >= 0x80 &&
                text.size() - i < kBlankSize) {
                at += i;
                return std::nullopt;
            }
            const std::size_t blank = blank_at(text, i);
            if (blank == 0) {
                break;
            }
            newline_ = newline_ || text[i] == '\n';
            i += blank;
        }
        if (!finished && is_close_open(text.substr(i))) {
            at += i;
            return std::nullopt;
        }
        return i;
    }

    [[nodiscard]] bool newline() const noexcept { return newline_; }
    [[nodiscard]] std::size_t quote_at() const noexcept { return quote_at_; }
    [[nodiscard]] std::size_t behind_quote(const Window& window) const noexcept {
        return quote_at_ + (window[quote_at_] == quote_ ? 1U : 3U);
    }

  private:
    static constexpr std::size_t kBlankSize = 4;  // more than any blank has bytes

    std::size_t quote_at_ = 0;
    char quote_ = 0;
    bool wide_ = false;     // it began with a wide quote
    bool newline_ = false;  // a line break lies behind the quote
};

}  // namespace arbiter::reader::internal
