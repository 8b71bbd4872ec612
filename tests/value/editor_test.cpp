// Goal: an Editor changes its document exactly as asked, keeps every version taken before, and a
// failing call changes nothing.
// proves: A0-4, A0-16
#include "value/editor.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "tests/support/random.h"
#include "value/array.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/merge.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using base::ErrorCode;

Value json(std::string_view text) {
    return *parse_json(text);
}

TEST(Editor, SetsReplacesAndAppends) {
    Editor editor(json(R"({"a":{"b":1},"list":[1,2]})"));
    EXPECT_TRUE(editor.set({"a", "b"}, 2));
    EXPECT_TRUE(editor.set({"a", "c"}, "x"));
    EXPECT_TRUE(editor.set({"list", 0}, true));
    EXPECT_TRUE(editor.set({"list", 2}, nullptr));
    EXPECT_TRUE(editor.set({"list", "3"}, "digits are an index"));
    EXPECT_EQ(print_json(editor.root()),
              R"({"a":{"b":2,"c":"x"},"list":[true,2,null,"digits are an index"]})");
    EXPECT_TRUE(editor.set({}, 7));
    EXPECT_EQ(print_json(editor.root()), "7");
}

TEST(Editor, CreatesParentsWhenAsked) {
    Editor editor(json("{}"));
    EXPECT_EQ(editor.set({"a", "b", "c"}, 1).error().code, ErrorCode::kNotFound);
    EXPECT_TRUE(editor.set({"a", "b", "c"}, 1, Parents::kCreate));
    EXPECT_TRUE(editor.set({"a", "list", 0, "x"}, 2, Parents::kCreate));
    EXPECT_TRUE(editor.set({"a", "0", "y"}, 3, Parents::kCreate));
    EXPECT_EQ(print_json(editor.root()), R"({"a":{"b":{"c":1},"list":[{"x":2}],"0":{"y":3}}})");
}

