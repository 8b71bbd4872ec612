#include "text/sentences.h"

#include <algorithm>

#include "text/ascii.h"
#include "text/utf8.h"

namespace arbiter::text {
namespace {

bool is_final(char32_t mark) noexcept {
    return mark == U'。' || mark == U'！' || mark == U'？' || mark == U'…' || mark == U'!' ||
           mark == U'?';
}

bool is_closing(char32_t mark) noexcept {
    return mark == U'”' || mark == U'’' || mark == U'」' || mark == U'』' || mark == U'）' ||
           mark == U'】' || mark == U')' || mark == U']' || mark == U'"' || mark == U'*';
}

// A point ends a sentence before a blank, a closing mark or the end: not in 3.5 or a name.
bool is_full_stop(std::string_view text, std::size_t at) noexcept {
    if (text[at] != '.') {
        return false;
    }
    const std::string_view rest = text.substr(at + 1);
    return rest.empty() || is_blank(rest[0]) || is_closing(decode(rest).code_point);
}

// The end of the sentence whose last mark is at or behind `at`.
std::size_t end_behind(std::string_view text, std::size_t at) noexcept {
    bool has_ended = false;
    while (at < text.size() && text[at] != '\n') {
        const Decoded next = decode(text.substr(at));
        if (is_final(next.code_point) || is_full_stop(text, at)) {
            has_ended = true;
        } else if (has_ended && !is_closing(next.code_point)) {
            break;
        }
        at += next.size;
    }
    return at;
}

}  // namespace

Sentence sentence_around(std::string_view text, std::size_t begin, std::size_t end) noexcept {
    begin = std::min(begin, text.size());
    end = std::clamp(end, begin, text.size());
    const std::size_t line = text.rfind('\n', begin == 0 ? 0 : begin - 1);
    std::size_t from = line == std::string_view::npos || begin == 0 ? 0 : line + 1;
    for (std::size_t next = from; next <= begin && next < text.size();) {
        from = next;
        next = end_behind(text, next);
        if (next == from || (next < text.size() && text[next] == '\n')) {
            break;
        }
    }
    while (from < begin && is_blank(text[from])) {
        ++from;
    }
    // A quotation may itself hold the end of a sentence.
    std::size_t to = end_behind(text, from);
    while (to < end) {
        const std::size_t next = end_behind(text, to + (text[to] == '\n' ? 1 : 0));
        if (next <= to) {
            break;
        }
        to = next;
    }
    return {from, to};
}

}  // namespace arbiter::text
