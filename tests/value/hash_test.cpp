// Goal: equal values have equal loose hashes whatever their history; exact hashes are equal exactly
// when the printed bytes are.
// Method: many documents reached by different histories, sealed at different times, compared with
// what they print.
#include "value/hash.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/random.h"
#include "value/array.h"
#include "value/editor.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

TEST(Hash, FollowsTheContentsAndNotTheHistory) {
    tests::Random random(11);
    for (int round = 0; round < 300; ++round) {
        // A container that grew, shrank and was sealed on the way …
        Object object;
        Array array;
        for (int i = 0; i < 200; ++i) {
            const std::string key = "k" + std::to_string(random.below(60));
            object = random.chance(70) ? std::move(object).set(std::string_view(key), i % 7)
                                       : std::move(object).erase(key);
            array = random.chance(70) || array.empty()
                        ? std::move(array).insert(random.below(array.size() + 1), i % 7)
                        : std::move(array).erase(random.below(array.size()));
            if (random.chance(10)) {
                seal(object);
                seal(array);
            }
        }
        const Value grown = Object{{"o", object}, {"a", array}};
        // … and the same contents read from text.
        const Value read = *parse_json(print_json(grown));
        ASSERT_EQ(fingerprint_of(grown), fingerprint_of(read));
        ASSERT_EQ(seal(grown), fingerprint_of(read));
        ASSERT_EQ(seal(read), fingerprint_of(grown));
    }
}

#ifndef ARBITER_KEY_HASH_BITS
TEST(Hash, IsExactlyAsDifferentAsTheText) {
    std::map<std::uint64_t, std::string> by_exact;
    std::map<std::uint64_t, std::string> by_loose;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
        tests::Random random(seed);
        const Value value = tests::random_value(random, 3, 4);
        const Fingerprint hashes = fingerprint_of(value);
        const auto exact = by_exact.emplace(hashes.exact, print_json(value)).first;
        ASSERT_EQ(exact->second, print_json(value));
        const std::string canonical = print_json(value, JsonStyle::kCanonical);
        const auto loose = by_loose.emplace(hashes.loose, canonical).first;
        ASSERT_EQ(loose->second, canonical);
    }
    EXPECT_GT(by_exact.size(), 1000U);
}

TEST(Hash, TellsNeighboursApart) {
    const auto exact = [](std::string_view text) {
        return fingerprint_of(*parse_json(text)).exact;
    };
    const auto loose = [](std::string_view text) {
        return fingerprint_of(*parse_json(text)).loose;
    };
    const std::vector<std::string_view> different = {"null",
                                                     "false",
                                                     "true",
                                                     "0",
                                                     "1",
                                                     "-1",
                                                     "\"\"",
                                                     "\"0\"",
                                                     "[]",
                                                     "{}",
                                                     "[[]]",
                                                     "[{}]",
                                                     "[0]",
                                                     "[null]",
                                                     "[0,0]",
                                                     "[[0],0]",
                                                     "[0,[0]]",
                                                     R"({"a":1})",
                                                     R"({"a":"1"})",
                                                     R"({"1":"a"})",
                                                     R"({"a":{"b":1}})",
                                                     R"({"a":1,"b":2})",
                                                     R"({"a":2,"b":1})",
                                                     "[1,2]",
                                                     "[2,1]",
                                                     "0.5",
                                                     "5"};
    for (std::size_t i = 0; i < different.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(exact(different[i]), exact(different[j])) << different[i] << different[j];
            EXPECT_NE(loose(different[i]), loose(different[j])) << different[i] << different[j];
        }
    }
}

// Sequences built by the Thue–Morse rule collide under polynomials modulo a power of two.
TEST(Hash, ThueMorseSequencesDiffer) {
    Array a;
    Array b;
    for (unsigned i = 0; i < 4096; ++i) {
        const bool odd = (std::popcount(i) & 1) != 0;
        a = std::move(a).push_back(odd);
        b = std::move(b).push_back(!odd);
    }
    EXPECT_NE(fingerprint_of(a).exact, fingerprint_of(b).exact);
    EXPECT_NE(fingerprint_of(a).loose, fingerprint_of(b).loose);
}

// Stored hashes outlive the program: these may never change.
TEST(Hash, IsTheSameForEver) {
    const Fingerprint hashes = fingerprint_of(*parse_json(
        R"({"角色":{"气血":100,"名号":"一个比十四个字节长的名字"},"列表":[1,2.5,null,true]})"));
    EXPECT_EQ(hashes.loose, 4883951445738093806U);
    EXPECT_EQ(hashes.exact, 17900644153135716211U);
}
#endif

TEST(Hash, OrderOfMembersCountsOnlyForTheExactOne) {
    const Value a = *parse_json(R"({"a":1,"b":{"c":2,"d":3}})");
    const Value b = *parse_json(R"({"b":{"d":3,"c":2},"a":1})");
    EXPECT_EQ(a, b);
    EXPECT_FALSE(same_bytes(a, b));
    EXPECT_EQ(fingerprint_of(a).loose, fingerprint_of(b).loose);
    EXPECT_NE(fingerprint_of(a).exact, fingerprint_of(b).exact);
}

// A document that holds itself twice on every level is small in memory and endless in print.
TEST(Hash, WeighsWhatIsSharedAsOftenAsItAppears) {
    Value document = Array{"一段文字", 1};
    const std::uint64_t once = seal(document).weight;
    EXPECT_EQ(once, 8 + 8 + 12 + 8U);
    for (int i = 0; i < 10; ++i) {
        document = Object{{"a", document}, {"b", document}};
        seal(document);
    }
    EXPECT_EQ(seal(document).weight, 1024 * once + 1023 * (8 + 2));
    for (int i = 0; i < 100; ++i) {
        document = Array{document, document};
        seal(document);
    }
    EXPECT_EQ(seal(document).weight, ~std::uint64_t{0});
    EXPECT_EQ(document.depth(), 111U);
}

TEST(Hash, SealedVersionsStayRightWhenTheyChange) {
    tests::Random random(5);
    Value document = tests::random_value(random, 4, 20);
    Editor editor(Object{{"root", document}});
    for (int i = 0; i < 500; ++i) {
        const std::string key = "k" + std::to_string(random.below(100));
        const Path path = {"root2", std::string_view(key)};
        ASSERT_TRUE(editor.set(path, tests::random_value(random, 2, 4), Parents::kCreate));
        if (random.chance(30)) {
            seal(editor.root());
        }
        ASSERT_EQ(fingerprint_of(editor.root()),
                  fingerprint_of(*parse_json(print_json(editor.root()))));
    }
}

}  // namespace
}  // namespace arbiter::value
