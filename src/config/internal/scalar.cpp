#include "config/internal/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "value/number.h"

namespace arbiter::config::internal {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view digits(std::string_view& text) {
    const auto end = std::ranges::find_if_not(text, is_digit);
    const std::string_view found = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(found.size());
    return found;
}

// 0o17 and 0x1F.
Number parse_based(std::string_view text, int base, value::Value& number) {
    const auto is_one = [base](char c) {
        return (c >= '0' && c < '0' + std::min(base, 10)) ||
               (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
    };
    if (text.empty() || !std::ranges::all_of(text, is_one)) {
        return Number::kNone;
    }
    std::int64_t whole = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), whole, base).ec != std::errc()) {
        return Number::kRefused;
    }
    number = whole;
    return Number::kStored;
}

bool is_endless(std::string_view text) {
    constexpr std::array<std::string_view, 3> kInfinite = {".inf", ".Inf", ".INF"};
    constexpr std::array<std::string_view, 3> kNan = {".nan", ".NaN", ".NAN"};
    const bool sign = text.starts_with('-') || text.starts_with('+');
    return std::ranges::find(kInfinite, text.substr(sign ? 1 : 0)) != kInfinite.end() ||
           std::ranges::find(kNan, text) != kNan.end();
}

}  // namespace

Number parse_number(std::string_view text, value::Value& number) {
    if (is_endless(text)) {
        return Number::kRefused;
    }
    if (text.starts_with("0o")) {
        return parse_based(text.substr(2), 8, number);
    }
    if (text.starts_with("0x")) {
        return parse_based(text.substr(2), 16, number);
    }
    // As JSON would have it: no plus sign, no leading zeros, digits on both sides of the point.
    std::string json;
    std::string_view rest = text;
    if (rest.starts_with('-') || rest.starts_with('+')) {
        json = rest.front() == '-' ? "-" : "";
        rest.remove_prefix(1);
    }
    std::string_view whole = digits(rest);
    bool exact = true;
    std::string_view fraction;
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        fraction = digits(rest);
        exact = false;
    }
    if (whole.empty() && fraction.empty()) {
        return Number::kNone;
    }
    whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
    json += whole.empty() ? "0" : whole;
    if (!fraction.empty()) {
        json += '.';
        json += fraction;
    }
    if (rest.starts_with('e') || rest.starts_with('E')) {
        rest.remove_prefix(1);
        json += 'e';
        if (rest.starts_with('-') || rest.starts_with('+')) {
            json += rest.front();
            rest.remove_prefix(1);
        }
        const std::string_view exponent = digits(rest);
        if (exponent.empty()) {
            return Number::kNone;
        }
        json += exponent;
        exact = false;
    }
    if (!rest.empty()) {
        return Number::kNone;
    }
    const value::ReadNumber read = value::read_number(json);
    switch (read.form) {
        case value::ReadNumber::Form::kInt:
            number = read.integer;
            return Number::kStored;
        case value::ReadNumber::Form::kDouble:
            number = read.real;
            return Number::kStored;
        case value::ReadNumber::Form::kRounded:
            number = read.real;
            return exact ? Number::kRefused : Number::kStored;
        case value::ReadNumber::Form::kTooLarge:
            break;
    }
    return Number::kRefused;
}

std::optional<bool> parse_truth(std::string_view text) noexcept {
    if (text == "true" || text == "True" || text == "TRUE") {
        return true;
    }
    if (text == "false" || text == "False" || text == "FALSE") {
        return false;
    }
    return std::nullopt;
}

bool is_null(std::string_view text) noexcept {
    return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

}  // namespace arbiter::config::internal
