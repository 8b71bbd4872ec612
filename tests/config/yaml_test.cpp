// Goal: YAML text becomes the value that the core schema of YAML 1.2 says, every part of it can be
// found again by line and column, and what is hostile or not clear is an error with its place.
// proves: S4-1
#include "config/yaml.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/messages.h"
#include "value/json.h"

namespace arbiter::config {
namespace {

using base::ErrorCode;
using value::Path;

std::string json(std::string text) {
    const auto read = parse_yaml("t.yaml", std::move(text));
    return read ? value::print_json(read->value)
                : base::explain(read.error(), base::Language::kEnglish);
}

struct Wrong {
    ErrorCode code;
    std::size_t line;
    std::size_t column;
    friend bool operator==(const Wrong&, const Wrong&) = default;
    friend void PrintTo(const Wrong& wrong, std::ostream* out) {
        *out << name(wrong.code) << " " << wrong.line << ":" << wrong.column;
    }
};

Wrong wrong(std::string text) {
    const auto read = parse_yaml("t.yaml", std::move(text));
    if (read) {
        ADD_FAILURE() << value::print_json(read->value);
        return {ErrorCode::kCount, 0, 0};
    }
    EXPECT_FALSE(base::explain(read.error(), base::Language::kChinese).empty());
    const base::Place place = read.error().place.value_or(base::Place{0, 0, 0});
    return {read.error().code, place.line, place.column};
}

TEST(Yaml, TypesAreThoseOfTheCoreSchema) {
    EXPECT_EQ(json("[null, ~, Null, , true, False, TRUE]"),
              "[null,null,null,null,true,false,true]");
    EXPECT_EQ(json("[yes, no, on, off, y, N, Yes, tRue, nul]"),
              R"(["yes","no","on","off","y","N","Yes","tRue","nul"])");
    EXPECT_EQ(json("[1, -7, +3, 007, 0o17, 0x1F, 9223372036854775807, -9223372036854775808]"),
              "[1,-7,3,7,15,31,9223372036854775807,-9223372036854775808]");
    EXPECT_EQ(json("[1.5, -.5, 3., 1e3, 1E-2, +1.0, 1e30]"), "[1.5,-0.5,3,1000,0.01,1,1e+30]");
    EXPECT_EQ(json("[1_000, 1:30, 0b1, 0o8, 0xG, 1e, ., -, +, 1.2.3, 2025-09-20, =]"),
              R"(["1_000","1:30","0b1","0o8","0xG","1e",".","-","+","1.2.3","2025-09-20","="])");
    EXPECT_EQ(json("['1', \"true\", '~', \"\"]"), R"(["1","true","~",""])");
    EXPECT_EQ(json("[!!str 1, !!int '3', !!float 2, !!bool true, !!null '', ! 5]"),
              R"(["1",3,2,true,null,"5"])");
    EXPECT_EQ(json("!!map {a: !!seq [1]}"), R"({"a":[1]})");
}

TEST(Yaml, ReadsWhatPeopleWrite) {
    EXPECT_EQ(json(""), "null");
    EXPECT_EQ(json("# only a remark\n"), "null");
    EXPECT_EQ(json("---\n...\n"), "null");
    EXPECT_EQ(json("%YAML 1.2\n---\na: 1\n...\n"), R"({"a":1})");
    EXPECT_EQ(json("\xEF\xBB\xBF"
                   "a: 1"),
              R"({"a":1})");
    EXPECT_EQ(json("a: 1\r\nb:\r\n  - x\r\n"), R"({"a":1,"b":["x"]})");
    EXPECT_EQ(json("说明: |\n  第一行\n  第二行\n折叠: >\n  甲\n  乙\n"),
              "{\"说明\":\"第一行\\n第二行\\n\",\"折叠\":\"甲 乙\\n\"}");
    EXPECT_EQ(json("1: a\ntrue: b\n1.5: c\n"), R"({"1":"a","true":"b","1.5":"c"})");
    EXPECT_EQ(json("base: &b {x: 1}\nuse: *b\nagain: [*b, *b]\n"),
              R"({"base":{"x":1},"use":{"x":1},"again":[{"x":1},{"x":1}]})");
    EXPECT_EQ(json("\"<<\": 1"), R"({"<<":1})");
    EXPECT_EQ(json("a: 'it''s'\n"), R"({"a":"it's"})");
}

TEST(Yaml, PartsAreFoundAgain) {
    const auto read = parse_yaml("t.yaml",
                                 "名: 甲\n"
                                 "列表:\n"
                                 "  - a\n"
                                 "  - 键: [1, 2]\n"
                                 "别: &x {里: 3}\n"
                                 "用: *x\n");
    ASSERT_TRUE(read);
    const auto value_at = [&](const Path& path) {
        const base::Place place = read->place_of(path);
        return std::pair(place.line, place.column);
    };
    const auto key_at = [&](const Path& path) {
        const base::Place place = read->place_of_key(path);
        return std::pair(place.line, place.column);
    };
    using At = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(value_at({}), At(1, 1));
    EXPECT_EQ(value_at({"名"}), At(1, 4));
    EXPECT_EQ(key_at({"名"}), At(1, 1));
    EXPECT_EQ(value_at({"列表", 1, "键", 1}), At(4, 12));
    EXPECT_EQ(key_at({"列表", 1, "键"}), At(4, 5));
    EXPECT_EQ(key_at({"列表", 1}), At(4, 5));
    EXPECT_EQ(value_at({"用"}), At(6, 4));
    EXPECT_EQ(key_at({"用"}), At(6, 1));
    EXPECT_EQ(value_at({"用", "里"}), At(5, 11));
    // A missing path is reported at its innermost existing parent.
    EXPECT_EQ(value_at({"列表", 1, "没有", "x"}), At(4, 5));
    EXPECT_EQ(value_at({"没有"}), At(1, 1));
    EXPECT_EQ(key_at({"没有"}), At(1, 1));
    const base::Error error = read->at({{"列表", 0}, false, base::Error(ErrorCode::kNotFound)});
    EXPECT_EQ(error.place->line, 3U);
}

TEST(Yaml, WhatIsNotClearIsAnErrorWithItsPlace) {
    EXPECT_EQ(wrong("甲: 1\n乙: 2\n甲: 3\n"), Wrong(ErrorCode::kYamlDuplicateKey, 3, 1));
    EXPECT_EQ(json("甲: 1\n乙: 2\n甲: 3\n"),
              "The key 甲 is repeated; the first one is on line 1. Remove one of them.");
    EXPECT_EQ(wrong("{a: 1, 'a': 2}"), Wrong(ErrorCode::kYamlDuplicateKey, 1, 8));
    EXPECT_EQ(wrong("a: &x {b: 1}\nc:\n  <<: *x\n"), Wrong(ErrorCode::kYamlMergeKey, 3, 3));
    EXPECT_EQ(wrong("a: 1\n---\nb: 2\n"), Wrong(ErrorCode::kYamlDocuments, 2, 1));
    EXPECT_EQ(wrong("- a\nb: c\n"), Wrong(ErrorCode::kYamlDocuments, 2, 1));
    EXPECT_EQ(wrong("a: !foo x"), Wrong(ErrorCode::kYamlTag, 1, 4));
    EXPECT_EQ(wrong("a: !!set {x}"), Wrong(ErrorCode::kYamlTag, 1, 4));
    EXPECT_EQ(wrong("a: !!int x"), Wrong(ErrorCode::kYamlTag, 1, 4));
    EXPECT_EQ(wrong("a: !!int 1.5"), Wrong(ErrorCode::kYamlTag, 1, 4));
    EXPECT_EQ(wrong("!!python/object:os.system {a: 1}").code, ErrorCode::kYamlTag);
    for (const char* number : {".nan", ".inf", "-.INF", "+.inf", "1e999", "9223372036854775808",
                               "0xFFFFFFFFFFFFFFFFFF", "!!float .nan"}) {
        EXPECT_EQ(wrong(std::string("a: ") + number), Wrong(ErrorCode::kYamlNumber, 1, 4))
            << number;
    }
    EXPECT_EQ(wrong("? [a, b]\n: c"), Wrong(ErrorCode::kYamlBadKey, 1, 3));
    EXPECT_EQ(wrong("~: c"), Wrong(ErrorCode::kYamlBadKey, 1, 1));
    EXPECT_EQ(wrong("- &a x\n- {*a : 1}"), Wrong(ErrorCode::kYamlBadKey, 2, 4));
    EXPECT_EQ(wrong("a: b: c"), Wrong(ErrorCode::kYamlColon, 1, 5));
    EXPECT_EQ(wrong("甲乙: }"), Wrong(ErrorCode::kYamlNoOpener, 1, 5));
    EXPECT_EQ(wrong("a: *nobody").code, ErrorCode::kYamlAlias);
    EXPECT_EQ(wrong("a: [1, 2"), Wrong(ErrorCode::kYamlUnclosed, 1, 4));
    EXPECT_EQ(wrong("[1, 2"), Wrong(ErrorCode::kYamlUnclosed, 1, 1));
}

// The cause and its place, not the words of the library and the place where it gave up.
TEST(Yaml, SyntaxIsExplainedAtItsCause) {
    EXPECT_EQ(wrong("a:\n\tb: 1\n"), Wrong(ErrorCode::kYamlTab, 2, 1));
    EXPECT_EQ(wrong("a:\n  - x\n\t- y\n"), Wrong(ErrorCode::kYamlTab, 3, 1));
    EXPECT_EQ(wrong("a: [1, 2\nb: 3\nc: 4\n"), Wrong(ErrorCode::kYamlUnclosed, 1, 4));
    EXPECT_EQ(wrong("a: {b: [1, 2}\nc: 4\n"), Wrong(ErrorCode::kYamlUnclosed, 1, 8));
    EXPECT_EQ(wrong("a:\n    - x\n  - y\n").code, ErrorCode::kYamlIndent);
    EXPECT_EQ(wrong("a: \"\\q\"\n").code, ErrorCode::kYamlEscape);
    EXPECT_EQ(wrong("a: @b\n").code, ErrorCode::kYamlToken);
}

TEST(Yaml, AnUnclosedQuoteIsNotTakenAsClosed) {
    EXPECT_EQ(wrong("a: 1\nb: \"x\n"), Wrong(ErrorCode::kYamlUnclosed, 2, 4));
    EXPECT_EQ(wrong("b: 'it''s\n"), Wrong(ErrorCode::kYamlUnclosed, 1, 4));
    EXPECT_EQ(wrong("b: 'it''\n"), Wrong(ErrorCode::kYamlUnclosed, 1, 4));
    EXPECT_EQ(wrong("b: ''''''''\nc: '''\n"), Wrong(ErrorCode::kYamlUnclosed, 2, 4));
    EXPECT_EQ(wrong("b: \"x\\\"\n"), Wrong(ErrorCode::kYamlUnclosed, 1, 4));
    EXPECT_EQ(wrong("b: !!str \"x\n"), Wrong(ErrorCode::kYamlUnclosed, 1, 10));
    EXPECT_EQ(json("b: |\n  \"x\n"), R"({"b":"\"x\n"})");
    EXPECT_EQ(json("b: ''''\n"), R"({"b":"'"})");
    EXPECT_EQ(json("b: ''\n"), R"({"b":""})");
}

TEST(Yaml, BytesThatAreNoText) {
    EXPECT_EQ(wrong("a: 1\n甲: \xFF"), Wrong(ErrorCode::kYamlBadUtf8, 2, 4));
    // The library takes this character as the end of the text.
    EXPECT_EQ(wrong("a: 1\nb: \x04 2"), Wrong(ErrorCode::kYamlBadCharacter, 2, 4));
    EXPECT_EQ(wrong(std::string("a: \0", 4)), Wrong(ErrorCode::kYamlBadCharacter, 1, 4));
    EXPECT_EQ(wrong(std::string("a\0b\0", 4)).code, ErrorCode::kYamlBadCharacter);
    EXPECT_EQ(wrong("a: \xEF\xBF\xBF"), Wrong(ErrorCode::kYamlBadCharacter, 1, 4));
    EXPECT_EQ(wrong("\x1B[31m").code, ErrorCode::kYamlBadCharacter);
}

TEST(Yaml, AliasesAreCountedNotMadeReal) {
    // Nine lines that stand for a billion values.
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i <= 8; ++i) {
        const std::string last = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int n = 0; n < 10; ++n) {
            bomb += (n == 0 ? "" : ", ") + last;
        }
        bomb += "]\n";
    }
    EXPECT_EQ(wrong(bomb).code, ErrorCode::kYamlTooMany);
    EXPECT_EQ(wrong("a: &x [1, *x]"), Wrong(ErrorCode::kYamlAliasInside, 1, 11));
    // As deep as aliases stack it.
    std::string deep = "a0: &a0 [x]\n";
    for (int i = 1; i <= 200; ++i) {
        deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" +
                std::to_string(i - 1) + "]\n";
    }
    EXPECT_EQ(wrong(deep).code, ErrorCode::kTooDeep);
}

TEST(Yaml, LimitsHoldAtTheirBorders) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + "1" + std::string(depth, ']');
    };
    EXPECT_TRUE(parse_yaml("t", nested(base::kYamlDepthMax - 1)));
    EXPECT_TRUE(parse_yaml("t", nested(base::kYamlDepthMax)));
    EXPECT_EQ(wrong(nested(base::kYamlDepthMax + 1)).code, ErrorCode::kTooDeep);
    EXPECT_EQ(wrong(nested(20'000)).code, ErrorCode::kTooDeep);
    for (const char* piece : {"[", "{", "- ", "? ", ": ", "[a,", "{a: ", "!", "&a ", "*a ", "\""}) {
        std::string text;
        while (text.size() < 20'000) {
            text += piece;
        }
        EXPECT_FALSE(parse_yaml("t", text)) << piece;
    }

    const auto numbers = [](std::size_t count) {
        std::string text = "[";
        for (std::size_t i = 0; i < count; ++i) {
            text += "1,";
        }
        return text + "]";
    };
    EXPECT_TRUE(parse_yaml("t", numbers(base::kYamlNodesMax - 1)));
    EXPECT_EQ(wrong(numbers(base::kYamlNodesMax)).code, ErrorCode::kYamlTooMany);

    EXPECT_TRUE(parse_yaml("t", "#" + std::string(base::kYamlBytesMax - 1, 'x')));
    EXPECT_EQ(wrong("#" + std::string(base::kYamlBytesMax, 'x')).code, ErrorCode::kTextTooLong);

    EXPECT_TRUE(parse_yaml("t", "? '" + std::string(base::kKeyBytesMax, 'k') + "'\n: 1"));
    EXPECT_EQ(wrong("? '" + std::string(base::kKeyBytesMax + 1, 'k') + "'\n: 1").code,
              ErrorCode::kKeyTooLong);
}

}  // namespace
}  // namespace arbiter::config
