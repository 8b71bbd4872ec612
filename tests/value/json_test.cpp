// Goal: strict JSON is read and written exactly, broken JSON gives an error with its place, and
// both parsers agree on everything.
#include "value/json.h"

#include <gtest/gtest.h>

#include "base/messages.h"
#include "tests/support/random.h"
#include "value/array.h"
#include "value/hash.h"
#include "value/json_strict.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using base::ErrorCode;

// Parses with both parsers, which must agree in value, error and notices.
base::Result<Value> parse_both(std::string_view text, JsonNotices* notices = nullptr) {
    JsonNotices fast_notices;
    JsonNotices strict_notices;
    auto fast = parse_json(text, {.notices = &fast_notices});
    const auto strict = parse_json_strict(text, {.notices = &strict_notices});
    EXPECT_EQ(fast.has_value(), strict.has_value()) << text.substr(0, 200);
    if (fast && strict) {
        EXPECT_TRUE(same_bytes(*fast, *strict)) << text.substr(0, 200);
    } else if (!fast && !strict) {
        EXPECT_EQ(fast.error(), strict.error());
    }
    EXPECT_EQ(fast_notices.list, strict_notices.list);
    if (notices != nullptr) {
        *notices = fast_notices;
    }
    return fast;
}

TEST(Json, PrintsWhatItRead) {
    for (const char* text : {
             "null",
             "true",
             "false",
             "0",
             "-1",
             "1.5",
             R"("")",
             R"("气血")",
             "[]",
             "{}",
             "[[],{}]",
             R"({"a":1,"b":[true,null,"x"],"":{"😀":1e+30}})",
             R"(["\"\\\b\f\n\r\t\u0000\u001f/"])",
             R"({"\"quoted\" \\ key\n":1})",
         }) {
        const auto value = parse_both(text);
        ASSERT_TRUE(value) << text;
        EXPECT_EQ(print_json(*value), text);
    }
    EXPECT_EQ(print_json(*parse_both(" \t\r\n[ 1 , 2 ] \n")), "[1,2]");
    EXPECT_EQ(print_json(*parse_both("\xEF\xBB\xBF{\"a\":1}")), R"({"a":1})");
    EXPECT_EQ(print_json(*parse_both(R"("\u0041\u6c14\uD83D\uDE00\/")")), R"("A气😀/")");
    EXPECT_EQ(print_json(*parse_both("-0")), "0");
    EXPECT_EQ(print_json(*parse_both("1E2")), "100");
}

TEST(Json, RandomDocumentsSurvive) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        tests::Random random(seed);
        const Value value = tests::random_value(random, 5, 12);
        for (const JsonStyle style : {JsonStyle::kCompact, JsonStyle::kPretty}) {
            const std::string text = print_json(value, style);
            const auto again = parse_both(text);
            ASSERT_TRUE(again) << "seed " << seed;
            ASSERT_TRUE(same_bytes(*again, value)) << "seed " << seed;
            ASSERT_EQ(print_json(*again, style), text);
        }
        const auto canonical = parse_both(print_json(value, JsonStyle::kCanonical));
        ASSERT_TRUE(canonical && *canonical == value) << "seed " << seed;
    }
}

