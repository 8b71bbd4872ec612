#include "rules/internal/output_rate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "text/ascii.h"
#include "value/json.h"

namespace arbiter::rules::internal {

using value::Value;

namespace {

__extension__ using Wide = __int128;

// Longer texts are prose.
constexpr std::size_t kTextBytesMax = 100;
constexpr int kDecimalsMax = 6;
constexpr std::int64_t kAmountMax = 1'000'000'000'000'000;

struct Period {
    std::string_view word;
    std::int64_t days;
    std::int64_t times = 1;  // periods of one day
};
// A word comes before those that begin it.
constexpr Period kPeriods[] = {
    {"days", 1},    {"day", 1},      {"d", 1},        {"天", 1},        {"日", 1},
    {"weeks", 7},   {"week", 7},     {"w", 7},        {"周", 7},        {"週", 7},
    {"星期", 7},    {"礼拜", 7},     {"旬", 10},      {"半个月", 15},   {"半月", 15},
    {"months", 30}, {"month", 30},   {"mo", 30},      {"个月", 30},     {"月", 30},
    {"季度", 90},   {"季", 90},      {"半年", 182},   {"years", 365},   {"year", 365},
    {"yr", 365},    {"y", 365},      {"年", 365},     {"hours", 1, 24}, {"hour", 1, 24},
    {"h", 1, 24},   {"小时", 1, 24}, {"时辰", 1, 12}, {"时", 1, 24}};
constexpr std::string_view kPrefixes[] = {"大约", "约", "产出", "产量", "日产"};
constexpr std::string_view kRangeMarks[] = {"-", "~", "–", "—", "至", "到"};

// Wide forms of the characters that a rate is written with.
std::string folded(std::string_view text) {
    constexpr std::pair<std::string_view, std::string_view> kWide[] = {
        {"／", "/"}, {"－", "-"}, {"−", "-"},  {"～", "~"}, {"＋", "+"}, {"．", "."}, {"（", "("},
        {"）", ")"}, {"　", " "}, {"０", "0"}, {"１", "1"}, {"２", "2"}, {"３", "3"}, {"４", "4"},
        {"５", "5"}, {"６", "6"}, {"７", "7"}, {"８", "8"}, {"９", "9"}};
    std::string out;
    while (!text.empty()) {
        const auto* const wide = std::ranges::find_if(
            kWide, [text](const auto& each) { return text.starts_with(each.first); });
        if (wide != std::end(kWide)) {
            out += wide->second;
            text.remove_prefix(wide->first.size());
        } else {
            out += text::to_lower(text.front());
            text.remove_prefix(1);
        }
    }
    return out;
}

void skip_blanks(std::string_view& text) {
    while (!text.empty() && text::is_blank(text.front())) {
        text.remove_prefix(1);
    }
}
bool take(std::string_view& text, std::string_view word) {
    const bool there = text.starts_with(word);
    text.remove_prefix(there ? word.size() : 0);
    return there;
}

struct Amount {
    std::int64_t units = 0;
    int decimals = 0;
};
std::int64_t scaled(std::int64_t units, int decimals) {
    for (int i = 0; i < decimals; ++i) {
        units *= 10;
    }
    return units;
}

// 12, 5.5, .5; without a sign.
std::optional<Amount> take_amount(std::string_view& text) {
    Amount amount;
    std::string_view rest = text;
    std::size_t digits = 0;
    bool fraction = false;
    for (; !rest.empty(); rest.remove_prefix(1)) {
        const char c = rest.front();
        const bool point = c == '.' && !fraction && rest.size() > 1 && text::is_digit(rest[1]);
        if (!point && !text::is_digit(c)) {
            break;
        }
        if (point) {
            fraction = true;
            continue;
        }
        amount.units = amount.units * 10 + (c - '0');
        amount.decimals += fraction ? 1 : 0;
        ++digits;
        if (amount.units > kAmountMax || amount.decimals > kDecimalsMax) {
            return std::nullopt;
        }
    }
    if (digits == 0) {
        return std::nullopt;
    }
    text = rest;
    return amount;
}
std::optional<Amount> take_signed(std::string_view& text) {
    const bool negative = take(text, "-");
    if (!negative) {
        take(text, "+");
    }
    skip_blanks(text);
    auto amount = take_amount(text);
    if (amount && negative) {
        amount->units = -amount->units;
    }
    return amount;
}

// The period and what may follow it: nothing, or a unit in brackets.
bool take_period(std::string_view& text, OutputRate& rate) {
    skip_blanks(text);
    std::int64_t count = 1;
    if (const auto number = take_amount(text)) {
        count = number->units;
        if (number->decimals > 0 || count < 1 || count > 1000) {
            return false;
        }
        skip_blanks(text);
    } else {
        take(text, "一");
    }
    for (const Period& period : kPeriods) {
        if (take(text, period.word)) {
            rate.days = period.days * count;
            rate.low *= period.times;
            rate.high *= period.times;
            rate.has_period = true;
            return true;
        }
    }
    return false;
}

bool is_unit(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return text::is_digit(c) || c == '/'; });
}

