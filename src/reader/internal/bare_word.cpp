#include "reader/internal/bare_word.h"

#include <algorithm>

#include "expr/arithmetic.h"
#include "proposal/shape.h"
#include "reader/internal/glyph.h"
#include "value/number.h"

namespace arbiter::reader::internal {

using value::Value;

namespace {

// Whether the text is a number of JSON's grammar.
bool is_json_number(std::string_view text) noexcept {
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at])) {
            ++at;
        }
        return at - begin;
    };
    if (at < text.size() && text[at] == '-') {
        ++at;
    }
    const bool zero = at < text.size() && text[at] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (zero && whole > 1)) {
        return false;
    }
    if (at < text.size() && text[at] == '.') {
        ++at;
        if (digits() == 0) {
            return false;
        }
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
            ++at;
        }
        if (digits() == 0) {
            return false;
        }
    }
    return at == text.size();
}

std::optional<Value> json_number(std::string_view text) {
    const value::ReadNumber number = value::read_number(text);
    switch (number.form) {
        case value::ReadNumber::Form::kInt:
            return Value(number.integer);
        case value::ReadNumber::Form::kDouble:
        case value::ReadNumber::Form::kRounded:
            return Value(number.real);
        case value::ReadNumber::Form::kTooLarge:
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

bool is_unstorable_number(std::string_view word) {
    // A short number without an exponent always fits.
    constexpr std::size_t kShort = 300;
    const bool may_be_large =
        word.size() > kShort || word.find_first_of("eE") != std::string_view::npos;
    return word == "NaN" || word == "Infinity" || word == "-Infinity" ||
           (may_be_large && is_json_number(word) && !json_number(word));
}

std::size_t subscript_size(std::string_view text, std::size_t at) noexcept {
    constexpr std::size_t kSizeMax = 200;
    const std::string_view rest = text.substr(at, kSizeMax);
    if (at == 0 || is_blank(text[at - 1]) || rest.size() < 3 || rest[0] != '[') {
        return 0;
    }
    const bool is_quoted = rest[1] == '"' || rest[1] == '\'';
    // Behind the closing quote or the digits; 0 or 1 if there are none.
    const std::size_t end = is_quoted
                                ? rest.find(rest[1], 2) + 1
                                : std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    return end > 1 && end < rest.size() && rest[end] == ']' ? end + 1 : 0;
}

std::optional<Value> parse_bare_word(std::string_view word, Repairs& repairs) {
    if (const auto number = parse_short_integer(word)) {
        return Value(*number);
    }
    switch (word.size()) {
        case 4:
            if (word == "true") {
                return Value(true);
            }
            if (word == "null") {
                return Value(nullptr);
            }
            if (word == "True" || word == "TRUE") {
                repairs.add(Repair::kPython);
                return Value(true);
            }
            if (word == "None" || word == "Null" || word == "NULL") {
                repairs.add(Repair::kPython);
                return Value(nullptr);
            }
            break;
        case 5:
            if (word == "false") {
                return Value(false);
            }
            if (word == "False" || word == "FALSE") {
                repairs.add(Repair::kPython);
                return Value(false);
            }
            break;
        case 9:
            if (word == "undefined") {
                repairs.add(Repair::kPython);
                return Value(nullptr);
            }
            break;
        default:
            break;
    }
    if (is_json_number(word)) {
        return json_number(word);
    }
    // 45/100 is a current value and its maximum, 45% one of a hundred, not 0.45: the engine decides
    // about the text.
    const auto fraction = proposal::as_fraction(word);
    if ((fraction && !fraction->is_whole()) ||
        (word.ends_with('%') && is_json_number(word.substr(0, word.size() - 1)))) {
        return std::nullopt;
    }
    if (auto number = expr::evaluate(word)) {
        const bool only_digits = std::ranges::all_of(word, [](char c) {
            return is_digit(c) || c == '+' || c == '-' || c == '.' || is_letter(c);
        });
        repairs.add(only_digits ? Repair::kNumber : Repair::kArithmetic);
        return number;
    }
    return std::nullopt;
}

}  // namespace arbiter::reader::internal
