// Goal: dates in fiction are read as their writers meant them, or not at all; counting with them is
// exact; they are written back as they stood.
// Method: tables of texts.
// proves: X-9, D-13
#include "calendar/calendar.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/limits.h"
#include "calendar/shipped.h"

namespace arbiter::calendar {
namespace {

// "calendar|era|year|month|day|time", with ? for what is not told; "-" when nothing was read.
std::string shown(const std::optional<Date>& date) {
    if (!date) {
        return "-";
    }
    std::string out = date->calendar + "|" + date->era + "|";
    out += date->year ? std::to_string(*date->year) : "?";
    out += "|" + std::string(date->leap ? "闰" : "") + std::to_string(date->month);
    out += "|" + std::to_string(date->day);
    if (date->minute) {
        out += "|" + std::to_string(*date->minute / 60) + ":" + std::to_string(*date->minute % 60) +
               (date->phase ? "~" : "");
    }
    return out;
}

const Calendars& all() {
    return default_calendars();
}

struct Case {
    std::string_view text;
    std::string_view expected;
};

TEST(Calendar, ReadsWhatPeopleWrite) {
    const std::vector<Case> cases = {
        {"开阳历 230 年 3 月 初六 日出", "era-12x30|开阳历|230|3|6|6:0~"},
        {"开阳历230年3月初六", "era-12x30|开阳历|230|3|6"},
        {"开阳历　２３０年　３月　初六", "era-12x30|开阳历|230|3|6"},
        {"开阳历二百三十年三月初六日出", "era-12x30|开阳历|230|3|6|6:0~"},
        {"开阳历二三〇年三月初六日", "era-12x30|开阳历|230|3|6"},
        {"开阳历 230 年 3 月 6 日", "era-12x30|开阳历|230|3|6"},
        {"开元元年正月初一", "era-12x30|开元|1|1|1"},
        {"万历十五年腊月廿九 子时三刻", "era-12x30|万历|15|12|29|23:45"},
        {"第三纪元 3019 年 3 月 廿五", "era-12x30|第三纪元|3019|3|25"},
        {"新历第12年三月初六", "era-12x30|新历|12|3|6"},
        {"10月15日", "gregorian||?|10|15"},
        {"3月9日", "gregorian||?|3|9"},
        {"03月09日", "gregorian||?|3|9"},
        {"３月９日", "gregorian||?|3|9"},
        {"三月五日", "gregorian||?|3|5"},
        {"10月15号", "gregorian||?|10|15"},
        {"  10月15日\n", "gregorian||?|10|15"},
        {"10月15日 08:30", "gregorian||?|10|15|8:30"},
        {"10月15日（星期三）08：30", "gregorian||?|10|15|8:30"},
        {"10月15日 周三", "gregorian||?|10|15"},
        {"元月5日", "gregorian||?|1|5"},
        {"三月初五", "era-12x30||?|3|5"},
        {"十二月廿九", "era-12x30||?|12|29"},
        {"十月十五", "era-12x30||?|10|15"},
        {"十一月二十一", "era-12x30||?|11|21"},
        {"三月十五日出", "era-12x30||?|3|15|6:0~"},
        {"三月十五日日出", "gregorian||?|3|15|6:0~"},
        {"闰四月初一", "era-12x30||?|闰4|1"},
        {"正月初一", "era-12x30||?|1|1"},
        {"正月十五日", "era-12x30||?|1|15"},
        {"冬月三十", "era-12x30||?|11|30"},
        {"腊月卅", "era-12x30||?|12|30"},
        {"230年三月初五", "era-12x30||230|3|5"},
        {"第12天", "day-count||?|0|12"},
        {"第十二天 黄昏", "day-count||?|0|12|18:0~"},
        {"末世第 7 天", "day-count|末世|?|0|7"},
        {"Day 7", "day-count||?|0|7"},
        {"第0日", "day-count||?|0|0"},
        {"2026-03-01", "gregorian|公元|2026|3|1"},
        {"2026/3/1", "gregorian|公元|2026|3|1"},
        {"2026-03-01T08:30:00Z", "gregorian|公元|2026|3|1|8:30"},
        {"2026-03-01T08:30+08:00", "gregorian|公元|2026|3|1|8:30"},
        {"2026-03-01 08:30:59.123", "gregorian|公元|2026|3|1|8:30"},
        {"公元2024年2月29日 08:00", "gregorian|公元|2024|2|29|8:0"},
        {"二〇二四年二月二十九日", "gregorian|公元|2024|2|29"},
        {"民国113年2月29日", "gregorian|公元|2024|2|29"},
        {"公元前1年2月29日", "gregorian|公元|0|2|29"},
        {"1000000000年1月1日", "gregorian|公元|1000000000|1|1"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(shown(all().parse(c.text)), c.expected) << c.text;
    }
}

TEST(Calendar, WhatIsNotCertainlyADateIsNone) {
    const std::vector<std::string_view> texts = {"",
                                                 " ",
                                                 "明天",
                                                 "三天后",
                                                 "3月",
                                                 "初六",
                                                 "月5日",
                                                 "13月1日",
                                                 "0月1日",
                                                 "10月0日",
                                                 "10月32日",
                                                 "2月30日",
                                                 "2月29日",
                                                 "公元2023年2月29日",
                                                 "公元2024年2月30日",
                                                 "公元0年1月1日",
                                                 "开阳历 230 年 3 月 31 日",
                                                 "三月初十五",
                                                 "三月初廿",
                                                 "三月卅一",
                                                 "三月一五",
                                                 "三月二十十",
                                                 "二十三月初一",
                                                 "3月9日至3月12日",
                                                 "3月9日前",
                                                 "约3月9日",
                                                 "去年三月初五",
                                                 "3月9日 大约八点",
                                                 "10月15日 24:00",
                                                 "10月15日 08:60",
                                                 "10月15日 8:5",
                                                 "10月15日08:30夜",
                                                 "10月15日（星期三",
                                                 "10月15日 星期八",
                                                 "闰4月1日",
                                                 "公元2024年闰四月1日",
                                                 "2026-13-01",
                                                 "2026-02-29",
                                                 "26-03-01",
                                                 "2026-03/01",
                                                 "2026-03-01T",
                                                 "2026-03-01T8点",
                                                 "2026-03-01T08:30+8",
                                                 "-2026-03-01",
                                                 "第天",
                                                 "第12",
                                                 "第-3天",
                                                 "第12天后",
                                                 "第一百五天",
                                                 "12日",
                                                 "1000000001年1月1日",
                                                 "99999999999999999999年1月1日",
                                                 "第100000000001天",
                                                 "开阳历，230年3月初六",
                                                 "\xFF\xFE",
                                                 "开\xFF历230年3月初六",
                                                 "230年",
                                                 "年月日"};
    for (const std::string_view text : texts) {
        EXPECT_EQ(shown(all().parse(text)), "-") << text;
    }
    const std::string padded = "10月15日" + std::string(base::kDateTextBytesMax - 10, ' ');
    EXPECT_TRUE(all().parse(padded.substr(0, base::kDateTextBytesMax - 1)));
    EXPECT_TRUE(all().parse(padded));
    EXPECT_FALSE(all().parse(padded + " "));
}

TEST(Calendar, TimesOfDay) {
    struct Time {
        std::string_view text;
        int hour;
        int minute;
    };
    const std::vector<Time> times = {
        {"08:30", 8, 30},       {"8:30", 8, 30},       {"８：３０", 8, 30}, {"23:59:59", 23, 59},
        {"0:00", 0, 0},         {"8点", 8, 0},         {"8点半", 8, 30},    {"八点半", 8, 30},
        {"8点30分", 8, 30},     {"8点5分", 8, 5},      {"8点05", 8, 5},     {"8点一刻", 8, 15},
        {"十二点三刻", 12, 45}, {"20时15分", 20, 15},  {"8点整", 8, 0},     {"8点钟", 8, 0},
        {"下午3点", 15, 0},     {"下午3:20", 15, 20},  {"下午15点", 15, 0}, {"下午12点", 12, 0},
        {"上午9点", 9, 0},      {"凌晨3点", 3, 0},     {"凌晨12点", 0, 0},  {"中午12点", 12, 0},
        {"中午1点", 13, 0},     {"晚上8点半", 20, 30}, {"3:30 PM", 15, 30}, {"12:10 am", 0, 10},
        {"子时", 23, 0},        {"子初", 23, 0},       {"子正", 0, 0},      {"子时三刻", 23, 45},
        {"子时五刻", 0, 15},    {"丑时", 1, 0},        {"午时", 11, 0},     {"午正", 12, 0},
        {"午时三刻", 11, 45},   {"午正一刻", 12, 15},  {"午时初刻", 11, 0}, {"亥时", 21, 0},
        {"正午", 12, 0},        {"日出", 6, 0},        {"黄昏", 18, 0},     {"夜半", 0, 0}};
    for (const Time& time : times) {
        const auto read = all().parse_time(time.text);
        ASSERT_TRUE(read) << time.text;
        EXPECT_EQ(read->minute, time.hour * 60 + time.minute) << time.text;
    }
    for (const std::string_view text :
         {"",         "24:00",    "12:60",    "8:3",       "008:30",  "八:30",    "8",
          "25点",     "8点4刻",   "8点5",     "8点60分",   "上午3点", "晚上12点", "晚上2点",
          "子",       "子时八刻", "子初四刻", "子时零刻",  "刻",      "鼠时",     "08:30 夜",
          "8点半5分", "12:3０",   "12:30:",   "下午15点PM"}) {
        EXPECT_FALSE(all().parse_time(text)) << text;
    }
    EXPECT_TRUE(all().parse_time("正午")->phase);
    EXPECT_FALSE(all().parse_time("午正")->phase);
}

TEST(Calendar, ReadsThreeTextsAsOne) {
    const auto read = [](std::string era, std::string date, std::string time = "") {
        return shown(all().parse(DateTexts{std::move(era), std::move(date), std::move(time)}));
    };
    EXPECT_EQ(read("星陨历元年", "10月31日", "08:30"), "gregorian|星陨历|1|10|31|8:30");
    EXPECT_EQ(read("星陨历", "10月15日"), "gregorian|星陨历|?|10|15");
    EXPECT_EQ(read("公元2024年", "02月29日"), "gregorian|公元|2024|2|29");
    EXPECT_EQ(read("2024", "02月29日"), "gregorian|公元|2024|2|29");
    EXPECT_EQ(read("开阳历 230 年", "三月初六", "午时"), "era-12x30|开阳历|230|3|6|11:0");
    EXPECT_EQ(read("", "10月15日", "  "), "gregorian||?|10|15");
    EXPECT_EQ(read("末世", "第12天"), "day-count|末世|?|0|12");
    EXPECT_EQ(read("开阳历", "开阳历 230 年 3 月 初六"), "era-12x30|开阳历|230|3|6");
    // The years of an unknown era have 365 days.
    EXPECT_EQ(read("星陨历4年", "2月29日"), "-");
    EXPECT_EQ(read("231年", "230年三月初六"), "-");
    EXPECT_EQ(read("永昌", "开阳历 230 年 3 月 初六"), "-");
    EXPECT_EQ(read("？？", "10月15日"), "-");
    EXPECT_EQ(read("", "10月15日", "不久"), "-");
    EXPECT_EQ(shown(all().parse("10月15日", "era-12x30")), "era-12x30||?|10|15");
    EXPECT_EQ(shown(all().parse("10月31日", "era-12x30")), "-");
    EXPECT_EQ(shown(all().parse("10月15日", "none")), "-");
}

TEST(Calendar, DaysBetween) {
    struct Pair {
        std::string_view from;
        std::string_view to;
        std::optional<std::int64_t> days;
    };
    const std::vector<Pair> pairs = {
        {"10月15日", "10月16日", 1},
        {"02月28日", "03月01日", 1},
        {"12月30日", "01月02日", 3},
        {"12月31日", "01月01日", 1},
        {"10月15日", "10月12日", -3},
        {"7月2日", "1月1日", -182},
        {"7月3日", "1月1日", 182},
        {"1月1日", "12月31日", 364},
        {"腊月三十", "正月初一", 1},
        {"三月初五", "三月廿五", 20},
        {"公元2024年2月28日", "公元2024年3月1日", 2},
        {"2023-02-28", "公元2023年3月1日", 1},
        {"公元前1年12月31日", "公元1年1月1日", 1},
        {"民国113年1月1日", "2024-12-31", 365},
        {"开阳历 230 年 12 月 初六", "开阳历231年正月初六", 30},
        {"开阳历 1 年 1 月 初一", "开阳历 1000000000 年 1 月 初一", 359999999640},
        {"闰四月初一", "闰四月十五", 14},
        {"第12天", "第3天", -9},
        {"末世第1天", "末世第100天", 99},
        // Unknown: other eras, other calendars, a year on one side, across a leap month.
        {"开阳历 230 年 3 月 初六", "永昌 230 年 3 月 初七", std::nullopt},
        {"10月15日", "三月初五", std::nullopt},
        {"10月15日", "2026-10-16", std::nullopt},
        {"四月初一", "闰四月初一", std::nullopt},
        {"第1天", "末世第2天", std::nullopt}};
    for (const Pair& pair : pairs) {
        const auto from = all().parse(pair.from);
        const auto to = all().parse(pair.to);
        ASSERT_TRUE(from && to) << pair.from << " " << pair.to;
        EXPECT_EQ(all().days_between(*from, *to), pair.days) << pair.from << " " << pair.to;
    }
}

TEST(Calendar, PrintsInTheSameForm) {
    struct Sum {
        std::string_view text;
        std::int64_t days;
        std::string_view expected;  // "-" when there is none
    };
    const std::vector<Sum> sums = {
        {"10月15日", 1, "10月16日"},
        {"3月9日", 3, "3月12日"},
        {"03月09日", 3, "03月12日"},
        {"12月30日", 3, "01月02日"},
        {"12月9日", 23, "1月1日"},
        {"１２月３０日", 3, "０１月０２日"},
        {" 10 月 15 日 ", -15, " 09 月 30 日 "},
        {"三月初五", 1, "三月初六"},
        {"三月初十", 1, "三月十一"},
        {"三月二十", 1, "三月廿一"},
        {"三月二十一", 1, "三月二十二"},
        {"三月廿九", 1, "三月三十"},
        {"三月廿九", 2, "四月初一"},
        {"腊月三十 夜半", 1, "正月初一 夜半"},
        {"正月初一", 30, "二月初一"},
        {"冬月初一", 60, "正月初一"},
        {"开阳历 230 年 3 月 初六", 30, "开阳历 230 年 4 月 初六"},
        {"开阳历 230 年 3 月 初六 日出", 300, "开阳历 231 年 1 月 初六 日出"},
        {"开阳历二百三十年三月初六", 3600, "开阳历二百四十年三月初六"},
        {"开阳历二三〇年三月初六", 3600, "开阳历二四〇年三月初六"},
        {"开元元年腊月三十", 1, "开元二年正月初一"},
        {"开元二年正月初一", -1, "开元元年腊月三十"},
        {"闰四月初一", 29, "闰四月三十"},
        {"闰四月初一", 30, "-"},
        {"2026-02-28", 1, "2026-03-01"},
        {"0999-12-31", 1, "1000-01-01"},
        {"2026-12-31T08:30:00Z", 1, "2027-01-01T08:30:00Z"},
        {"2026/1/31", 1, "2026/2/1"},
        {"公元2024年2月28日 08:00", 1, "公元2024年2月29日 08:00"},
        {"民国112年12月31日", 1, "民国113年1月1日"},
        {"公元前2年12月31日", 1, "公元前1年1月1日"},
        {"公元前1年12月31日", 1, "-"},
        {"公元1年1月1日", -1, "-"},
        {"10月15日（星期三）", 5, "10月20日（星期一）"},
        {"10月15日 周日 8点半", 1, "10月16日 周一 8点半"},
        {"第12天", 30, "第42天"},
        {"第十二天 黄昏", 8, "第二十天 黄昏"},
        {"末世第007天", 1, "末世第008天"},
        {"第3天", -3, "第0天"},
        {"第3天", -4, "-"}};
    for (const Sum& sum : sums) {
        const auto date = all().parse(sum.text);
        ASSERT_TRUE(date) << sum.text;
        const auto later = all().plus_days(*date, sum.days);
        const auto text = later ? all().print(*later, sum.text) : std::nullopt;
        EXPECT_EQ(text.value_or("-"), sum.expected) << sum.text;
    }
    const DateTexts like{"星陨历元年", "12月31日", "午时"};
    const auto later = all().plus_days(*all().parse(like), 1);
    EXPECT_EQ(all().print(*later, like), (DateTexts{"星陨历二年", "01月01日", "午时"}));
    EXPECT_EQ(all().print(*later, "10月10日"), "01月01日");
    EXPECT_FALSE(all().print(*later, "三月初五"));
    EXPECT_FALSE(all().print(*later, "公元2024年1月1日"));
    EXPECT_FALSE(all().print(*all().parse("10月15日"), "2026-01-01"));
    EXPECT_FALSE(all().print(Date{}, "10月15日"));
}

TEST(Calendar, Weekdays) {
    EXPECT_EQ(all().weekday_plus("星期三", 2), "星期五");
    EXPECT_EQ(all().weekday_plus("周日", 1), "周一");
    EXPECT_EQ(all().weekday_plus("星期天", 7), "星期天");
    EXPECT_EQ(all().weekday_plus("Mon", -1), "Sun");
    EXPECT_EQ(all().weekday_plus("礼拜一", std::numeric_limits<std::int64_t>::min()), "礼拜日")
        << "-2^63 is 6 days more than a number of weeks";
    EXPECT_FALSE(all().weekday_plus("星期八", 1));
    EXPECT_FALSE(all().weekday_plus("", 1));
}

}  // namespace
}  // namespace arbiter::calendar
