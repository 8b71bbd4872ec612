// Whole numbers in the styles of dates: parsing and printing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace arbiter::calendar::internal {

// A position in a text that moves on over what is taken.
struct Scanner {
    std::string_view text;
    std::size_t at = 0;

    [[nodiscard]] std::string_view rest() const noexcept { return text.substr(at); }
    [[nodiscard]] bool at_end() const noexcept { return at >= text.size(); }
    bool take(std::string_view word) noexcept {
        const bool there = rest().starts_with(word);
        at += there ? word.size() : 0;
        return there;
    }
    // Spaces, line breaks, and the wide and unbreakable spaces.
    void skip_blanks() noexcept;
};

// Without the blanks around it.
std::string_view trimmed(std::string_view text) noexcept;

struct Numeral {
    enum class Style : std::uint8_t {
        kDigits,      // 230, 03
        kWideDigits,  // ２３０
        kUnits,       // 二百三十, 廿三
        kPlaces,      // 二三〇
        kFirst        // 元, of a first year
    };
    std::int64_t value = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    Style style = Style::kDigits;
    std::size_t width = 0;    // characters
    bool zero_first = false;  // 03
    bool short_tens = false;  // 廿, 卅

    [[nodiscard]] bool is_chinese() const noexcept {
        return style == Style::kUnits || style == Style::kPlaces;
    }
};

// Takes the longest number at the position. Nothing, without moving, if there is none, if it is
// malformed (二十十) or if it is beyond base::kCalendarDayMax.
std::optional<Numeral> take_numeral(Scanner& scanner) noexcept;
// Moves behind what could be a part of a number, whether or not it is a proper one.
bool skip_numeral_run(Scanner& scanner) noexcept;

// A number from 0 up, with at least `width` digits where they are digits.
std::string written(std::int64_t number, Numeral::Style style, std::size_t width);
// 初六, 十五, 廿三 (二十三 unless `short_tens`), 三十. From 1 up.
std::string written_lunar(std::int64_t day, bool short_tens);

}  // namespace arbiter::calendar::internal