TEST(Editor, AFailingCallChangesNothing) {
    const Value before = json(R"({"a":{"b":[1,2,{"c":3}],"s":"text"}})");
    Editor editor(before);
    const Fingerprint hashes = seal(editor.root());
    struct Case {
        Path path;
        ErrorCode code;
    };
    for (const Case& c : std::vector<Case>{
             {{"a", "s", "x"}, ErrorCode::kNotContainer},
             {{"a", "b", 2, "c", "d"}, ErrorCode::kNotContainer},
             {{"a", "b", 4}, ErrorCode::kIndexRange},
             {{"a", "b", -1}, ErrorCode::kIndexRange},
             {{"a", "b", "x"}, ErrorCode::kIndexRange},
             {{"a", "new", 1, "x"}, ErrorCode::kIndexRange},
             {{"a", "b", 9, "x"}, ErrorCode::kIndexRange},
         }) {
        const auto done = editor.set(c.path, 1, Parents::kCreate);
        ASSERT_FALSE(done) << print_path(c.path, PathSyntax::kDotted);
        EXPECT_EQ(done.error().code, c.code) << print_path(c.path, PathSyntax::kDotted);
        EXPECT_TRUE(same_bytes(editor.root(), before));
        EXPECT_EQ(fingerprint_of(editor.root()), hashes);
    }
    EXPECT_EQ(editor.erase({}).error().code, ErrorCode::kRootErase);
    EXPECT_EQ(editor.erase({"a", "x"}).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(editor.erase({"x", "y"}).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(editor.erase({"a", "s", "y"}).error().code, ErrorCode::kNotContainer);
    EXPECT_EQ(editor.erase({"a", "s", "y", "z"}).error().code, ErrorCode::kNotContainer);
    EXPECT_EQ(editor.insert({}, 0, 1).error().code, ErrorCode::kKeyExists);
    EXPECT_EQ(editor.insert({"a", "s"}, 0, 1).error().code, ErrorCode::kKeyExists);
    EXPECT_EQ(editor.insert({"a", "n"}, 3, 1).error().code, ErrorCode::kBadPosition);
    EXPECT_EQ(editor.insert({"a", "b", 0}, 4, 1).error().code, ErrorCode::kBadPosition);
    EXPECT_EQ(editor.insert({"a", "s", "x"}, 0, 1).error().code, ErrorCode::kNotContainer);
    EXPECT_TRUE(same_bytes(editor.root(), before));
}

TEST(Editor, InsertsAndErasesAtAPlace) {
    Editor editor(json(R"({"a":1,"c":3,"list":[1,3]})"));
    EXPECT_TRUE(editor.insert({"b"}, 1, 2));
    EXPECT_TRUE(editor.insert({"list", 1}, 1, 2));
    EXPECT_EQ(print_json(editor.root()), R"({"a":1,"b":2,"c":3,"list":[1,2,3]})");
    EXPECT_EQ(editor.erase({"list", 0})->as_int(), 1);
    EXPECT_EQ(editor.erase({"a"})->as_int(), 1);
    EXPECT_EQ(print_json(editor.root()), R"({"b":2,"c":3,"list":[2,3]})");
    EXPECT_TRUE(editor.erase({"list", 0}));
    EXPECT_TRUE(editor.erase({"list", 0}));
    EXPECT_EQ(print_json(editor.root()), R"({"b":2,"c":3,"list":[]})");
}

// Every existing path of a document.
void collect(const Value& value, Path& at, std::vector<Path>& out) {
    out.push_back(at);
    if (value.is_array()) {
        for (std::size_t i = 0; i < value.as_array().size(); ++i) {
            at.emplace_back(static_cast<std::int64_t>(i));
            collect(value.as_array()[i], at, out);
            at.pop_back();
        }
    } else if (value.is_object()) {
        for (const auto& [key, member] : value.as_object()) {
            at.emplace_back(key);
            collect(member, at, out);
            at.pop_back();
        }
    }
}

TEST(Editor, RandomEditsLeaveOldVersionsAlone) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        tests::Random random(seed);
        Editor editor(Object{{"root", tests::random_value(random, 4, 30)}});
        std::vector<std::pair<Value, std::string>> versions;
        for (int i = 0; i < 60; ++i) {
            std::vector<Path> paths;
            Path at;
            collect(editor.root(), at, paths);
            Path path = random.pick(paths);
            if (random.chance(30)) {
                path.emplace_back(std::string_view("new"));
            }
            const std::string before = print_json(editor.root());
            const bool erase = random.chance(30);
            const Value fresh = tests::random_value(random, 2, 4);
            const bool done =
                erase ? editor.erase(path).has_value() : editor.set(path, fresh).has_value();
            if (!done) {
                ASSERT_EQ(print_json(editor.root()), before);
            } else if (!erase) {
                ASSERT_EQ(*find(editor.root(), path), fresh);
            }
            if (random.chance(40)) {
                versions.emplace_back(editor.root(), print_json(editor.root()));
            }
        }
        for (const auto& [version, text] : versions) {
            ASSERT_EQ(print_json(version), text);
        }
    }
}

TEST(Editor, DepthIsBoundedByTheExactNesting) {
    Value deep;
    for (std::size_t i = 0; i < base::kDepthMax - 1; ++i) {
        deep = Array{deep};
    }
    Editor editor(json("{}"));
    EXPECT_TRUE(editor.set({"a"}, deep));
    EXPECT_EQ(editor.set({"a", 0}, deep).error().code, ErrorCode::kTooDeep);
    EXPECT_EQ(editor.insert({"b"}, 0, Array{deep}).error().code, ErrorCode::kTooDeep);
    EXPECT_EQ(editor.root().depth(), base::kDepthMax);
    // A part that is no longer deep does not count.
    EXPECT_TRUE(editor.set({"a"}, 1));
    EXPECT_EQ(editor.root().depth(), 1U);
    Value wrapped = editor.root();
    for (std::size_t i = 0; i < base::kDepthMax - 2; ++i) {
        wrapped = Array{wrapped};
    }
    EXPECT_TRUE(editor.set({"w"}, wrapped));
    EXPECT_EQ(editor.root().depth(), base::kDepthMax);
}