// json_size() counts what print_json() writes, and gives up one byte below it.
TEST(Json, TheSizeIsCountedWithoutPrinting) {
    tests::Random random(7);
    for (int i = 0; i < 300; ++i) {
        const Value value = tests::random_value(random, 5, 12);
        const std::size_t size = print_json(value).size();
        EXPECT_EQ(json_size(value, size), size);
        EXPECT_EQ(json_size(value, size - 1), std::nullopt);
    }
    const Value odd = Object{{"a\nb\x01\"", Array{"\x1f\\", 1e300, INT64_MIN, -0.0, "\x7f"}}};
    EXPECT_EQ(json_size(odd, 1000), print_json(odd).size());
    Value doubled = Array{1};
    for (int i = 0; i < 60; ++i) {
        doubled = Array{doubled, doubled};
    }
    EXPECT_EQ(json_size(doubled, 100'000), std::nullopt);
}

TEST(Json, CanonicalSortsAsRfc8785) {
    // The example of RFC 8785, section 3.2.3.
    const auto value = parse_both(
        R"({"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh",)"
        R"("1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control",)"
        R"("\u00f6":"Latin Small Letter O With Diaeresis"})");
    EXPECT_EQ(print_json(*value, JsonStyle::kCanonical),
              "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
              "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
              "\"😀\":\"Emoji: Grinning Face\",\"\uFB33\":\"Hebrew Letter Dalet With Dagesh\"}");
    EXPECT_EQ(print_json(*parse_both(R"({"b":{"d":1,"c":2},"a":[3,1]})"), JsonStyle::kCanonical),
              R"({"a":[3,1],"b":{"c":2,"d":1}})");
}

TEST(Json, PrettyIsIndented) {
    EXPECT_EQ(print_json(*parse_both(R"({"a":[1,{}],"b":{"c":[]}})"), JsonStyle::kPretty),
              "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {\n    \"c\": []\n  }\n}");
}

TEST(Json, OfTwoMembersWithOneKeyTheLastStandsInTheFirstPlace) {
    JsonNotices notices;
    EXPECT_EQ(print_json(*parse_both(R"({"a":1,"b":2,"a":3})", &notices)), R"({"a":3,"b":2})");
    ASSERT_EQ(notices.total, 1U);
    EXPECT_EQ(notices.list[0].what, JsonNotice::What::kDuplicateKey);
    std::string text = "{";
    std::string expected = "{";
    for (int i = 0; i < 100; ++i) {
        text += "\"k" + std::to_string(i % 60) + "\":" + std::to_string(i) + ",";
        if (i < 60) {
            expected +=
                "\"k" + std::to_string(i) + "\":" + std::to_string(i < 40 ? i + 60 : i) + ",";
        }
    }
    text.back() = '}';
    expected.back() = '}';
    EXPECT_EQ(print_json(*parse_both(text, &notices)), expected);
    // So many repetitions that what is left fits the small form.
    text = "{";
    for (int i = 0; i < 100; ++i) {
        text += "\"k" + std::to_string(i % 3) + "\":[" + std::to_string(i) + "],";
    }
    text.back() = '}';
    EXPECT_EQ(print_json(*parse_both(text)), R"({"k0":[99],"k1":[97],"k2":[98]})");
}

TEST(Json, LoneSurrogatesBecomeReplacements) {
    for (const char* text : {R"("\ud800")", R"("\udc00")", R"("\ud800\u0041")", R"("\uD83Dx")",
                             R"("\ud83d\ud83d\ude00")", R"("\udfff\ud800")"}) {
        JsonNotices notices;
        const auto value = parse_both(text, &notices);
        ASSERT_TRUE(value) << text;
        EXPECT_TRUE(value->as_string().contains("\xEF\xBF\xBD")) << text;
        EXPECT_GE(notices.total, 1U);
        EXPECT_EQ(notices.list[0].what, JsonNotice::What::kLoneSurrogate);
    }
    EXPECT_EQ(print_json(*parse_both(R"("a\ud800\u0041")")),
              "\"a\xEF\xBF\xBD"
              "A\"");
}

TEST(Json, ErrorsSayWhereAndWhy) {
    struct Case {
        std::string_view text;
        ErrorCode code;
        std::size_t line;
        std::size_t column;
    };
    for (const Case& c : std::vector<Case>{
             {"{\n  \"气血\": 1\n  \"b\": 2\n}", ErrorCode::kJsonExpectedSeparator, 3, 3},
             {"{\"气血\": }", ErrorCode::kJsonExpectedValue, 1, 8},
             {"[1,2,]", ErrorCode::kJsonTrailingComma, 1, 5},
             {"{\"a\":1,}", ErrorCode::kJsonTrailingComma, 1, 7},
             {"[1", ErrorCode::kJsonUnclosed, 1, 1},
             {"[[1]", ErrorCode::kJsonUnclosed, 1, 1},
             {"{\"a\"", ErrorCode::kJsonUnclosed, 1, 1},
             {"{\"a\":", ErrorCode::kJsonUnclosed, 1, 1},
             {"[", ErrorCode::kJsonUnclosed, 1, 1},
             {"\"abc", ErrorCode::kJsonUnclosed, 1, 1},
             {"{a:1}", ErrorCode::kJsonExpectedKey, 1, 2},
             {"{'a':1}", ErrorCode::kJsonExpectedKey, 1, 2},
             {"{\"a\"：1}", ErrorCode::kJsonExpectedColon, 1, 5},
             {"{\"a\" 1}", ErrorCode::kJsonExpectedColon, 1, 6},
             {"[1 2]", ErrorCode::kJsonExpectedSeparator, 1, 4},
             {"[1}", ErrorCode::kJsonExpectedSeparator, 1, 3},
             {"{} x", ErrorCode::kJsonAfterEnd, 1, 4},
             {"1 1", ErrorCode::kJsonAfterEnd, 1, 3},
             {"True", ErrorCode::kJsonBadLiteral, 1, 1},
             {"nul", ErrorCode::kJsonBadLiteral, 1, 1},
             {"nullx", ErrorCode::kJsonBadLiteral, 1, 1},
             {"[NaN]", ErrorCode::kJsonBadLiteral, 1, 2},
             {"[Infinity]", ErrorCode::kJsonBadLiteral, 1, 2},
             {"01", ErrorCode::kJsonBadNumber, 1, 1},
             {"-", ErrorCode::kJsonBadNumber, 1, 1},
             {"-Infinity", ErrorCode::kJsonBadNumber, 1, 1},
             {"+1", ErrorCode::kJsonBadNumber, 1, 1},
             {".5", ErrorCode::kJsonBadNumber, 1, 1},
             {"1.", ErrorCode::kJsonBadNumber, 1, 1},
             {"1e", ErrorCode::kJsonBadNumber, 1, 1},
             {"0x10", ErrorCode::kJsonBadNumber, 1, 1},
             {"[1e400]", ErrorCode::kJsonNumberRange, 1, 2},
             {R"("a\x")", ErrorCode::kJsonBadEscape, 1, 3},
             {R"("\u12")", ErrorCode::kJsonBadEscape, 1, 2},
             {R"("\)", ErrorCode::kJsonBadEscape, 1, 2},
             {"\"a\nb\"", ErrorCode::kJsonControlCharacter, 1, 3},
             {"[\n\"\t\"]", ErrorCode::kJsonControlCharacter, 2, 2},
             {"[\"气\xFF\"]", ErrorCode::kJsonBadUtf8, 1, 4},
             {"\xFF", ErrorCode::kJsonBadUtf8, 1, 1},
             {"'x'", ErrorCode::kJsonExpectedValue, 1, 1},
             {"[1,,2]", ErrorCode::kJsonExpectedValue, 1, 4},
             {"{\"a\":1，\"b\":2}", ErrorCode::kJsonExpectedSeparator, 1, 7},
             {"[true，1]", ErrorCode::kJsonExpectedSeparator, 1, 6},
             {"[“气血”]", ErrorCode::kJsonExpectedValue, 1, 2},
             {"[气血]", ErrorCode::kJsonBadLiteral, 1, 2},
             {"\xEF\xBB\xBF[x]", ErrorCode::kJsonBadLiteral, 1, 2},
         }) {
        const auto value = parse_both(c.text);
        ASSERT_FALSE(value) << c.text;
        EXPECT_EQ(value.error().code, c.code)
            << c.text << ": " << base::explain(value.error(), base::Language::kEnglish);
        ASSERT_TRUE(value.error().place) << c.text;
        EXPECT_EQ(value.error().place->line, c.line) << c.text;
        EXPECT_EQ(value.error().place->column, c.column) << c.text;
        EXPECT_LT(base::explain(value.error(), base::Language::kChinese).size(), 400U);
    }
    EXPECT_EQ(parse_both("").error().code, ErrorCode::kJsonEmpty);
    EXPECT_EQ(parse_both(" \n ").error().code, ErrorCode::kJsonEmpty);
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(Json, DepthIsBoundedAtTheLimit) {
    EXPECT_TRUE(parse_both(nested(base::kDepthMax - 1)));
    EXPECT_TRUE(parse_both(nested(base::kDepthMax)));
    EXPECT_EQ(parse_both(nested(base::kDepthMax + 1)).error().code, ErrorCode::kTooDeep);
    EXPECT_TRUE(parse_json("[[1]]", {.depth_max = 2}));
    EXPECT_EQ(parse_json("[[1]]", {.depth_max = 1}).error().code, ErrorCode::kTooDeep);
    EXPECT_TRUE(parse_json("1", {.depth_max = 0}));
}

TEST(Json, HostileSizesGiveAnErrorAndNoCrash) {
    constexpr std::size_t kDeep = 200'000;
    std::string deep_objects;
    for (std::size_t i = 0; i < kDeep; ++i) {
        deep_objects += "{\"a\":";
    }
    for (const std::string& text :
         {nested(kDeep), std::string(kDeep, '['), deep_objects, std::string(kDeep, '{')}) {
        const auto value = parse_both(text);
        ASSERT_FALSE(value);
        EXPECT_TRUE(value.error().code == ErrorCode::kTooDeep ||
                    value.error().code == ErrorCode::kJsonExpectedKey);
    }
    const std::string huge(std::size_t{100} << 20, ' ');
    EXPECT_EQ(parse_both(huge).error().code, ErrorCode::kTextTooLong);
}

TEST(Json, SizeIsBoundedAtTheLimit) {
    EXPECT_TRUE(parse_json("[1]", {.bytes_max = 3}));
    EXPECT_EQ(parse_json("[10]", {.bytes_max = 3}).error().code, ErrorCode::kTextTooLong);
    const std::string key(base::kKeyBytesMax, 'k');
    EXPECT_TRUE(parse_both("{\"" + key + "\":1}"));
    EXPECT_EQ(parse_both("{\"" + key + "k\":1}").error().code, ErrorCode::kKeyTooLong);
}

TEST(Json, OptionsCannotLiftTheLimits) {
    EXPECT_EQ(parse_json(nested(base::kDepthMax + 1), {.depth_max = 100'000}).error().code,
              ErrorCode::kTooDeep);
    // One valid string: it would be read if the limit did not hold in both parsers.
    const std::string text = "\"" + std::string(base::kJsonBytesMax, 'x') + "\"";
    EXPECT_EQ(parse_json(text, {.bytes_max = std::size_t{1} << 40}).error().code,
              ErrorCode::kTextTooLong);
}

TEST(Json, NoticesAreBounded) {
    std::string text = "[";
    for (int i = 0; i < 1000; ++i) {
        text += "99999999999999999999,";
    }
    text.back() = ']';
    JsonNotices notices;
    EXPECT_TRUE(parse_json(text, {.notices = &notices}));
    EXPECT_EQ(notices.total, 1000U);
    EXPECT_EQ(notices.list.size(), base::kNoticesMax);
}

// Cut, doubled and flipped documents: the parsers must agree on all of them.
TEST(Json, ParsersAgreeOnDamagedText) {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        tests::Random random(seed);
        std::string text = print_json(tests::random_value(random, 3, 5));
        if (text.size() > 4000) {
            continue;
        }
        for (std::size_t n = 1 + random.below(3); n > 0 && !text.empty(); --n) {
            const std::size_t at = random.below(text.size());
            switch (random.below(4)) {
                case 0:
                    text.erase(at, 1);
                    break;
                case 1:
                    text.insert(at, 1, static_cast<char>(random.below(256)));
                    break;
                case 2:
                    text[at] = R"([]{}",:\ued0123456789-+.eE )"[random.below(27)];
                    break;
                default:
                    text.resize(at);
                    break;
            }
        }
        parse_both(text);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace arbiter::value
