#include "value/number.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "base/check.h"

namespace arbiter::value {
namespace {

// The shortest digits of a positive double, and where its decimal point is: 0.DIGITS × 10^point.
struct Digits {
    char text[24];
    int count = 0;
    int point = 0;
};

Digits shortest(double number) noexcept {
    char buffer[40];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific);
    CHECK(end.ec == std::errc());
    Digits digits;
    const char* at = buffer;
    for (; at != end.ptr && *at != 'e'; ++at) {
        if (*at != '.') {
            digits.text[digits.count++] = *at;
        }
    }
    const char* exponent = at + 1;
    if (exponent != end.ptr && *exponent == '+') {
        ++exponent;
    }
    int power = 0;
    std::from_chars(exponent, end.ptr, power);
    digits.point = power + 1;
    return digits;
}

char* put(char* out, const char* text, int count) noexcept {
    std::memcpy(out, text, static_cast<std::size_t>(count));
    return out + count;
}
char* put_zeros(char* out, int count) noexcept {
    std::memset(out, '0', static_cast<std::size_t>(count));
    return out + count;
}

// Prints a positive number with up to three decimals, as most numbers that people write have;
// 0 when it is none. n / 10^k is rounded correctly, so n with k decimals reads back as the number,
// and with so few digits no shorter text does.
std::size_t print_short(double number, char* out) noexcept {
    constexpr double kWholeMax = 1e12;
    if (!(number < kWholeMax && number >= 1e-3)) {
        return 0;
    }
    if (number == std::floor(number)) {
        return print_int(static_cast<std::int64_t>(number), out);
    }
    double scale = 10;
    for (std::size_t decimals = 1; decimals <= 3; ++decimals, scale *= 10) {
        const auto scaled = static_cast<std::int64_t>(number * scale + 0.5);
        if (static_cast<double>(scaled) / scale != number) {
            continue;
        }
        const auto power = static_cast<std::int64_t>(scale);
        std::size_t size = print_int(scaled / power, out);
        out[size++] = '.';
        std::int64_t rest = scaled % power;
        for (std::size_t i = decimals; i > 0; --i) {
            out[size + i - 1] = static_cast<char>('0' + rest % 10);
            rest /= 10;
        }
        return size + decimals;
    }
    return 0;
}

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

// For a number that no double can hold: true when it is too large, false when it is too small.
bool is_large(std::string_view text) noexcept {
    std::size_t i = text.starts_with('-') ? 1 : 0;
    // The power of ten of the first digit that is not zero.
    std::int64_t magnitude = 0;
    bool seen = false;
    bool fraction = false;
    for (; i < text.size() && (is_digit(text[i]) || text[i] == '.'); ++i) {
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        seen = seen || text[i] != '0';
        if (!fraction && seen) {
            ++magnitude;
        } else if (fraction && !seen) {
            --magnitude;
        }
    }
    if (i < text.size()) {
        ++i;
        const bool negative = i < text.size() && text[i] == '-';
        if (i < text.size() && (text[i] == '-' || text[i] == '+')) {
            ++i;
        }
        constexpr std::int64_t kExponentMax = std::int64_t{1} << 40;
        std::int64_t exponent = 0;
        for (; i < text.size() && exponent < kExponentMax; ++i) {
            exponent = exponent * 10 + (text[i] - '0');
        }
        magnitude += negative ? -exponent : exponent;
    }
    return magnitude > 0;
}

}  // namespace

std::optional<double> read_double(std::string_view text) noexcept {
    if (text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) {
        return std::nullopt;
    }
    const char* const begin = text.data();
    const char* const end = begin + text.size();
#if defined(__cpp_lib_to_chars)
    double number = 0;
    const auto read = std::from_chars(begin, end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
#else
    // libc++ 19 cannot read doubles with from_chars; in WebAssembly the only locale is "C".
    const std::string terminated(begin, end);
    char* stop = nullptr;
    const double number = std::strtod(terminated.c_str(), &stop);
    const bool is_whole = !text.empty() && text[0] != '+' && *stop == '\0';
    return is_whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
#endif
}

std::size_t print_int(std::int64_t number, char* out) noexcept {
    return static_cast<std::size_t>(std::to_chars(out, out + kNumberTextMax, number).ptr - out);
}

std::size_t print_double(double number, char* out) noexcept {
    CHECK(std::isfinite(number));
    char* const start = out;
    if (number == 0) {
        *out = '0';
        return 1;
    }
    if (number < 0) {
        *out++ = '-';
        number = -number;
    }
    if (const std::size_t size = print_short(number, out); size != 0) {
        return static_cast<std::size_t>(out - start) + size;
    }
    const Digits digits = shortest(number);
    const int n = digits.count;
    const int point = digits.point;
    if (n <= point && point <= 21) {
        out = put(out, digits.text, n);
        out = put_zeros(out, point - n);
    } else if (0 < point && point <= 21) {
        out = put(out, digits.text, point);
        *out++ = '.';
        out = put(out, digits.text + point, n - point);
    } else if (-6 < point && point <= 0) {
        out = put(out, "0.", 2);
        out = put_zeros(out, -point);
        out = put(out, digits.text, n);
    } else {
        *out++ = digits.text[0];
        if (n > 1) {
            *out++ = '.';
            out = put(out, digits.text + 1, n - 1);
        }
        *out++ = 'e';
        *out++ = point > 0 ? '+' : '-';
        out += print_int(std::abs(point - 1), out);
    }
    return static_cast<std::size_t>(out - start);
}

std::optional<std::int64_t> whole(double number) noexcept {
    constexpr double kExact = 9007199254740992.0;     // 2^53
    constexpr double kLimit = 9223372036854775808.0;  // 2^63
    if (std::fabs(number) <= kExact) {
        const auto integer = static_cast<std::int64_t>(number);
        return static_cast<double>(integer) == number ? std::optional(integer) : std::nullopt;
    }
    if (!(number >= -kLimit && number < kLimit)) {
        return std::nullopt;
    }
    if (number == -kLimit) {
        // The one value that JavaScript prints with an integer that does not fit.
        return std::numeric_limits<std::int64_t>::min();
    }
    char text[kNumberTextMax];
    const std::size_t size = print_double(number, text);
    std::int64_t integer = 0;
    const auto end = std::from_chars(text, text + size, integer);
    CHECK(end.ec == std::errc() && end.ptr == text + size);
    return integer;
}

ReadNumber read_number(std::string_view text) noexcept {
    using enum ReadNumber::Form;
    std::int64_t integer = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), integer);
    const bool is_whole = end.ptr == text.data() + text.size();
    if (is_whole && end.ec == std::errc()) {
        return {kInt, integer, 0};
    }
    const std::optional<double> real = read_double(text);
    if (!real) {
        return is_large(text) ? ReadNumber{kTooLarge, 0, 0} : ReadNumber{kInt, 0, 0};
    }
    return {is_whole ? kRounded : kDouble, 0, *real};
}

}  // namespace arbiter::value