TEST(Editor, CopyingADocumentIntoItselfEndsAtTheLimit) {
    Editor editor(json(R"({"a":{}})"));
    std::size_t times = 0;
    while (editor.set({"a", "again"}, editor.root()).has_value()) {
        ASSERT_LT(++times, base::kDepthMax);
    }
    EXPECT_LE(editor.root().depth(), base::kDepthMax);
    EXPECT_EQ(editor.root(), Value(editor.root()));
}

TEST(Editor, TakesNoKeyThatCouldNotBeReadAgain) {
    Editor editor(json("{}"));
    const std::string key(base::kKeyBytesMax, 'k');
    EXPECT_TRUE(editor.set({std::string_view(key)}, 1));
    EXPECT_TRUE(parse_json(print_json(editor.root())));
    const std::string longer = key + "k";
    EXPECT_EQ(editor.set({std::string_view(longer)}, 1).error().code, ErrorCode::kKeyTooLong);
    EXPECT_EQ(editor.insert({std::string_view(longer)}, 0, 1).error().code, ErrorCode::kKeyTooLong);
}

TEST(Equality, IsDeepAndKnowsTypes) {
    EXPECT_EQ(json(R"({"a":1,"b":[1.0,{"c":2}]})"), json(R"({"b":[1,{"c":2}],"a":1})"));
    for (const auto& [a, b] :
         std::vector<std::pair<const char*, const char*>>{{"1", "\"1\""},
                                                          {"1", "true"},
                                                          {"0", "false"},
                                                          {"null", "0"},
                                                          {"[]", "{}"},
                                                          {"[1,2]", "[2,1]"},
                                                          {"[1]", "[1,1]"},
                                                          {R"({"a":1})", R"({"b":1})"},
                                                          {R"({"a":1})", R"({"a":1,"b":1})"},
                                                          {R"({"a":null})", "{}"}}) {
        EXPECT_FALSE(json(a) == json(b)) << a << ' ' << b;
    }
}

TEST(Equality, AgreesWithCanonicalText) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        tests::Random random(seed);
        const Value a = tests::random_value(random, 3, seed % 5 == 0 ? 60 : 6);
        const Value b = random.chance(50) ? json(print_json(a, JsonStyle::kCanonical))
                                          : tests::random_value(random, 3, 6);
        ASSERT_EQ(a == b,
                  print_json(a, JsonStyle::kCanonical) == print_json(b, JsonStyle::kCanonical));
        ASSERT_EQ(same_bytes(a, b), print_json(a) == print_json(b));
    }
}

TEST(Merge, OnlyObjectsMerge) {
    const Value base = json(R"({"a":{"x":1,"y":2},"b":[1,2],"c":3})");
    const Value patch = json(R"({"b":[9],"a":{"y":null,"z":4},"d":5})");
    EXPECT_EQ(print_json(merge(base, patch, Merge::kReplace)), print_json(patch));
    EXPECT_EQ(print_json(merge(base, patch, Merge::kShallow)),
              R"({"a":{"y":null,"z":4},"b":[9],"c":3,"d":5})");
    EXPECT_EQ(print_json(merge(base, patch, Merge::kDeep)),
              R"({"a":{"x":1,"y":null,"z":4},"b":[9],"c":3,"d":5})");
    EXPECT_EQ(merge(1, patch, Merge::kDeep), patch);
    EXPECT_EQ(merge(base, json("[]"), Merge::kDeep), json("[]"));
}

}  // namespace
}  // namespace arbiter::value
