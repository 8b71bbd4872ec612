// Goal: a calendar that is wrong is refused with the path of what is wrong; what is right is used.
// Method: one good calendar with one fault at a time; numerals there and back.
// proves: X-9
#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/messages.h"
#include "calendar/internal/numerals.h"
#include "calendar/shipped.h"
#include "value/editor.h"
#include "value/json.h"

namespace arbiter::calendar {
namespace {

constexpr std::string_view kGood = R"({"name": "a", "title": {"en": "A", "zh": "甲"},
    "months": [{"days": 3, "names": ["春"]}, {"days": 4, "leap_days": 5}], "leap": "gregorian",
    "eras": [{"name": "E", "first": 5}], "hours": {"names": ["子"], "begin": "23:00",
    "minutes": 120, "quarter": 15}, "phases": {"日出": "06:00"}, "dayparts": {"下午": [12, 20]},
    "week": [["x", "y"], ["z", "w"]]})";

value::Value json(std::string_view text) {
    const auto parsed = value::parse_json(text);
    EXPECT_TRUE(parsed.has_value()) << text;
    return *parsed;
}

// "path: code" of the error when `path` of the good calendar is replaced.
std::string with(std::string_view path, std::string_view replacement) {
    value::Editor editor(json(kGood));
    const auto where = value::parse_path(path, value::PathSyntax::kDotted);
    EXPECT_TRUE(editor.set(*where, json(replacement)).has_value()) << path;
    const value::Value documents[] = {std::move(editor).take()};
    const auto compiled = Calendars::compile(documents);
    if (compiled) {
        return "good";
    }
    EXPECT_FALSE(base::explain(compiled.error().error, base::Language::kChinese).contains("{0}"));
    return value::print_path(compiled.error().path, value::PathSyntax::kDotted) + ": " +
           std::string(base::name(compiled.error().error.code));
}

TEST(CalendarData, EveryFaultHasItsPath) {
    EXPECT_EQ(with("name", R"("b")"), "good");
    EXPECT_EQ(with("name", "1"), "name: bad_field");
    EXPECT_EQ(with("name", R"(" ")"), "name: bad_field");
    EXPECT_EQ(with("title", "{}"), "title: missing_key");
    EXPECT_EQ(with("title.fr", R"("x")"), "title.fr: unknown_key");
    EXPECT_EQ(with("colour", "1"), "colour: unknown_key");
    EXPECT_EQ(with("months", "[]"), "months: bad_field");
    EXPECT_EQ(with("months[1].days", "0"), "months[1].days: bad_field");
    EXPECT_EQ(with("months[1].days", "1000"), "months[1].leap_days: bad_field");
    EXPECT_EQ(with("months[0].days", "1000"), "good");
    EXPECT_EQ(with("months[0].days", "1001"), "months[0].days: bad_field");
    EXPECT_EQ(with("months[0]", "7"), "months[0]: bad_field");
    EXPECT_EQ(with("months[1].leap_days", "2"), "months[1].leap_days: bad_field");
    EXPECT_EQ(with("months[0].names[0]", "1"), "months[0].names[0]: bad_field");
    EXPECT_EQ(with("leap", R"("julian")"), "leap: bad_field");
    EXPECT_EQ(with("leap", R"([{"year": 1, "month": 3, "days": 9}])"), "leap[0].month: bad_field");
    EXPECT_EQ(with("leap", R"([{"year": 1, "month": 1, "days": 9},
                               {"year": 1, "month": 2, "days": 9}])"),
              "leap: calendar_twice");
    EXPECT_EQ(with("eras[0].first", R"("5")"), "eras[0].first: bad_field");
    EXPECT_EQ(with("eras[1]", R"({"name": "E"})"), "eras[1]: calendar_twice");
    EXPECT_EQ(with("without_era", R"("some")"), "without_era: bad_field");
    EXPECT_EQ(with("lunar_days", "1"), "lunar_days: bad_field");
    EXPECT_EQ(with("counter", R"([["第"]])"), "counter[0]: bad_field");
    EXPECT_EQ(with("hours.begin", R"("24:00")"), "hours.begin: bad_field");
    EXPECT_EQ(with("hours.minutes", "0"), "hours.minutes: bad_field");
    EXPECT_EQ(with("phases.日出", R"("dawn")"), "phases.日出: bad_field");
    EXPECT_EQ(with("dayparts.下午", "[20, 12]"), "dayparts.下午: bad_field");
    EXPECT_EQ(with("week[1]", R"(["z"])"), "week[1]: bad_field");
    EXPECT_EQ(with("day_of", R"("b")"), "day_of: calendar_no_such");
    EXPECT_EQ(with("day_of", R"("a")"), "day_of: calendar_no_such");
    const value::Value twice[] = {json(kGood), json(kGood)};
    EXPECT_EQ(Calendars::compile(twice).error().document, 1U);
    const value::Value scalar[] = {value::Value(1)};
    EXPECT_FALSE(Calendars::compile(scalar).has_value());
    EXPECT_TRUE(Calendars::compile({}).has_value());
}