std::string text_of(const Value& written) {
    return written.is_string() ? std::string(written.as_string()) : value::print_json(written);
}

// A stock as an amount with the text behind it.
struct Stock {
    Amount amount;
    std::string unit;
};
std::optional<Stock> parse_stock(const Value& written) {
    if (!written.is_number() &&
        (!written.is_string() || written.as_string().size() > kTextBytesMax)) {
        return std::nullopt;
    }
    const std::string plain = text_of(written);
    // The unit stays as it is unless the number itself is wide.
    for (const std::string& each : {plain, folded(plain)}) {
        std::string_view text = each;
        skip_blanks(text);
        if (const auto amount = take_signed(text)) {
            return is_unit(text) ? std::optional(Stock{*amount, std::string(text)}) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::string printed_amount(std::int64_t units, int decimals) {
    while (decimals > 0 && units % 10 == 0) {
        units /= 10;
        --decimals;
    }
    std::string digits = std::to_string(units);
    if (decimals > 0) {
        const auto places = static_cast<std::size_t>(decimals);
        digits.insert(0, digits.size() <= places ? places + 1 - digits.size() : 0, '0');
        digits.insert(digits.size() - places, ".");
    }
    return digits;
}

}  // namespace

bool has_digit(const Value& written) {
    return written.is_number() ||
           (written.is_string() &&
            std::ranges::any_of(folded(written.as_string().substr(0, kTextBytesMax)),
                                text::is_digit));
}

std::optional<OutputRate> parse_rate(const Value& written) {
    if (!written.is_number() &&
        (!written.is_string() || written.as_string().size() > kTextBytesMax)) {
        return std::nullopt;
    }
    const std::string whole = folded(text_of(written));
    std::string_view text = whole;
    OutputRate rate;
    OutputRate leading;  // 每周10: the period is first
    skip_blanks(text);
    if (take(text, "每") && !take_period(text, leading)) {
        return std::nullopt;
    }
    for (const std::string_view prefix : kPrefixes) {
        take(text, prefix);
    }
    skip_blanks(text);
    const bool negative = text.starts_with('-');
    const auto low = take_signed(text);
    if (!low) {
        return std::nullopt;
    }
    Amount high = *low;
    skip_blanks(text);
    for (const std::string_view mark : kRangeMarks) {
        if (!take(text, mark)) {
            continue;
        }
        skip_blanks(text);
        const auto other = take_signed(text);
        // -5-8 may mean two ranges.
        if (!other || (negative && mark == "-" && other->units >= 0)) {
            return std::nullopt;
        }
        high = *other;
        break;
    }
    rate.decimals = std::max(low->decimals, high.decimals);
    rate.low = scaled(low->units, rate.decimals - low->decimals);
    rate.high = scaled(high.units, rate.decimals - high.decimals);
    const std::size_t unit = std::min({text.find('/'), text.find("每"), text.find("per ")});
    if (!is_unit(text.substr(0, unit))) {
        return std::nullopt;
    }
    if (unit != std::string_view::npos) {
        text.remove_prefix(unit);
        take(text, "/") || take(text, "每") || take(text, "per ");
        if (leading.has_period || !take_period(text, rate)) {
            return std::nullopt;
        }
        skip_blanks(text);
        if (!text.empty() && !text.starts_with('(')) {
            return std::nullopt;
        }
    } else if (leading.has_period) {
        rate.days = leading.days;
        rate.has_period = true;
    }
    return rate;
}

bool is_stock(const Value& written) {
    return parse_stock(written).has_value();
}

std::optional<Accrual> accrue(const OutputRate& rate, const Value& stock, std::int64_t days,
                              std::int64_t carry) {
    const auto present = parse_stock(stock);
    if (!present) {
        return std::nullopt;
    }
    const int decimals = std::max(rate.decimals, present->amount.decimals);
    const std::int64_t divisor = 2 * rate.days;
    const Wide sum =
        (static_cast<Wide>(rate.low) + rate.high) * scaled(1, decimals - rate.decimals) * days +
        carry;
    const Wide added = sum / divisor;
    const auto rest = static_cast<std::int64_t>(sum - added * divisor);
    if (added == 0) {
        return Accrual{stock, rest};
    }
    const Wide amount =
        static_cast<Wide>(present->amount.units) * scaled(1, decimals - present->amount.decimals) +
        added;
    if (amount > kAmountMax) {
        return std::nullopt;
    }
    const auto units = static_cast<std::int64_t>(std::max<Wide>(amount, 0));
    const std::string digits = printed_amount(units, decimals);
    return Accrual{present->unit.empty() ? value::parse_json(digits).value_or(Value())
                                         : Value(std::string_view(digits + present->unit)),
                   amount > 0 ? rest : 0};
}

}  // namespace arbiter::rules::internal
