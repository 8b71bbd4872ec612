#include "engine/instant.h"

#include <array>

#include "proposal/operations.h"
#include "value/value.h"

namespace arbiter::engine {
namespace {

// Days since 1970-01-01 in the Gregorian calendar.
std::int64_t days_of(std::int64_t year, int month, int day) {
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t year_of_era = year - era * 400;
    const int shifted = month + (month > 2 ? -3 : 9);
    const std::int64_t day_of_year = (153 * shifted + 2) / 5 + day - 1;
    const std::int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146'097 + day_of_era - 719'468;
}

constexpr Instant kDay = 86'400'000;

// Appends the number, padded with zeros to `width` characters, and then `behind`.
void append_digits(std::string& text, std::int64_t number, std::size_t width, char behind) {
    std::array<char, 24> digits{};
    std::size_t at = digits.size();
    const bool negative = number < 0;
    for (std::uint64_t rest = negative ? 0 - static_cast<std::uint64_t>(number)
                                       : static_cast<std::uint64_t>(number);
         rest != 0 || digits.size() - at + (negative ? 1 : 0) < width; rest /= 10) {
        digits[--at] = static_cast<char>('0' + rest % 10);
    }
    text += negative ? "-" : "";
    text.append(digits.data() + at, digits.size() - at);
    text += behind;
}

}  // namespace

std::optional<Instant> parse_instant(std::string_view text) {
    if (!proposal::fits(proposal::OptionRow::Type::kInstant, value::Value(text))) {
        return std::nullopt;
    }
    const auto digits = [&](std::size_t at, std::size_t count) {
        int number = 0;
        for (std::size_t i = 0; i < count; ++i) {
            number = number * 10 + (text[at + i] - '0');
        }
        return number;
    };
    Instant instant = days_of(digits(0, 4), digits(5, 2), digits(8, 2)) * kDay;
    instant += ((digits(11, 2) * 60 + digits(14, 2)) * 60 + digits(17, 2)) * Instant{1000};
    std::size_t at = 19;
    if (text[at] == '.') {
        int scale = 100;
        for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
            instant += (text[at] - '0') * scale;
            scale /= 10;
        }
    }
    if (text[at] == '+' || text[at] == '-') {
        const Instant offset = (digits(at + 1, 2) * 60 + digits(at + 4, 2)) * Instant{60'000};
        instant -= text[at] == '+' ? offset : -offset;
    }
    return instant;
}

std::string print_instant(Instant instant) {
    std::int64_t days = instant / kDay;
    std::int64_t rest = instant % kDay;
    if (rest < 0) {
        rest += kDay;
        --days;
    }
    // The civil date of a day number. Years count from March, so a leap day is the last day.
    days += 719'468;
    const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
    const std::int64_t day_of_era = days - era * 146'097;
    const std::int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
    const std::int64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t shifted = (5 * day_of_year + 2) / 153;
    const std::int64_t day = day_of_year - (153 * shifted + 2) / 5 + 1;
    const std::int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
    const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
    const std::int64_t seconds = rest / 1000;
    std::string text;
    text.reserve(sizeof "2026-01-01T00:00:00.000Z");
    append_digits(text, year, 4, '-');
    append_digits(text, month, 2, '-');
    append_digits(text, day, 2, 'T');
    append_digits(text, seconds / 3600, 2, ':');
    append_digits(text, seconds / 60 % 60, 2, ':');
    append_digits(text, seconds % 60, 2, '.');
    append_digits(text, rest % 1000, 3, 'Z');
    return text;
}

}  // namespace arbiter::engine
