// Goal: a diff is right, small, and leads back.
// Method: random pairs of documents, related and unrelated, with apply and invert; hand-made cases
// for what "small" means.
#include "value/diff.h"

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "value/array.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

// A random change somewhere in a document.
Value mutate(tests::Random& random, const Value& value, std::size_t depth) {
    if (value.is_array() && !value.as_array().empty() && random.chance(80)) {
        const Array& array = value.as_array();
        const std::size_t at = random.below(array.size());
        switch (random.below(depth > 0 ? 5 : 3)) {
            case 0:
                return array.erase(at);
            case 1:
                return array.insert(at, tests::random_scalar(random));
            case 2:
                return array.push_back(tests::random_scalar(random));
            default:
                return array.set(at, mutate(random, array[at], depth - 1));
        }
    }
    if (value.is_object() && !value.as_object().empty() && random.chance(80)) {
        const Object& object = value.as_object();
        const std::size_t at = random.below(object.size());
        const Str key = object.at(at).key;
        switch (random.below(depth > 0 ? 6 : 4)) {
            case 0:
                return object.erase(key);
            case 1:
                return object.set(std::string_view(tests::random_key(random)),
                                  tests::random_scalar(random));
            case 2: {
                // Moves a member.
                const Value member = object.at(at).value;
                return object.erase(key).insert(random.below(object.size()), key, member);
            }
            case 3: {
                const std::string fresh = "fresh" + std::to_string(random.next());
                return object.insert(at, std::string_view(fresh), 1);
            }
            default:
                return object.set(key, mutate(random, object.at(at).value, depth - 1));
        }
    }
    return tests::random_value(random, 2, 4);
}

void expect_exact(const Value& a, const Value& b) {
    // Before anything is sealed: sealing makes it quicker, not another.
    const Diff unsealed = diff_of_step(a, b);
    EXPECT_EQ(weigh(a), fingerprint_of(a).weight);
    EXPECT_EQ(weigh(b), fingerprint_of(b).weight);
    const Diff forward = diff(a, b);
    EXPECT_EQ(forward, unsealed);
    const auto there = apply_diff(forward, a);
    ASSERT_TRUE(there);
    ASSERT_TRUE(same_bytes(*there, b)) << print_json(a) << "\n" << print_json(b);
    const auto back = apply_diff(invert(forward), b);
    ASSERT_TRUE(back);
    ASSERT_TRUE(same_bytes(*back, a));
    const auto stored = diff_from_value(*parse_json(print_json(diff_to_value(forward))));
    ASSERT_TRUE(stored);
    ASSERT_EQ(*stored, forward);
    ASSERT_EQ(forward.empty(), same_bytes(a, b));
}

TEST(Diff, LeadsFromOneVersionToTheNextAndBack) {
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        tests::Random random(seed);
        const bool wide = seed % 10 == 0;
        const Value a = tests::random_value(random, wide ? 2 : 4, wide ? 60 : 10);
        Value b = a;
        for (std::size_t n = 1 + random.below(6); n > 0; --n) {
            b = mutate(random, b, 3);
        }
        ASSERT_NO_FATAL_FAILURE(expect_exact(a, b));
        // The same without anything shared.
        ASSERT_NO_FATAL_FAILURE(expect_exact(a, *parse_json(print_json(b))));
    }
}

TEST(Diff, LeadsFromAnythingToAnything) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        tests::Random random(seed);
        const Value a = tests::random_value(random, 3, 12);
        ASSERT_NO_FATAL_FAILURE(expect_exact(a, tests::random_value(random, 3, 12)));
    }
}

TEST(Diff, LargeContainersWithManyChanges) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        tests::Random random(seed);
        Object object;
        Array array;
        for (int i = 0; i < 1500; ++i) {
            const std::string key = "k" + std::to_string(i);
            object = std::move(object).set(std::string_view(key), i);
            array = std::move(array).push_back(i);
        }
        Value a = Object{{"o", object}, {"a", array}};
        Value b = a;
        for (std::size_t n = random.below(200); n > 0; --n) {
            b = mutate(random, b, 1);
            if (!b.is_object() || !b.as_object().contains("o") || !b.as_object().contains("a")) {
                b = a;
            }
        }
        ASSERT_NO_FATAL_FAILURE(expect_exact(a, b));
    }
}

