// Goal: a path says the same in every syntax, for every key, and finds what it names.
// proves: X-2, A0-17
#include "value/path.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/messages.h"
#include "tests/support/random.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using base::ErrorCode;

Path dotted(std::string_view text) {
    auto path = parse_path(text, PathSyntax::kDotted);
    EXPECT_TRUE(path) << text;
    return path ? *path : Path{};
}

TEST(Path, RoundTripsHostileKeysInEverySyntax) {
    tests::Random random(3);
    for (int i = 0; i < 5000; ++i) {
        Path path;
        bool has_index = false;
        for (std::size_t n = random.below(5); n > 0; --n) {
            if (random.chance(20)) {
                path.emplace_back(static_cast<std::int64_t>(random.next()) >> random.below(60));
                has_index = true;
            } else {
                path.emplace_back(std::string_view(tests::random_key(random)));
            }
        }
        for (const PathSyntax syntax :
             {PathSyntax::kDotted, PathSyntax::kPointer, PathSyntax::kArray}) {
            const std::string text = print_path(path, syntax);
            const auto again = parse_path(text, syntax);
            ASSERT_TRUE(again) << text << ": "
                               << base::explain(again.error(), base::Language::kEnglish);
            if (syntax != PathSyntax::kPointer || !has_index) {
                ASSERT_EQ(*again, path) << text;
            } else {
                // A pointer cannot tell an index from a key of digits, but says the same again.
                ASSERT_EQ(print_path(*again, syntax), text);
            }
        }
    }
}

