// Goal: the literals that models write become the values they meant, with every repair named; what
// has no one meaning is an error with a place; nothing is ever evaluated as code.
// proves: S3-4, S3-23, S3-27, A4-8, S2-44, A4-10
#include "reader/literal.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "reader/argument.h"
#include "reader/position.h"
#include "tests/support/random.h"
#include "value/json.h"

namespace arbiter::reader {
namespace {

using value::print_json;
using value::Value;

std::string literal(std::string_view text, BareWords bare = BareWords::kNames) {
    const auto found = parse_literal(text, 0, bare);
    if (!found) {
        return "error at " + std::to_string(found.error().offset);
    }
    std::string out = print_json(found->value);
    out += found->repairs.empty() ? "" : " (" + found->repairs.list() + ")";
    out += found->closed ? "" : found->inside_token ? " cut inside" : " open";
    return out;
}

TEST(Literal, ReadsJsonAsItIs) {
    EXPECT_EQ(literal(R"({"a":[1,-2.5e3,"x\n\u4e2d\ud83d\ude00",true,false,null,{}]})"),
              R"({"a":[1,-2500,"x\n中😀",true,false,null,{}]})");
    EXPECT_EQ(literal("\"他说：“走吧，别回头。”（笑）,}]\""),
              "\"他说：“走吧，别回头。”（笑）,}]\"");
    EXPECT_EQ(literal("9223372036854775807"), "9223372036854775807");
}

struct Row {
    std::string_view text;
    std::string_view expected;
};

TEST(Literal, RepairsWhatWasMeantAndSaysSo) {
    const Row rows[] = {
        {"[1,2,]", "[1,2] (trailing_comma)"},
        {"{\"a\":1,}", R"({"a":1} (trailing_comma))"},
        {"{a:1, 心情 : \"好\"}", R"({"a":1,"心情":"好"} (bare_key))"},
        {"{'a':'it is \"fine\"'}", R"({"a":"it is \"fine\""} (quotes))"},
        {"[`x`]", R"(["x"] (quotes))"},
        {"{“op”：“assign”，“path”：［“称号”］}", R"({"op":"assign","path":["称号"]} (full_width))"},
        {"{“op\": 1}", R"({"op":1} (full_width))"},
        {"[1, // one\n 2 /* two */, <!-- three --> 3]", "[1,2,3] (comment)"},
        {"[1 \"b\" {\"c\":2}]", "error at 3"},
        {"[\"a\"\n\"b\"]", R"(["a","b"] (missing_comma))"},
        {"{\"a\":1\n\"b\":2}", R"({"a":1,"b":2} (missing_comma))"},
        {"[True, False, None, undefined]", "[true,false,null,null] (python)"},
        {"[+5, .5, 5., 007, 0x1f]", "[5,0.5,5,7,31] (number)"},
        {"[10 + 5 * 2, max(1,7)]", "[20,7] (arithmetic)"},
        {"{\"op\": assign, \"path\": [hp]}", R"({"op":"assign","path":["hp"]} (bare_word))"},
        {"[\"a\nb\"]", R"(["a\nb"] (raw_newline))"},
        {"[\"他说：\"别走\"，就走了\"]", R"(["他说：\"别走\"，就走了"] (inner_quote))"},
        {"[\"C:\\saves\"]", R"(["C:\\saves"] (escape))"},
        {"{\"a\":[1,{\"b\":2}", R"({"a":[1,{"b":2}]} (missing_closer) open)"},
        {"[{\"a\":1}, {\"b\":\"x", R"([{"a":1},{"b":""}] (missing_closer) cut inside)"},
        {"[{\"a\":1}, {\"b", R"([{"a":1},{}] (missing_closer) cut inside)"},
        {"{\"a\":{\"b\":[1}}", R"({"a":{"b":[1]}} (missing_closer))"},
        {"[2024-01-01, 08:30]", R"(["2024-01-01","08:30"] (bare_word))"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(literal(row.text), row.expected) << row.text;
    }
}

TEST(Literal, RefusesWhatHasNoOneMeaning) {
    for (const std::string_view text :
         {"", "   ", "{天王盖地虎}", "[\"b\" ::: @@@, 5}", "{:1}", "[,]", "[@]", "{\"a\": #5}",
          "\"never closed", "/* never closed", "]", "}"}) {
        EXPECT_TRUE(literal(text).starts_with("error")) << text << " gave " << literal(text);
    }
}

TEST(Literal, BareListsTakeAnyText) {
    EXPECT_EQ(literal("[SET, 灯.心情, 有点 害羞]", BareWords::kAny),
              R"(["SET","灯.心情","有点 害羞"])");
    EXPECT_EQ(literal("[SET, a, 你好，世界]", BareWords::kAny), R"(["SET","a","你好，世界"])");
    EXPECT_EQ(literal("[SET，a，1]", BareWords::kAnyWide), R"(["SET","a",1] (full_width))");
    EXPECT_EQ(literal("[SET, url, http://x.y/z]", BareWords::kAny),
              R"(["SET","url","http://x.y/z"])");
    EXPECT_EQ(literal("[SET, t, 08:00]", BareWords::kAny), R"(["SET","t","08:00"])");
}

TEST(Argument, IsALiteralOrItsOwnText) {
    const auto argument = [](std::string_view text) {
        const Argument parsed = parse_argument(text);
        return parsed.given ? print_json(parsed.value) : std::string("nothing");
    };
    const Row rows[] = {
        {"'abc'", "\"abc\""},
        {"`hi ${x}`", "\"hi ${x}\""},
        {" 5 ", "5"},
        {"10 + 5 * 2", "20"},
        {"'10 + 5'", "\"10 + 5\""},
        {"true", "true"},
        {"undefined", "nothing"},
        {"", "nothing"},
        {"NaN", "\"NaN\""},
        {"2031-07-09", "\"2031-07-09\""},
        {"19:45", "\"19:45\""},
        {"he's", "\"he's\""},
        {"['剑', \"盾\", 药水]", R"(["剑","盾","药水"])"},
        {"{ total: 3 * 4, list: [1 + 1] }", R"({"total":12,"list":[2]})"},
        {"{a: (globalThis.x = 1)}", "{\"a\":\"(globalThis.x = 1)\"}"},
        {"[new Date(0)]", "[\"new Date(0)\"]"},
        {"{broken", "\"{broken\""},
        {"“弯引号”", "\"弯引号\""},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(argument(row.text), row.expected) << row.text;
    }
}

TEST(Literal, DepthIsBounded) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_TRUE(parse_literal(nested(base::kLiteralDepthMax), 0));
    const auto deeper = parse_literal(nested(base::kLiteralDepthMax + 1), 0);
    ASSERT_FALSE(deeper);
    EXPECT_EQ(deeper.error().kind, LiteralError::Kind::kTooDeep);
    EXPECT_FALSE(parse_literal(std::string(1 << 20, '['), 0));
    EXPECT_FALSE(parse_literal(std::string(1 << 20, '{'), 0));
}

// The tolerant parser reads all JSON without repairs, as the strict parser does.
TEST(Literal, AgreesWithTheStrictParserOnJson) {
    tests::Random random(21);
    for (int i = 0; i < 3000; ++i) {
        const Value value = tests::random_value(random, 4, 6);
        for (const auto style : {value::JsonStyle::kCompact, value::JsonStyle::kPretty}) {
            const std::string text = print_json(value, style);
            const auto found = parse_literal(text, 0);
            ASSERT_TRUE(found) << text;
            EXPECT_TRUE(found->repairs.empty()) << text << ": " << found->repairs.list();
            EXPECT_EQ(found->end, text.size());
            EXPECT_TRUE(same_bytes(found->value, value)) << text;
        }
    }
}

TEST(Literal, PlacesAreShownWithWhatStandsThere) {
    EXPECT_EQ(advance({}, "{\"a\":1}\n  "), (Position{2, 3}));
    EXPECT_EQ(advance({2, 5}, "中文"), (Position{2, 7}));
}

}  // namespace
}  // namespace arbiter::reader
