// StringScan: finds the end of a quoted string in a stream, by the rules of reader/literal.h.
// Shared by the scanners of values and of calls.
//
// A quote closes the string only if the text behind it says so, so that quotes inside a string need
// no escape.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "reader/internal/byte_search.h"
#include "reader/internal/glyph.h"
#include "reader/internal/scan.h"
#include "reader/internal/window.h"

namespace arbiter::reader::internal {

class StringScan {
  public:
    // `escaped`: a backslash is before its quotes, since the whole call was escaped.
    void open(const Glyph& quote, bool escaped = false) noexcept {
        quote_ = quote.ascii;
        wide_ = quote.wide;
        escaped_ = escaped;
        behind_quote_ = false;
    }
    [[nodiscard]] char quote() const noexcept { return quote_; }
    [[nodiscard]] bool is_wide() const noexcept { return wide_; }

    // The string continues at `at`, where `text` begins; `at` moves on with the scan.
    // `line_ends(rest, skip)` looks at the text behind a line break: kDone if it cannot be part of
    // the string; kNo with `skip` > 0 if that many bytes of it are part of the string for sure.
    // `closes(rest, text, next)` looks at the text behind a quote, blanks skipped: kDone if the
    // quote closes the string. kDone: the string ended before `at`. kNo: it is never closed and
    // ends at the line break `at`.
    template <typename LineEnds, typename Closes>
    Scan advance(const Window& window, std::string_view text, std::size_t& at, bool finished,
                 LineEnds line_ends, Closes closes) noexcept {
        const std::size_t end = at + text.size();
        while (true) {
            if (!behind_quote_) {
                const Scan quote = find_quote(text, at, line_ends);
                if (quote != Scan::kDone) {
                    return quote;
                }
                behind_quote_ = true;
                text = window.view(at, end);
            }
            const auto next = find_next(text, at, finished);
            if (!next) {
                return Scan::kMore;
            }
            const Scan closed = closes(text, *next);
            if (closed == Scan::kMore) {
                at += *next;
                return Scan::kMore;
            }
            at = quote_at_ + (window[quote_at_] == quote_ ? 1U : 3U);
            behind_quote_ = false;
            if (closed == Scan::kDone) {
                return Scan::kDone;
            }
            text = window.view(at, end);
        }
    }

    // A line break is between the last quote and the text behind it.
    [[nodiscard]] bool has_newline() const noexcept { return newline_; }
    // Offset of the last quote that closed the string, or may close it.
    [[nodiscard]] std::size_t quote_at() const noexcept { return quote_at_; }
    // The text behind a quote is awaited.
    [[nodiscard]] bool is_behind_quote() const noexcept { return behind_quote_; }

  private:
    // kDone: `at` is behind a quote that may close the string. kNo: the string ends with its line.
    template <typename LineEnds>
    Scan find_quote(std::string_view text, std::size_t& at, LineEnds line_ends) noexcept {
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
                if (escaped_ && text[i + 1] == quote_) {
                    quote_at_ = at + i + 1;
                    at += i + 2;
                    newline_ = false;
                    return Scan::kDone;
                }
                i += 2;
                continue;
            }
            if (c == '\n') {
                std::size_t skip = 0;
                const Scan ends = line_ends(text.substr(i + 1), skip);
                i += skip;
                if (ends == Scan::kDone) {
                    at += i;
                    return Scan::kNo;
                }
                if (ends == Scan::kMore) {
                    break;
                }
            } else if (!escaped_ &&
                       (c == quote_ || (wide_ && static_cast<unsigned char>(c) >= 0xE2))) {
                if (c != quote_ && text.size() - i < 3) {
                    break;
                }
                const Glyph glyph = glyph_at(text, i);
                if (glyph.ascii == quote_ && (wide_ || !glyph.wide)) {
                    quote_at_ = at + i;
                    at += i + glyph.size;
                    newline_ = false;
                    return Scan::kDone;
                }
            }
            ++i;
        }
        at += i;
        return Scan::kMore;
    }

    // Where in `text`, which begins at `at`, the first character that is not a blank stands. Empty
    // while that is unknown, or too little of it has arrived to decide; `at` moves on then.
    std::optional<std::size_t> find_next(std::string_view text, std::size_t& at,
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

    static constexpr std::size_t kBlankSize = 4;  // more bytes than any blank has

    std::size_t quote_at_ = 0;
    char quote_ = 0;
    bool wide_ = false;          // it began with a wide quote
    bool escaped_ = false;       // its quotes have a backslash
    bool behind_quote_ = false;  // `at` is behind a quote that may close it
    bool newline_ = false;
};

}  // namespace arbiter::reader::internal
