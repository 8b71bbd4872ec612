// Goal: numbers have one form each, print as JavaScript prints them, and read back the same.
// Method: a table that JavaScript itself wrote (data/js_numbers.txt), and the borders by hand.
#include "value/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

#include "tests/support/random.h"
#include "value/json.h"

namespace arbiter::value {
namespace {

std::string printed(double number) {
    return print_json(Value(number));
}

TEST(Number, PrintsAsJavaScriptPrints) {
    std::ifstream file(ARBITER_TEST_DATA "/js_numbers.txt");
    ASSERT_TRUE(file);
    std::string bits;
    std::string expected;
    std::size_t count = 0;
    while (file >> bits) {
        if (bits == "#") {
            std::getline(file, expected);
            continue;
        }
        file >> expected;
        const double number = std::bit_cast<double>(std::stoull(bits, nullptr, 16));
        EXPECT_EQ(printed(number), expected);
        // And what was printed is the same value again.
        const auto again = parse_json(expected);
        ASSERT_TRUE(again) << expected;
        EXPECT_TRUE(again->is_identical(Value(number))) << expected;
        ++count;
    }
    EXPECT_GT(count, 350U);
}

TEST(Number, ReadsBackWhatItPrints) {
    tests::Random random(7);
    for (int i = 0; i < 200'000; ++i) {
        const double number = std::bit_cast<double>(random.next());
        const Value value(number);
        const auto again = parse_json(print_json(value));
        ASSERT_TRUE(again);
        ASSERT_TRUE(again->is_identical(value)) << print_json(value);
        if (std::isfinite(number)) {
            ASSERT_EQ(value.as_double(), number == 0 ? 0 : number);
        }
    }
    for (int i = 0; i < 50'000; ++i) {
        const Value value(static_cast<std::int64_t>(random.next()) >> random.below(64));
        ASSERT_TRUE(parse_json(print_json(value))->is_identical(value));
    }
}

TEST(Number, PrintsWholeDoublesWithoutAPoint) {
    char text[kNumberTextMax];
    EXPECT_EQ(std::string_view(text, print_double(5.0, text)), "5");
    EXPECT_EQ(std::string_view(text, print_double(-100.0, text)), "-100");
    EXPECT_EQ(std::string_view(text, print_double(1e21, text)), "1e+21");
}

TEST(Number, WholeDoublesAreIntegers) {
    EXPECT_TRUE(Value(1.0).is_identical(Value(1)));
    EXPECT_TRUE(Value(-0.0).is_identical(Value(0)));
    EXPECT_TRUE(Value(1e18).is_int());
    EXPECT_EQ(printed(1152921504606846976.0), "1152921504606847000");
    EXPECT_TRUE(Value(-9223372036854775808.0)
                    .is_identical(Value(std::numeric_limits<std::int64_t>::min())));
    EXPECT_FALSE(Value(9223372036854775808.0).is_int());
    EXPECT_FALSE(Value(0.5).is_int());
}

TEST(Number, WhatJsonCannotHoldIsNull) {
    EXPECT_TRUE(Value(std::nan("")).is_null());
    EXPECT_TRUE(Value(std::numeric_limits<double>::infinity()).is_null());
    EXPECT_TRUE(Value(-std::numeric_limits<double>::infinity()).is_null());
}

TEST(Number, IntegersAreExactUpToInt64) {
    EXPECT_EQ(parse_json("9223372036854775807")->as_int(),
              std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(parse_json("-9223372036854775808")->as_int(),
              std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(print_json(*parse_json("9007199254740993")), "9007199254740993");
}

TEST(Number, BeyondInt64IsRoundedWithANotice) {
    for (const char* text : {"9223372036854775808", "-9223372036854775809", "18446744073709551615",
                             "1234567890123456789012345678901234567890"}) {
        JsonNotices notices;
        const auto value = parse_json(text, {.notices = &notices});
        ASSERT_TRUE(value) << text;
        EXPECT_EQ(value->as_double(), std::stod(text)) << text;
        ASSERT_EQ(notices.total, 1U) << text;
        EXPECT_EQ(notices.list[0].what, JsonNotice::What::kRoundedNumber);
    }
    EXPECT_EQ(print_json(*parse_json("1234567890123456789012345678901234567890")),
              "1.2345678901234568e+39");
}

TEST(Number, TooLargeIsAnErrorAndTooSmallIsZero) {
    const std::string nines(400, '9');
    for (const std::string& text :
         {std::string("1e400"), std::string("-1e400"), nines, "0." + nines + "e500",
          std::string("1e999999999999999999999"), "1" + std::string(309, '0') + ".5"}) {
        const auto value = parse_json(text);
        ASSERT_FALSE(value) << text;
        EXPECT_EQ(value.error().code, base::ErrorCode::kJsonNumberRange);
    }
    for (const char* text : {"1e-400", "-1e-400", "0e999999999999", "1e-999999999999999999999",
                             "0.000000000000000000000000001e-310"}) {
        const auto value = parse_json(text);
        ASSERT_TRUE(value) << text;
        EXPECT_TRUE(value->is_identical(Value(0))) << text;
    }
}

}  // namespace
}  // namespace arbiter::value
