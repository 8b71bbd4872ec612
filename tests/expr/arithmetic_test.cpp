// Goal: arithmetic gives the number that mathjs 12 gives for it, and nothing else becomes a number.
// Method: tables of texts, checked against mathjs 12.4.3 where it has an answer; random expression
// trees against direct evaluation; borders of the limits; any bytes.
#include "expr/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/limits.h"
#include "tests/support/random.h"
#include "value/json.h"

namespace arbiter::expr {
namespace {

// The result as JSON prints it, or "text".
std::string result(std::string_view text) {
    const auto number = evaluate(text);
    if (!number) {
        return "text";
    }
    EXPECT_TRUE(number->is_number()) << text;
    return value::print_json(*number);
}

struct Case {
    std::string_view text;
    std::string_view expected;
};
void check(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        EXPECT_EQ(result(c.text), c.expected) << c.text;
    }
}
void check_text(const std::vector<std::string_view>& texts) {
    for (const std::string_view text : texts) {
        EXPECT_EQ(result(text), "text") << text;
    }
}

TEST(Arithmetic, ReadsNumbers) {
    check({{"5", "5"},       {"3.5", "3.5"},  {".5", "0.5"},    {"5.", "5"},     {"1e3", "1000"},
           {"1E+3", "1000"}, {"5e-1", "0.5"}, {"1.e3", "1000"}, {"0x1f", "31"},  {"0x1F + 1", "32"},
           {"0b101", "5"},   {"0o17", "15"},  {"007", "7"},     {"00.5", "0.5"}, {"+8", "8"},
           {"-8", "-8"},     {"- -5", "5"},   {"--5", "5"},     {"+-5", "-5"},   {"-0", "0"},
           {"(5)", "5"},     {"1e-400", "0"}});
    check_text({"1_000", "1 000", "１２３", "12 34", "1.5.2", "0x", "0b12", "0o8", "0x1g", "0X1F",
                "1e", "1e+", "1e5.5", ".", "5..", ".e3", "1,000", "1'000", "0x1.8"});
}

TEST(Arithmetic, OperatorsBindAsInMathjs) {
    check({{"10 + 5 * 2", "20"},
           {"(100-35)/5", "13"},
           {"6 / 2 * 3", "9"},
           {"10 - 3 - 2", "5"},
           {"2^8", "256"},
           {"2^3^2", "512"},
           {"-2^2", "-4"},
           {"(-2)^2", "4"},
           {"2^-1", "0.5"},
           {"2^-2^2", "0.0625"},
           {"0^0", "1"},
           {"-(6 + 3)", "-9"},
           {"5 - -3", "8"},
           {"2 * -3", "-6"},
           {"(1 + (2 * (3 + 4)))", "15"},
           {"12 + 2^3", "20"},
           {"50/100", "0.5"},
           {"1/2", "0.5"},
           {"1/2/4", "0.125"},
           {"5!", "120"},
           {"3!!", "720"},
           {"-3!", "-6"},
           {"2^3!", "64"},
           {"0!", "1"},
           {"170!", "7.25741561531e+306"}});
    check_text({"2 ** 3", "1 +", "* 2", "/2", "5 5", "()", "1 + ()", "(1", "1)", "(1,2)", "1,2",
                "2.5!", "(-1)!", "171!", "2 $ 3", "5 = 5", "1;2"});
}

TEST(Arithmetic, PercentAndModuloShareOneSign) {
    check({{"7 % 3", "1"},          {"7%3", "1"},
           {"7%(3)", "1"},          {"-7 % 3", "2"},
           {"7 mod -3", "-2"},      {"7 % (-3)", "-2"},
           {"10mod 3", "1"},        {"-7.5 % 2", "0.5"},
           {"5 mod 0", "5"},        {"10 * 7 % 4", "30"},
           {"7 % 4 % 2", "1"},      {"10 - 3 % 2", "9"},
           {"50%", "0.5"},          {"200 * 15%", "30"},
           {"20% * 100", "20"},     {"100 - 20%", "80"},
           {"100 + 20%", "120"},    {"100 + -20%", "80"},
           {"100 - 20% - 5", "75"}, {"100 + 10% + 10%", "121"},
           {"10% + 5", "5.1"},      {"100 + (20%)", "100.2"},
           {"100 + 5*2%", "100.1"}, {"100 / 50%", "200"},
           {"4!%", "0.24"},         {"100 + 5%3%", "102"},
           {"10% mod 3", "0.1"}});
    check_text({"50%!", "50%^2", "%", "% 5", "3 mod", "10 mod3", "mod 3", "3^60 mod 7"});
}

TEST(Arithmetic, CallsFunctions) {
    check({{"max(3, 11, 7)", "11"},
           {"min(10, 4 + 3 * 3)", "10"},
           {"max(3)", "3"},
           {"max(1,2,3,4,5,6,7,8)", "8"},
           {"Math.floor(17 / 4)", "4"},
           {"math.sqrt(9)", "3"},
           {"Math.max(0, 340 - 28.5 * 3)", "254.5"},
           {"round(15200.5 * 0.85, 2)", "12920.43"},
           {"round(2.5)", "3"},
           {"round(-2.5)", "-3"},
           {"math.round(-2.5)", "-3"},
           {"Math.round(2.5)", "3"},
           {"Math.round(-2.5)", "-2"},
           {"round(1.005, 2)", "1.01"},
           {"round(-2.345, 2)", "-2.35"},
           {"round(0.04, 1)", "0"},
           {"round(0.05, 1)", "0.1"},
           {"round(9.99, 1)", "10"},
           {"floor(3.57, 1)", "3.5"},
           {"floor(-3.51, 1)", "-3.6"},
           {"ceil(3.21, 1)", "3.3"},
           {"ceil(0.001, 1)", "0.1"},
           {"floor(-0.5)", "-1"},
           {"ceil(1.2)", "2"},
           {"floor(0.1 * 3 * 10)", "3"},
           {"ceil(0.1 * 3 * 10)", "3"},
           {"Math.ceil(0.1 * 3 * 10)", "4"},
           {"abs(-3)", "3"},
           {"cbrt(-27)", "-3"},
           {"sqrt(16)", "4"},
           {"pow(2, 10)", "1024"},
           {"exp(0)", "1"},
           {"log(100)", "4.60517018599"},
           {"log(1000, 10)", "3"},
           {"log2(8)", "3"},
           {"log10(1000)", "3"},
           {"sign(-0.5)", "-1"},
           {"sign(0)", "0"},
           {"Math.trunc(-2.7)", "-2"},
           {"mod(-7, 3)", "2"},
           {"clamp(15, 0, 10)", "10"},
           {"clamp(-5, 0, 10)", "0"},
           {"clamp(5, 0, 10)", "5"},
           {"max (1, 2)", "2"},
           {"sqrt(max(1, min(9, 20)))", "3"},
           {"2 * Math.PI", "6.28318530718"},
           {"math.pi", "3.14159265359"},
           {"100 + sqrt(400)%", "120"}});
    check_text(
        {"max()",           "min(1,2,)", "max(,1)",       "abs(1, 2)",    "clamp(1, 2)",
         "clamp(5, 10, 0)", "pow(2)",    "round(1, -1)",  "round(1, 16)", "round(1, 1.5)",
         "Max(1, 2)",       "ABS(1)",    "abs",           "abs 3",        "ln(5)",
         "random()",        "sin(0)",    "Math",          "Math.",        "Math.PI2",
         "math.PI",         "Math.pi",   "Math.random()", "Math.floor",   "Math.constructor(1)",
         "console.log(1)",  "max(1, x)", "max(1 2)"});
}

TEST(Arithmetic, OperandsThatTouchAreMultiplied) {
    check({{"2(3 + 4)", "14"},
           {"(1 + 2)(3 + 4)", "21"},
           {"(2 + 3)4", "20"},
           {"2sqrt(9)", "6"},
           {"5!2", "240"},
           {"2(3)(4)", "24"},
           {"2^2(3)", "12"},
           {"2(3)/4", "1.5"}});
    check_text({"100 (50)", "6/2(3)", "1/(2)(3)", "5kg", "(5)kg", "(5).x"});
}

TEST(Arithmetic, ComparisonsOnlyChoose) {
    check({{"3 > 2 ? 10 : 20", "10"},
           {"3 < 2 ? 10 : 20", "20"},
           {"2 >= 2 ? 1 : 0", "1"},
           {"2 <= 1 ? 1 : 0", "0"},
           {"2 == 2 ? 1 : 0", "1"},
           {"2 != 2 ? 1 : 0", "0"},
           {"5! != 120 ? 1 : 0", "0"},
           {"(3 > 2) ? 1 : 0", "1"},
           {"3>2?1:0", "1"},
           {"(3 > 2 ? 1 : 0) + 5", "6"},
           {"5 + 3 > 2 ? 1 : 2", "1"},
           {"3 > 2 ? 10 : 20 + 5", "10"},
           {"0.1 + 0.2 == 0.3 ? 1 : 2", "1"},
           {"0.1 + 0.2 > 0.3 ? 1 : 2", "2"},
           {"0.1 + 0.2 <= 0.3 ? 1 : 2", "1"},
           {"1 < 2 < 3 ? 5 : 6", "5"},
           {"1 < 2 < 2 ? 5 : 6", "6"},
           {"1 ? 2 : 3", "2"},
           {"0 ? 1 : 0 ? 2 : 3", "3"},
           {"max(1, 3 > 2 ? 10 : 20)", "10"},
           {"0 > 1 ? 1/0 : 5", "5"}});
    check_text({"3 > 2", "(3 > 2)", "1 == 1", "(3 > 2) + 1", "-(3 > 2)", "(3 > 2)!",
                "max(3 > 2, 0)", "2 > 1 ? 3 > 2 : 0", "3 > 2 ? 10", "3 > 2 ? : 5", "1 ? 2 : 3 : 4",
                "1:3", "1 === 1 ? 2 : 3", "1 << 2", "1/0 > 1 ? 1 : 2", "3 > 2 ? 1/0 : 5",
                "(3 > 2) > 1 ? 1 : 0"});
}

TEST(Arithmetic, WhatHasNoFiniteValueIsText) {
    check_text({"1/0", "-1/0", "0/0", "1e400", "10^400", "sqrt(-4)", "(-8)^(1/3)", "0^-1", "log(0)",
                "log(-1)", "log(8, 1)", "exp(1000)", "1e308 * 10", "NaN", "Infinity", "min(5, 1/0)",
                "1 / (1/0)", "(1/0)^0", "-1e400"});
    const std::string huge = "0x" + std::string(300, 'f');
    check_text({huge});
}

TEST(Arithmetic, WordsDatesAndTimesStayText) {
    check_text({"",
                " ",
                "e",
                "pi",
                "i",
                "E",
                "PI",
                "tau",
                "phi",
                "gold",
                "x + 1",
                "好感度 + 5",
                "10 km",
                "5 kg",
                "3 m / 2 m",
                "true",
                "null",
                "2031-07-09",
                " 2031-07-09 ",
                "2024/01/01",
                "2024-1-1",
                "2024/1/31",
                "2031－07－09",
                "2031-07-09T08:00:00Z",
                "08:00",
                "19:45",
                "8:30 AM",
                "03月15日",
                "\"5\" * 2",
                "'10 + 5'",
                "`1`",
                "#3fa7d6",
                "5 # five",
                "[1]",
                "{1}",
                "a = 5",
                "1\n2",
                "100\n-20",
                "1 + 2; 3",
                "\xFF",
                "1 + \xE5",
                std::string_view("1\0", 2)});
    // Not the shape of a date: spaces, a month or day that does not exist, another year.
    check({{"2031 - 7 - 9", "2015"},
           {"1000-50-30", "920"},
           {"2024-1-32", "1991"},
           {"2024-0-1", "2023"},
           {"2024-1/1", "2023"},
           {"100-1-1", "98"},
           {"10000-1-1", "9998"},
           {"2024-1-1+0", "2022"},
           {"2024-1", "2023"},
           {"1/2/3", "0.166666666667"}});
}

TEST(Arithmetic, BlanksAndFullWidthFormsAreAccepted) {
    check({{"  1 + 2  ", "3"},
           {"\n1 + 2\r\n", "3"},
           {"　1　+　2　", "3"},
           {"\t(1\n+2)\t", "3"},
           {"1 +\n2", "3"},
           {"max(\n  1,\n  2\n)", "2"},
           {"（1＋2）×3", "9"},
           {"9÷3－1", "2"},
           {"max（3，11）", "11"}});
}

TEST(Arithmetic, RoundsOnlyWhatIsNotExact) {
    check({{"1234567890123 + 1", "1234567890124"},
           {"9007199254740991 - 1", "9007199254740990"},
           {"3600 * 1000", "3600000"},
           {"18!", "6402373705728000"},
           {"0.1 + 0.2", "0.3"},
           {"4.35 * 100", "435"},
           {"1/3", "0.333333333333"},
           {"2/3", "0.666666666667"},
           {"-2/3", "-0.666666666667"},
           {"2^60", "1152921504610000000"},
           // Halfway between two texts of 12 digits: JavaScript's toPrecision goes up.
           {"1234567890 + 0.125", "1234567890.13"},
           {"0 - 1234567890.125", "-1234567890.13"},
           {"999999999999.5 + 0", "1000000000000"},
           // Beyond 2^53 the double is not what was written, so it must not look exact.
           {"9007199254740993 - 1", "9007199254740000"},
           {"2^60 / 2^58", "4"},
           // A number by itself is read, not computed.
           {"9007199254740993", "9007199254740993"},
           {"-9223372036854775807", "-9223372036854775807"},
           {"-(3.14159265358979)", "-3.14159265358979"}});
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

TEST(Arithmetic, LimitsHoldAtTheirBorders) {
    constexpr std::size_t kBytes = base::kArithmeticBytesMax;
    for (const std::size_t bytes : {kBytes - 1, kBytes, kBytes + 1}) {
        EXPECT_EQ(result("7" + std::string(bytes - 1, ' ')), bytes <= kBytes ? "7" : "text");
        EXPECT_EQ(relative("+=7" + std::string(bytes - 3, ' ')).has_value(), bytes <= kBytes);
    }
    constexpr std::size_t kDepth = base::kArithmeticDepthMax;
    for (const std::size_t depth : {kDepth - 1, kDepth, kDepth + 1}) {
        const std::string_view expected = depth <= kDepth ? "1" : "text";
        EXPECT_EQ(result(repeated("(", depth) + "1" + repeated(")", depth)), expected);
        EXPECT_EQ(result(repeated("abs(", depth) + "1" + repeated(")", depth)), expected);
        EXPECT_EQ(result(repeated("+", depth) + "1"), expected);
        EXPECT_EQ(result("1" + repeated("^1", depth)), expected);
        EXPECT_EQ(result(repeated("0?0:", depth) + "1"), expected);
    }
    // Text without nesting is not limited in depth.
    EXPECT_EQ(result("0" + repeated("+1", 500)), "500");
    EXPECT_EQ(result(repeated("(1)+", 200) + "1"), "201");
    EXPECT_EQ(result("1" + repeated("!", 500)), "1");
    EXPECT_EQ(result("max(0" + repeated(",1", 500) + ")"), "1");
}

// A random expression of + - * / signs and parentheses: its text, its value, and how tightly the
// text holds together (0 sum, 1 product, 2 sign, 3 operand).
struct Tree {
    std::string text;
    double number;
    int tightness;
};
Tree tree_of(tests::Random& random, int depth) {
    // Not infinity, which 5 / (1/0) would lose again.
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (depth == 0 || random.chance(20)) {
        const std::size_t number = random.below(21);
        return {std::to_string(number), static_cast<double>(number), 3};
    }
    const auto at_least = [&](int tightness, Tree tree) {
        return tree.tightness < tightness || random.chance(10) ? "(" + tree.text + ")" : tree.text;
    };
    const std::string space = random.chance(50) ? " " : "";
    if (random.chance(15)) {
        const Tree inner = tree_of(random, depth - 1);
        return {"-" + space + at_least(2, inner), -inner.number, 2};
    }
    const Tree left = tree_of(random, depth - 1);
    const Tree right = tree_of(random, depth - 1);
    switch (random.below(4)) {
        case 0:
            return {at_least(0, left) + space + "+" + space + at_least(1, right),
                    left.number + right.number, 0};
        case 1:
            return {at_least(0, left) + space + "-" + space + at_least(1, right),
                    left.number - right.number, 0};
        case 2:
            return {at_least(1, left) + space + "*" + space + at_least(2, right),
                    left.number * right.number, 1};
        default:
            return {at_least(1, left) + space + "/" + space + at_least(2, right),
                    right.number == 0 ? kNone : left.number / right.number, 1};
    }
}

TEST(Arithmetic, AgreesWithDirectEvaluation) {
    int numbers = 0;
    int nothings = 0;
    for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
        tests::Random random(seed);
        const Tree tree = tree_of(random, 1 + static_cast<int>(random.below(5)));
        const auto ours = evaluate(tree.text);
        if (!std::isfinite(tree.number)) {
            ASSERT_FALSE(ours) << "seed " << seed << ": " << tree.text;
            ++nothings;
            continue;
        }
        ASSERT_TRUE(ours) << "seed " << seed << ": " << tree.text;
        const bool whole = tree.number == std::floor(tree.number);
        const double tolerance = whole ? 0 : std::fabs(tree.number) * 1e-11;
        ASSERT_LE(std::fabs(ours->as_double() - tree.number), tolerance)
            << "seed " << seed << ": " << tree.text;
        ++numbers;
    }
    EXPECT_GT(numbers, 15'000);
    EXPECT_GT(nothings, 100);
}

TEST(Arithmetic, AnyBytesGiveANumberOrNothing) {
    const std::vector<std::string> pieces = {
        "1",  "2.5", "0x",  "1e",    "+",      "-",  "*",  "/",    "^",   "%",     "!",  "(",
        ")",  ",",   "?",   ":",     "<",      "=",  "!=", "mod",  " ",   "\n",    "e",  ".",
        "\"", "max", "abs", "Math.", "floor(", "（", "×",  "\xE3", "170", "1e308", "+=", "/="};
    for (std::uint64_t seed = 0; seed < 50'000; ++seed) {
        tests::Random random(seed);
        std::string text;
        for (std::size_t n = random.below(20); n > 0; --n) {
            if (random.chance(10)) {
                text += static_cast<char>(random.below(256));
            } else {
                text += random.pick(pieces);
            }
        }
        if (const auto number = evaluate(text)) {
            ASSERT_TRUE(number->is_number()) << "seed " << seed;
            ASSERT_EQ(evaluate(value::print_json(*number)), number) << "seed " << seed;
        }
        if (const auto change = relative(text)) {
            ASSERT_TRUE(change->operand.is_number()) << "seed " << seed;
        }
    }
    constexpr std::size_t kMany = std::size_t{1} << 20;
    EXPECT_EQ(result(std::string(kMany, '(')), "text");
    EXPECT_EQ(result(repeated("1+", kMany / 2)), "text");
    EXPECT_EQ(result(std::string(kMany, '-')), "text");
    EXPECT_EQ(result(std::string(base::kArithmeticBytesMax, '(')), "text");
    EXPECT_EQ(result(repeated("1+", base::kArithmeticBytesMax / 2)), "text");
    EXPECT_EQ(result(repeated("abs(", base::kArithmeticBytesMax / 4)), "text");
}

TEST(Relative, NeedsTheEqualsSign) {
    struct Change {
        std::string_view text;
        char op;
        value::Value operand;
    };
    for (const Change& c : std::vector<Change>{{"+= 5", '+', 5},
                                               {"-= 20", '-', 20},
                                               {"*= 2", '*', 2},
                                               {"/= 4", '/', 4},
                                               {"+=5", '+', 5},
                                               {"  -=  1.5 \n", '-', 1.5},
                                               {"+= -5", '+', -5},
                                               {"+= 2 * (3 + 4)", '+', 14},
                                               {"*= 50%", '*', 0.5},
                                               {"/= 0", '/', 0},
                                               {"＋= 3", '+', 3},
                                               {"×= 3", '*', 3}}) {
        const auto change = relative(c.text);
        ASSERT_TRUE(change) << c.text;
        EXPECT_EQ(change->op, c.op) << c.text;
        EXPECT_EQ(change->operand, c.operand) << c.text;
    }
    for (const std::string_view text : {"",
                                        "+",
                                        "+5",
                                        "-5",
                                        "5",
                                        "= 5",
                                        "+=",
                                        "+= ",
                                        "+= x",
                                        "+= 5 kg",
                                        "+== 5",
                                        "+ = 5",
                                        "^= 2",
                                        "%= 2",
                                        "+= 1/0",
                                        "+= 20%",
                                        "-= 20%",
                                        "x += 5",
                                        "+= 2031-07-09",
                                        "== 5",
                                        "+= \"5\""}) {
        EXPECT_FALSE(relative(text)) << text;
    }
}

}  // namespace
}  // namespace arbiter::expr