TEST(CalendarData, ListsHaveLimits) {
    const auto months = [](std::size_t count) {
        std::string list = "[";
        for (std::size_t i = 0; i < count; ++i) {
            list += i == 0 ? R"({"days": 1})" : R"(,{"days": 1})";
        }
        return with("months", list + "]");
    };
    EXPECT_EQ(months(base::kCalendarMonthsMax - 1), "good");
    EXPECT_EQ(months(base::kCalendarMonthsMax), "good");
    EXPECT_EQ(months(base::kCalendarMonthsMax + 1), "months: bad_field");
    const auto calendars = [](std::size_t count) {
        std::vector<value::Value> documents;
        for (std::size_t i = 0; i < count; ++i) {
            value::Editor editor(json(kGood));
            EXPECT_TRUE(editor.set({"name"}, value::Value(std::to_string(i))).has_value());
            documents.push_back(std::move(editor).take());
        }
        return Calendars::compile(documents).has_value();
    };
    EXPECT_TRUE(calendars(base::kCalendarsMax));
    EXPECT_FALSE(calendars(base::kCalendarsMax + 1));
}

TEST(CalendarData, ShippedCalendarsAreWhole) {
    std::vector<std::string_view> names;
    for (const CalendarTitle& title : default_calendars().titles()) {
        names.push_back(title.name);
        EXPECT_FALSE(title.english.empty());
        EXPECT_NE(title.english, title.chinese);
    }
    EXPECT_EQ(names, (std::vector<std::string_view>{"day-count", "era-12x30", "gregorian"}));
    for (const ShippedText& text : shipped_calendars()) {
        EXPECT_EQ(json(text.json), json(value::print_json(json(text.json)))) << text.file;
    }
}

TEST(Numerals, WordsForNumbers) {
    using internal::Numeral;
    const auto read = [](std::string_view text) -> std::int64_t {
        internal::Scanner scanner{text};
        const auto number = internal::take_numeral(scanner);
        return number && scanner.at_end() ? number->value : -1;
    };
    const std::vector<std::pair<std::string_view, std::int64_t>> texts = {
        {"零", 0},
        {"十", 10},
        {"十五", 15},
        {"二十", 20},
        {"廿", 20},
        {"廿三", 23},
        {"卅一", 31},
        {"一百", 100},
        {"一百零五", 105},
        {"一百一十", 110},
        {"一百十", 110},
        {"两千零一十", 2010},
        {"二〇二四", 2024},
        {"一万二千", 12000},
        {"三万零五", 30005},
        {"十亿", 1000000000},
        {"一亿零二万", 100020000},
        {"00012", 12},
        {"１２", 12},
        {"一百廿三", 123},
        // Malformed or ambiguous numbers.
        {"一百五", -1},
        {"三万五", -1},
        {"百", -1},
        {"十十", -1},
        {"一二十", -1},
        {"一十百", -1},
        {"二十零", -1},
        {"零十", -1},
        {"一零零五百", -1},
        {"廿廿", -1},
        {"万", -1},
        {"一万亿", -1},
        {"1２", -1},
        {"1一", -1},
        {"100000000001", -1}};
    for (const auto& [text, value] : texts) {
        EXPECT_EQ(read(text), value) << text;
    }
    for (std::int64_t number = 0; number < 3'000'000'000; number += 1 + number / 37) {
        for (const auto style : {Numeral::Style::kDigits, Numeral::Style::kWideDigits,
                                 Numeral::Style::kUnits, Numeral::Style::kPlaces}) {
            EXPECT_EQ(read(internal::written(number, style, 0)), number);
        }
    }
    EXPECT_EQ(internal::written(10'500, Numeral::Style::kUnits, 0), "一万零五百");
    EXPECT_EQ(internal::written(7, Numeral::Style::kWideDigits, 3), "００７");
}

}  // namespace
}  // namespace arbiter::calendar