TEST(Path, DottedFormIsWhatPeopleWrite) {
    EXPECT_EQ(dotted("角色.属性.气血"), (Path{"角色", "属性", "气血"}));
    EXPECT_EQ(dotted("a[0].b"), (Path{"a", 0, "b"}));
    EXPECT_EQ(dotted("a.0"), (Path{"a", "0"}));
    EXPECT_EQ(dotted("a[-1]"), (Path{"a", -1}));
    EXPECT_EQ(dotted(R"(a["b.c"]['d"e'][0])"), (Path{"a", "b.c", "d\"e", 0}));
    EXPECT_EQ(dotted(R"(a.["b"])"), (Path{"a", "b"}));
    EXPECT_EQ(dotted(R"(a\.b.c\\d.e\[0\])"), (Path{"a.b", "c\\d", "e[0]"}));
    EXPECT_EQ(dotted(R"(['it\'s'])"), (Path{"it's"}));
    EXPECT_EQ(dotted(R"(["\u6c14\n"])"), (Path{"气\n"}));
    EXPECT_EQ(dotted(""), Path{});
    EXPECT_EQ(print_path({"a", "b.c", 0, "", "d"}, PathSyntax::kDotted), R"(a["b.c"][0][""].d)");
}

TEST(Path, PointerFollowsRfc6901) {
    const auto pointer = [](std::string_view text) {
        return *parse_path(text, PathSyntax::kPointer);
    };
    EXPECT_EQ(pointer(""), Path{});
    EXPECT_EQ(pointer("/"), Path{""});
    EXPECT_EQ(pointer("/a~1b/m~0n/~01"), (Path{"a/b", "m~n", "~1"}));
    EXPECT_EQ(pointer("/foo/0/-"), (Path{"foo", "0", "-"}));
}

TEST(Path, ErrorsSayWhereAndWhy) {
    struct Case {
        std::string_view text;
        PathSyntax syntax;
        ErrorCode code;
        std::size_t column;
    };
    for (const Case& c : std::vector<Case>{
             {"a..b", PathSyntax::kDotted, ErrorCode::kPathEmptySegment, 3},
             {".a", PathSyntax::kDotted, ErrorCode::kPathEmptySegment, 1},
             {"气血.", PathSyntax::kDotted, ErrorCode::kPathEmptySegment, 4},
             {"a[", PathSyntax::kDotted, ErrorCode::kPathUnclosed, 2},
             {"a[0", PathSyntax::kDotted, ErrorCode::kPathUnclosed, 2},
             {"a[\"b", PathSyntax::kDotted, ErrorCode::kPathUnclosed, 3},
             {"a[b]", PathSyntax::kDotted, ErrorCode::kPathBadBracket, 3},
             {"a[]", PathSyntax::kDotted, ErrorCode::kPathBadBracket, 3},
             {"a[0 ]", PathSyntax::kDotted, ErrorCode::kPathBadBracket, 4},
             {"a[00]", PathSyntax::kDotted, ErrorCode::kPathBadBracket, 3},
             {"a[-0]", PathSyntax::kDotted, ErrorCode::kPathBadBracket, 3},
             {"a[0]b", PathSyntax::kDotted, ErrorCode::kPathAfterBracket, 5},
             {"a[99999999999999999999]", PathSyntax::kDotted, ErrorCode::kPathIndexRange, 3},
             {R"(a\x)", PathSyntax::kDotted, ErrorCode::kPathBadEscape, 2},
             {R"(["\q"])", PathSyntax::kDotted, ErrorCode::kPathBadEscape, 2},
             {"a", PathSyntax::kPointer, ErrorCode::kPathNotSlash, 1},
             {"/a~2", PathSyntax::kPointer, ErrorCode::kPathBadEscape, 3},
             {"/a~", PathSyntax::kPointer, ErrorCode::kPathBadEscape, 3},
             {"a\xFF", PathSyntax::kDotted, ErrorCode::kPathBadUtf8, 2},
         }) {
        const auto path = parse_path(c.text, c.syntax);
        ASSERT_FALSE(path) << c.text;
        EXPECT_EQ(path.error().code, c.code) << c.text;
        ASSERT_TRUE(path.error().place) << c.text;
        EXPECT_EQ(path.error().place->column, c.column) << c.text;
    }
    EXPECT_EQ(parse_path("{}", PathSyntax::kArray).error().code, ErrorCode::kPathNotArray);
    EXPECT_EQ(parse_path(R"(["a",1.5])", PathSyntax::kArray).error().code,
              ErrorCode::kPathBadSegment);
    EXPECT_EQ(parse_path(R"(["a",null])", PathSyntax::kArray).error().code,
              ErrorCode::kPathBadSegment);
}

TEST(Path, LimitsHoldAtTheirBorders) {
    const auto of_segments = [](std::size_t n) {
        std::string text = "a";
        for (std::size_t i = 1; i < n; ++i) {
            text += ".a";
        }
        return text;
    };
    constexpr std::size_t kMax = base::kPathSegmentsMax;
    EXPECT_EQ(dotted(of_segments(kMax - 1)).size(), kMax - 1);
    EXPECT_EQ(dotted(of_segments(kMax)).size(), kMax);
    EXPECT_EQ(parse_path(of_segments(kMax + 1), PathSyntax::kDotted).error().code,
              ErrorCode::kPathTooLong);
    const std::string pointer = [] {
        std::string text;
        for (std::size_t i = 0; i < kMax; ++i) {
            text += "/a";
        }
        return text;
    }();
    EXPECT_TRUE(parse_path(pointer, PathSyntax::kPointer));
    EXPECT_EQ(parse_path(pointer + "/a", PathSyntax::kPointer).error().code,
              ErrorCode::kPathTooLong);
    for (const PathSyntax syntax :
         {PathSyntax::kDotted, PathSyntax::kPointer, PathSyntax::kArray}) {
        for (const std::size_t extra : {0U, 1U}) {
            const std::string key(base::kKeyBytesMax + extra, 'k');
            const std::string text = print_path({std::string_view(key)}, syntax);
            const auto path = parse_path(text, syntax);
            EXPECT_EQ(path.has_value(), extra == 0);
            EXPECT_TRUE(path || path.error().code == ErrorCode::kKeyTooLong);
        }
    }
    const std::string endless(base::kPathBytesMax + 1, 'a');
    EXPECT_EQ(parse_path(endless, PathSyntax::kDotted).error().code, ErrorCode::kPathTooLong);
}

TEST(Path, AnySyntaxIsRecognised) {
    EXPECT_EQ(*parse_any_path("/a/b"), (Path{"a", "b"}));
    EXPECT_EQ(*parse_any_path(R"(["a.b",0])"), (Path{"a.b", 0}));
    EXPECT_EQ(*parse_any_path(R"(["a.b"][0])"), (Path{"a.b", 0}));
    EXPECT_EQ(*parse_any_path("a.b"), (Path{"a", "b"}));
    EXPECT_EQ(*parse_any_path("[0].x"), (Path{0, "x"}));
    EXPECT_EQ(parse_any_path(R"(["a",1.5])").error().code, ErrorCode::kPathBadSegment);
}

TEST(Path, FindsMembersAndElements) {
    const Value document = *parse_json(R"({"物品":[{"名称":"剑"},2],"0":"zero","a":{"":1}})");
    EXPECT_EQ(find(document, dotted("物品[0].名称"))->as_string(), "剑");
    EXPECT_EQ(find(document, dotted("物品.0.名称"))->as_string(), "剑");
    EXPECT_EQ(find(document, {"物品", 1})->as_int(), 2);
    EXPECT_EQ(find(document, {0})->as_string(), "zero");
    EXPECT_EQ(find(document, {"a", ""})->as_int(), 1);
    EXPECT_EQ(find(document, {}), &document);
    for (const Path& missing :
         {Path{"物品", 2}, Path{"物品", -1}, Path{"物品", "01"}, Path{"物品", "x"}, Path{"b"},
          Path{"a", "", "c"}, Path{"物品", 99999999999}}) {
        EXPECT_EQ(find(document, missing), nullptr);
    }
}

}  // namespace
}  // namespace arbiter::value