std::string changes(std::string_view a, std::string_view b) {
    return print_json(diff_to_value(diff(*parse_json(a), *parse_json(b))));
}

TEST(Diff, IsMinimal) {
    EXPECT_EQ(changes("{}", "{}"), "[]");
    EXPECT_EQ(changes(R"({"a":{"b":1,"c":2}})", R"({"a":{"b":1,"c":3}})"),
              R"([{"kind":"replace","path":["a","c"],"before":2,"after":3}])");
    EXPECT_EQ(changes("[1,2,3]", "[0,1,2,3]"),
              R"([{"kind":"add","path":[0],"position":0,"after":0}])");
    EXPECT_EQ(changes("[1,2,3,4,5]", "[1,3,4,5,6]"),
              R"([{"kind":"remove","path":[1],"position":1,"before":2},)"
              R"({"kind":"add","path":[4],"position":4,"after":6}])");
    EXPECT_EQ(changes(R"([{"x":1},{"x":2}])", R"([{"x":1},{"x":3}])"),
              R"([{"kind":"replace","path":[1,"x"],"before":2,"after":3}])");
    EXPECT_EQ(changes(R"({"a":1,"b":2})", R"({"x":0,"a":1,"b":2})"),
              R"([{"kind":"add","path":["x"],"position":0,"after":0}])");
    EXPECT_EQ(changes(R"({"a":1,"b":2,"c":3})", R"({"a":1,"c":3})"),
              R"([{"kind":"remove","path":["b"],"position":1,"before":2}])");
    // One member moved: taken out and put back, and nothing else.
    EXPECT_EQ(changes(R"({"a":1,"b":2,"c":3})", R"({"c":3,"a":1,"b":2})"),
              R"([{"kind":"remove","path":["c"],"position":2,"before":3},)"
              R"({"kind":"add","path":["c"],"position":0,"after":3}])");
    // Nothing in common: one change says it all.
    EXPECT_EQ(changes(R"({"a":{"x":1}})", R"({"a":{"y":2,"z":3}})"),
              R"([{"kind":"replace","path":["a"],"before":{"x":1},"after":{"y":2,"z":3}}])");
    EXPECT_EQ(changes("1", "[1]"), R"([{"kind":"replace","path":[],"before":1,"after":[1]}])");
}

