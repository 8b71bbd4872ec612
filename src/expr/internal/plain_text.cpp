#include "expr/internal/plain_text.h"

#include "base/limits.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace arbiter::expr::internal {
namespace {

using text::is_blank;
using text::is_digit;

// The ASCII form of a full-width character; 0 if it has none.
char ascii_form(char32_t code_point) noexcept {
    switch (code_point) {
        case U'　':
            return ' ';
        case U'（':
            return '(';
        case U'）':
            return ')';
        case U'，':
            return ',';
        case U'＋':
            return '+';
        case U'－':
            return '-';
        case U'×':
            return '*';
        case U'÷':
            return '/';
        default:  // any other character
            return '\0';
    }
}

// Removes a number of one or two digits from the beginning; -1 if there is none.
int take_small(std::string_view& text) noexcept {
    int number = -1;
    for (int i = 0; i < 2 && !text.empty() && is_digit(text.front()); ++i) {
        number = (number < 0 ? 0 : number * 10) + (text.front() - '0');
        text.remove_prefix(1);
    }
    return number;
}

}  // namespace

std::optional<std::string> plain_text(std::string_view text) noexcept {
    if (text.size() > base::kArithmeticBytesMax) {
        return std::nullopt;
    }
    std::string out;
    while (!text.empty()) {
        const text::Decoded next = text::decode(text);
        const char c = next.code_point < 0x80 ? static_cast<char>(next.code_point)
                                              : ascii_form(next.code_point);
        if (c == '\x7f' || (c < ' ' && !is_blank(c))) {
            return std::nullopt;
        }
        if (!out.empty() || !is_blank(c)) {
            out += c;
        }
        text.remove_prefix(next.size);
    }
    while (!out.empty() && is_blank(out.back())) {
        out.pop_back();
    }
    return out;
}

bool is_date(std::string_view text) noexcept {
    constexpr std::size_t kYearDigits = 4;
    for (std::size_t i = 0; i < kYearDigits; ++i) {
        if (i >= text.size() || !is_digit(text[i])) {
            return false;
        }
    }
    text.remove_prefix(kYearDigits);
    if (!text.starts_with('-') && !text.starts_with('/')) {
        return false;
    }
    const char separator = text.front();
    text.remove_prefix(1);
    const int month = take_small(text);
    if (!text.starts_with(separator)) {
        return false;
    }
    text.remove_prefix(1);
    const int day = take_small(text);
    return text.empty() && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

}  // namespace arbiter::expr::internal
