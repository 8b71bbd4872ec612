// Goal: counting with dates is exact for every date, and printing is the contrary of reading.
// Method: the Gregorian calendar against std::chrono; walks day by day; random dates for the laws
// of sums; the ends of all numbers.
// proves: X-9
#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "calendar/calendar.h"
#include "calendar/shipped.h"
#include "tests/support/random.h"
#include "value/json.h"

namespace arbiter::calendar {
namespace {

const Calendars& all() {
    return default_calendars();
}

TEST(CalendarLaws, GregorianIsThatOfChrono) {
    using namespace std::chrono;
    tests::Random random(1);
    for (int i = 0; i < 20'000; ++i) {
        const sys_days day{days{static_cast<int>(random.below(6'000'000)) - 1'000'000}};
        const year_month_day civil(day);
        const int distance = static_cast<int>(random.below(2'000'000)) - 1'000'000;
        const year_month_day other(day + days{distance});
        const auto date_of = [](const year_month_day& d) {
            Date date;
            date.calendar = "gregorian";
            date.era = "公元";
            date.year = int{d.year()};
            date.month = static_cast<int>(unsigned{d.month()});
            date.day = unsigned{d.day()};
            return date;
        };
        ASSERT_EQ(all().days_between(date_of(civil), date_of(other)), distance) << i;
        ASSERT_EQ(all().plus_days(date_of(civil), distance), date_of(other)) << i;
    }
}

// A calendar of three months, with leap months here and there.
Calendars odd_calendars() {
    const auto data = value::parse_json(R"({"name": "odd", "title": {"en": "o", "zh": "奇"},
        "months": [{"days": 17}, {"days": 1, "names": ["影月"]}, {"days": 40}], "lunar_days": true,
        "leap": [{"year": 12, "month": 3, "days": 9}, {"year": -5, "month": 1, "days": 1},
                 {"year": 3, "month": 2, "days": 30}], "without_era": "all", "any_era": true})");
    EXPECT_TRUE(data.has_value());
    auto calendars = Calendars::compile(std::span(&*data, 1));
    EXPECT_TRUE(calendars.has_value());
    return std::move(*calendars);
}

TEST(CalendarLaws, LeapMonthsOfAListAreCounted) {
    const Calendars odd = odd_calendars();
    const auto date = [&](std::string_view text) { return odd.parse(text).value_or(Date{}); };
    EXPECT_EQ(odd.days_between(date("3年2月1日"), date("3年闰2月1日")), 1);
    EXPECT_EQ(odd.days_between(date("3年2月1日"), date("3年3月1日")), 31);
    EXPECT_EQ(odd.days_between(date("4年2月1日"), date("4年3月1日")), 1);
    EXPECT_EQ(odd.days_between(date("3年1月1日"), date("4年1月1日")), 88);
    EXPECT_EQ(odd.print(*odd.plus_days(date("3年影月1日"), 1), "3年影月1日"), "3年闰影月1日");
    EXPECT_EQ(odd.print(*odd.plus_days(date("3年闰 2月30日"), 1), "3年闰 2月30日"), "3年3月1日");
    EXPECT_FALSE(odd.parse("4年闰2月1日"));
    EXPECT_FALSE(odd.parse("3年闰2月31日"));
    EXPECT_TRUE(odd.parse("闰2月1日"));
}

// Day by day through a century, every date follows the one before it.
TEST(CalendarLaws, DaysFollowEachOther) {
    const Calendars odd = odd_calendars();
    const std::pair<const Calendars*, std::string_view> starts[] = {
        {&odd, "0年1月1日"}, {&all(), "公元前40年1月1日"}, {&all(), "开阳历1年正月初一"}};
    for (const auto& [calendars, text] : starts) {
        const Date first = *calendars->plus_days(*calendars->parse(text), -700);
        Date before = first;
        for (std::int64_t i = 1; i < 36'000; ++i) {
            const auto next = calendars->plus_days(before, 1);
            ASSERT_TRUE(next);
            ASSERT_EQ(calendars->days_between(before, *next), 1);
            ASSERT_EQ(calendars->days_between(first, *next), i);
            ASSERT_EQ(calendars->plus_days(*next, -i), first);
            const bool goes_on = next->day == before.day + 1 && next->month == before.month &&
                                 next->leap == before.leap && next->year == before.year;
            ASSERT_TRUE(goes_on || next->day == 1) << i;
            before = *next;
        }
    }
}

TEST(CalendarLaws, SumsObeyTheirLaws) {
    const std::vector<std::string_view> texts = {"10月15日",
                                                 "3月9日",
                                                 "开阳历 230 年 3 月 初六 日出",
                                                 "开阳历二百三十年三月初六",
                                                 "三月初五",
                                                 "正月初一",
                                                 "公元2024年2月29日 08:00",
                                                 "2026-03-01T08:30:00Z",
                                                 "民国113年2月3日",
                                                 "第1000000天",
                                                 "开元九九年十月廿二 周三",
                                                 "1000000年1月1日"};
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        tests::Random random(seed);
        const std::string_view text = random.pick(texts);
        const Date date = *all().parse(text);
        EXPECT_EQ(all().print(date, text), text);
        const auto step = [&](std::size_t most) {
            return static_cast<std::int64_t>(random.below(2 * most)) -
                   static_cast<std::int64_t>(most);
        };
        // Without a year a step back over new year cannot be told from a long step forward.
        const bool counted = date.year || date.month == 0;
        const std::size_t most = counted ? 30'000 : 170;
        const std::int64_t a = counted ? step(most) : step(most) + 170;
        const std::int64_t b = step(most);
        const auto sum = all().plus_days(date, a);
        ASSERT_TRUE(sum) << text << " " << a;
        if (counted || a < 180) {
            EXPECT_EQ(all().days_between(date, *sum), a) << text << " " << a;
        }
        EXPECT_EQ(all().plus_days(*sum, b), all().plus_days(date, a + b)) << text << " " << a;
        if (const auto printed = all().print(*sum, text)) {
            EXPECT_EQ(all().parse(*printed, sum->calendar), sum) << *printed;
            EXPECT_EQ(all().print(date, *printed).has_value(), true) << *printed;
        }
    }
}

TEST(CalendarLaws, NothingOverflows) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    for (const std::string_view text :
         {"10月15日", "三月初五", "闰四月初一", "第12天", "2026-03-01", "1000000000年12月31日",
          "开阳历1000000000年12月30日", "开阳历0年1月1日"}) {
        const auto date = all().parse(text);
        ASSERT_TRUE(date) << text;
        for (const std::int64_t n : {kMost, -kMost - 1, kMost - 400, std::int64_t{1} << 62}) {
            const auto sum = all().plus_days(*date, n);
            const bool wraps = !date->year && date->month > 0 && !date->leap;
            EXPECT_EQ(sum.has_value(), wraps) << text << n;
        }
    }
    EXPECT_TRUE(all().plus_days(*all().parse("1000000000年12月30日"), 1));
    EXPECT_FALSE(all().plus_days(*all().parse("1000000000年12月31日"), 1));
    Date wrong = *all().parse("10月15日");
    for (const int month : {-1, 0, 13, std::numeric_limits<int>::max()}) {
        wrong.month = month;
        EXPECT_FALSE(all().plus_days(wrong, 1));
        EXPECT_FALSE(all().days_between(wrong, wrong));
        EXPECT_FALSE(all().print(wrong, "10月15日"));
    }
}

}  // namespace
}  // namespace arbiter::calendar