// The window of a log: old lines go, new ones come. Also far beyond what a table could align.
TEST(Diff, StaysSmallWhenALongListSlides) {
    for (const int size : {100, 1000, 20'000}) {
        Array log;
        for (int i = 0; i < size; ++i) {
            const std::string line = "第" + std::to_string(i) + "行：有人说了一句话";
            log = std::move(log).push_back(std::string_view(line));
        }
        const Array next =
            log.erase(0).erase(static_cast<std::size_t>(size) / 2).push_back("新的一行");
        EXPECT_EQ(diff(log, next).size(), 3U) << size;
        expect_exact(log, next);
    }
}

// Many changes far down under long keys would take gigabytes; one replacement says the same.
TEST(Diff, DoesNotOutgrowItsDocuments) {
    const auto nested = [](const char* leaf) {
        Array inner;
        for (int i = 0; i < 2000; ++i) {
            inner = std::move(inner).push_back(leaf);
        }
        Value document = inner;
        const std::string key(5000, 'k');
        for (int i = 0; i < 20; ++i) {
            document = Object{{std::string_view(key), document}, {"n", i}};
        }
        return document;
    };
    const Value a = nested("a");
    const Value b = nested("b");
    EXPECT_LT(print_json(diff_to_value(diff(a, b))).size(), 4 * print_json(a).size());
    expect_exact(a, b);
}

TEST(Diff, ManyNewMembersInFrontAreNoBurden) {
    Object before;
    Object after;
    for (int i = 0; i < 5000; ++i) {
        const std::string key = "new" + std::to_string(i);
        after = std::move(after).set(std::string_view(key), i);
    }
    for (int i = 0; i < 5000; ++i) {
        const std::string key = "old" + std::to_string(i);
        before = std::move(before).set(std::string_view(key), i);
        after = std::move(after).set(std::string_view(key), i);
    }
    expect_exact(before, after);
}

TEST(Diff, BecomesAJsonPatch) {
    const auto patch = [](std::string_view a, std::string_view b) {
        return print_json(diff_to_patch(diff(*parse_json(a), *parse_json(b))));
    };
    EXPECT_EQ(patch(R"({"a/b":1,"c":[1,2]})", R"({"a/b":2,"c":[1,2,3],"d":null})"),
              R"([{"op":"add","path":"/d","value":null},{"op":"replace","path":"/a~1b","value":2},)"
              R"({"op":"add","path":"/c/2","value":3}])");
    // Order is nothing to JSON Patch; a new value of a moved member is.
    EXPECT_EQ(patch(R"({"a":1,"b":2})", R"({"b":2,"a":1})"), "[]");
    EXPECT_EQ(patch(R"({"a":1,"b":2,"c":3})", R"({"c":4,"a":1,"b":2})"),
              R"([{"op":"replace","path":"/c","value":4}])");
}

TEST(Diff, DoesNotFitAnotherDocument) {
    const Value a = *parse_json(R"({"a":1,"b":[1,2]})");
    const Value b = *parse_json(R"({"a":2,"b":[1],"c":3})");
    const Diff changes_made = diff(a, b);
    for (const char* other : {"{}", R"({"a":2,"b":[1,2]})", R"({"a":1,"b":[1,3]})",
                              R"({"a":1,"b":[1,2],"c":3})", "[]", "null"}) {
        const auto result = apply_diff(changes_made, *parse_json(other));
        ASSERT_FALSE(result) << other;
        EXPECT_EQ(result.error().code, base::ErrorCode::kDiffMismatch);
    }
}

TEST(Diff, WhatWasAppliedCanBeInverted) {
    const Value document = *parse_json(R"({"l":[1,2],"o":{"a":{"x":1,"y":2}}})");
    for (const char* hostile :
         {R"([{"kind":"add","path":["l","foo"],"position":0,"after":9}])",
          R"([{"kind":"add","path":["l",1],"position":0,"after":9}])",
          R"([{"kind":"remove","path":["l",0],"position":77,"before":1}])",
          R"([{"kind":"remove","path":["o","a"],"position":0,"before":{"y":2,"x":1}}])",
          R"([{"kind":"add","path":["o","b"],"position":99999999999,"after":9}])",
          R"([{"kind":"add","path":[],"position":0,"after":9}])"}) {
        const auto changes_made = diff_from_value(*parse_json(hostile));
        ASSERT_TRUE(changes_made) << hostile;
        EXPECT_FALSE(apply_diff(*changes_made, document)) << hostile;
    }
}

TEST(Diff, RefusesWhatIsNoDiff) {
    for (const char* text :
         {"{}", "[1]", "[{}]", R"([{"kind":"add"}])", R"([{"kind":"x","path":[]}])",
          R"([{"kind":"add","path":["a"],"after":1}])",
          R"([{"kind":"add","path":["a"],"position":-1,"after":1}])",
          R"([{"kind":"add","path":["a"],"position":0}])",
          R"([{"kind":"remove","path":["a"],"position":0}])",
          R"([{"kind":"replace","path":["a"],"before":1}])",
          R"([{"kind":"replace","path":"a","before":1,"after":2}])"}) {
        const auto read = diff_from_value(*parse_json(text));
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().code, base::ErrorCode::kDiffFormat) << text;
    }
}

}  // namespace
}  // namespace arbiter::value
