#include "calendar/internal/numerals.h"

#include <array>

#include "base/limits.h"
#include "text/utf8.h"

namespace arbiter::calendar::internal {
namespace {

constexpr std::array<std::string_view, 10> kDigitWords = {"〇", "一", "二", "三", "四",
                                                          "五", "六", "七", "八", "九"};
constexpr std::string_view kZeroWord = "零";
constexpr std::int64_t kValueMax = base::kCalendarDayMax;

struct Word {
    enum class Kind : std::uint8_t { kNone, kDigit, kZero, kUnit, kTens, kGroup };
    Kind kind = Kind::kNone;
    std::int64_t value = 0;
};

Word word_of(char32_t c) noexcept {
    using enum Word::Kind;
    switch (c) {
        case U'〇':
        case U'零':
        case U'○':
            return {kZero, 0};
        case U'一':
            return {kDigit, 1};
        case U'二':
        case U'两':
        case U'兩':
            return {kDigit, 2};
        case U'三':
            return {kDigit, 3};
        case U'四':
            return {kDigit, 4};
        case U'五':
            return {kDigit, 5};
        case U'六':
            return {kDigit, 6};
        case U'七':
            return {kDigit, 7};
        case U'八':
            return {kDigit, 8};
        case U'九':
            return {kDigit, 9};
        case U'十':
            return {kUnit, 10};
        case U'百':
            return {kUnit, 100};
        case U'千':
            return {kUnit, 1000};
        case U'廿':
            return {kTens, 20};
        case U'卅':
            return {kTens, 30};
        case U'卌':
            return {kTens, 40};
        case U'万':
        case U'萬':
            return {kGroup, 10'000};
        case U'亿':
        case U'億':
            return {kGroup, 100'000'000};
        default:
            return {};
    }
}

// -1 if it is not a digit of the style.
int digit_of(char32_t c, Numeral::Style style) noexcept {
    const char32_t zero = style == Numeral::Style::kWideDigits ? U'０' : U'0';
    return c >= zero && c <= zero + 9 ? static_cast<int>(c - zero) : -1;
}

// Reads 二百三十 and its like, a word at a time; units must fall from left to right.
class UnitReader {
  public:
    bool add(Word word) noexcept {
        using enum Word::Kind;
        switch (word.kind) {
            case kDigit:
                if (digit_ >= 0) {
                    return false;
                }
                digit_ = word.value;
                // 一百五 is 105 to some and 150 to others, until a unit follows.
                unclear_ = !zero_ && (unit_ < kNoUnit ? unit_ >= 100 : total_ > 0);
                return true;
            case kZero:
                if (digit_ >= 0 || zero_ || (section_ == 0 && total_ == 0)) {
                    return false;
                }
                zero_ = true;
                return true;
            case kUnit: {
                const std::int64_t times = digit_ >= 0 ? digit_ : word.value == 10 ? 1 : -1;
                return add_unit(word.value, times, times * word.value);
            }
            case kTens:
                return add_unit(10, digit_ >= 0 ? -1 : 1, word.value);
            case kGroup:
                return add_group(word.value);
            case kNone:
                break;
        }
        return false;
    }
    // -1 when it is not complete.
    [[nodiscard]] std::int64_t value() const noexcept {
        // A zero at the end belongs to nothing.
        if ((digit_ >= 0 && unclear_) || (zero_ && digit_ < 0)) {
            return -1;
        }
        return total_ + section_ + (digit_ >= 0 ? digit_ : 0);
    }

  private:
    static constexpr std::int64_t kNoUnit = 10'000;

    bool add_unit(std::int64_t unit, std::int64_t times, std::int64_t amount) noexcept {
        if (times < 0 || unit >= unit_) {
            return false;
        }
        section_ += amount;
        unit_ = unit;
        digit_ = -1;
        zero_ = unclear_ = false;
        return true;
    }
    bool add_group(std::int64_t group) noexcept {
        const std::int64_t section = value() - total_;
        if (value() < 0 || section <= 0 || group >= group_) {
            return false;
        }
        total_ += section * group;
        group_ = group;
        section_ = 0;
        unit_ = kNoUnit;
        digit_ = -1;
        zero_ = unclear_ = false;
        return true;
    }

    std::int64_t total_ = 0;    // of the groups that are complete
    std::int64_t section_ = 0;  // below the next group
    std::int64_t digit_ = -1;   // waits for its unit
    std::int64_t unit_ = kNoUnit;
    std::int64_t group_ = kValueMax;
    bool zero_ = false;
    bool unclear_ = false;
};

// A run of words for numbers.
std::optional<Numeral> read_words(std::string_view run) noexcept {
    Numeral numeral;
    std::int64_t places = 0;
    bool only_digits = true;
    bool in_units = true;
    UnitReader units;
    for (std::size_t at = 0; at < run.size();) {
        const text::Decoded next = text::decode(run.substr(at));
        const Word word = word_of(next.code_point);
        at += next.size;
        ++numeral.width;
        only_digits =
            only_digits && (word.kind == Word::Kind::kDigit || word.kind == Word::Kind::kZero);
        numeral.short_tens = numeral.short_tens || word.kind == Word::Kind::kTens;
        places = places > kValueMax ? places : places * 10 + word.value;
        in_units = in_units && units.add(word);
    }
    if (only_digits) {
        numeral.style = numeral.width > 1 ? Numeral::Style::kPlaces : Numeral::Style::kUnits;
        numeral.zero_first = numeral.width > 1 && word_of(text::decode(run).code_point).value == 0;
        numeral.value = places;
    } else {
        numeral.style = Numeral::Style::kUnits;
        numeral.value = in_units ? units.value() : -1;
    }
    if (numeral.value < 0 || numeral.value > kValueMax) {
        return std::nullopt;
    }
    return numeral;
}

std::string in_words(std::int64_t number) {
    struct Unit {
        std::int64_t value;
        std::string_view word;
    };
    constexpr Unit kGroups[] = {{100'000'000, "亿"}, {10'000, "万"}, {1, ""}};
    constexpr Unit kUnits[] = {{1000, "千"}, {100, "百"}, {10, "十"}, {1, ""}};
    if (number == 0) {
        return std::string(kZeroWord);
    }
    std::string out;
    bool gap = false;
    for (const Unit& group : kGroups) {
        const std::int64_t section = number / group.value % 10'000;
        for (const Unit& unit : kUnits) {
            const auto digit = static_cast<std::size_t>(section / unit.value % 10);
            if (digit == 0) {
                gap = !out.empty();
                continue;
            }
            if (gap) {
                out += kZeroWord;
                gap = false;
            }
            // 十五, but 一百一十五.
            if (digit != 1 || unit.value != 10 || !out.empty()) {
                out += kDigitWords[digit];
            }
            out += unit.word;
        }
        if (section > 0) {
            out += group.word;
        }
    }
    return out;
}

}  // namespace

void Scanner::skip_blanks() noexcept {
    while (take(" ") || take("\t") || take("\n") || take("\r") || take("\u3000") ||
           take("\u00A0")) {
    }
}

std::string_view trimmed(std::string_view text) noexcept {
    Scanner scanner{text};
    scanner.skip_blanks();
    text = scanner.rest();
    for (std::size_t before = 0; before != text.size();) {
        before = text.size();
        for (const std::string_view blank : {" ", "\t", "\n", "\r", "\u3000", "\u00A0"}) {
            if (text.ends_with(blank)) {
                text.remove_suffix(blank.size());
            }
        }
    }
    return text;
}

bool skip_numeral_run(Scanner& scanner) noexcept {
    const std::size_t begin = scanner.at;
    const char32_t first = text::decode(scanner.rest()).code_point;
    const bool words = word_of(first).kind != Word::Kind::kNone;
    const auto style = digit_of(first, Numeral::Style::kWideDigits) >= 0
                           ? Numeral::Style::kWideDigits
                           : Numeral::Style::kDigits;
    while (!scanner.at_end()) {
        const text::Decoded next = text::decode(scanner.rest());
        const bool in_run = words ? word_of(next.code_point).kind != Word::Kind::kNone
                                  : digit_of(next.code_point, style) >= 0;
        if (!in_run) {
            break;
        }
        scanner.at += next.size;
    }
    return scanner.at > begin;
}

std::optional<Numeral> take_numeral(Scanner& scanner) noexcept {
    Scanner ahead = scanner;
    if (!skip_numeral_run(ahead)) {
        return std::nullopt;
    }
    const std::string_view run = scanner.text.substr(scanner.at, ahead.at - scanner.at);
    const char32_t first = text::decode(run).code_point;
    std::optional<Numeral> numeral;
    if (word_of(first).kind != Word::Kind::kNone) {
        numeral = read_words(run);
    } else {
        numeral.emplace();
        if (digit_of(first, Numeral::Style::kDigits) < 0) {
            numeral->style = Numeral::Style::kWideDigits;
        }
        for (std::size_t at = 0; at < run.size(); ++numeral->width) {
            const text::Decoded next = text::decode(run.substr(at));
            at += next.size;
            numeral->value = numeral->value * 10 + digit_of(next.code_point, numeral->style);
            if (numeral->value > kValueMax) {
                return std::nullopt;
            }
        }
        numeral->zero_first = numeral->width > 1 && digit_of(first, numeral->style) == 0;
    }
    if (numeral) {
        numeral->begin = scanner.at;
        numeral->end = ahead.at;
        scanner = ahead;
    }
    return numeral;
}

std::string written(std::int64_t number, Numeral::Style style, std::size_t width) {
    if (style == Numeral::Style::kUnits || style == Numeral::Style::kFirst) {
        return in_words(number);
    }
    std::string digits = std::to_string(number);
    digits.insert(0, width > digits.size() ? width - digits.size() : 0, '0');
    if (style == Numeral::Style::kDigits) {
        return digits;
    }
    std::string out;
    for (const char digit : digits) {
        if (style == Numeral::Style::kPlaces) {
            out += kDigitWords[static_cast<std::size_t>(digit - '0')];
        } else {
            text::append(out, U'０' + static_cast<char32_t>(digit - '0'));
        }
    }
    return out;
}

std::string written_lunar(std::int64_t day, bool short_tens) {
    if (day <= 10) {
        return "初" + in_words(day);
    }
    if (short_tens && day > 20 && day < 30) {
        return "廿" + in_words(day - 20);
    }
    return in_words(day);
}

}  // namespace arbiter::calendar::internal
