// Goal: versions of a document can be read, copied, sealed, changed as copies and dropped from many
// threads at once. Run under the thread sanitizer (./dev test), which is what proves it.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/support/random.h"
#include "value/array.h"
#include "value/diff.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

Value large_document() {
    Object people;
    for (int i = 0; i < 200; ++i) {
        const std::string key = "人物" + std::to_string(i);
        people = std::move(people).set(std::string_view(key),
                                       Object{{"气血", 100},
                                              {"描述", "一段比十四个字节更长的描述文字"},
                                              {"物品", Array{1, 2, 3}}});
    }
    return Object{{"人物", people}, {"回合", 0}};
}

TEST(Threads, ShareVersionsFreely) {
    constexpr int kThreads = 4;
    constexpr int kRounds = 300;
    const Value document = large_document();
    const Fingerprint expected = fingerprint_of(document);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            tests::Random random(static_cast<std::uint64_t>(t));
            Value mine = document;
            for (int i = 0; i < kRounds; ++i) {
                const std::string key = "人物" + std::to_string(random.below(200));
                const auto next = set(mine, {"人物", std::string_view(key), "气血"}, i);
                wrong += !next || diff(mine, *next).size() > 1;
                mine = random.chance(20) ? document : *next;
                // All threads seal the shared version, and read it while others do.
                wrong += seal(document) != expected;
                wrong += seal(mine) != fingerprint_of(mine);
                wrong += find(document, {"回合"})->as_int() != 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(fingerprint_of(document), expected);
}

TEST(Threads, TheLastOwnerFrees) {
    // Each round hands one version to several threads that all drop or change it.
    for (int round = 0; round < 100; ++round) {
        Value document = large_document();
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([copy = document, t]() mutable {
                Editor editor(std::move(copy));
                for (int i = 0; i < 20; ++i) {
                    const std::string key = "人物" + std::to_string(i);
                    static_cast<void>(
                        t % 2 == 0 ? editor.erase({"人物", std::string_view(key)}).has_value()
                                   : editor.set({"人物", std::string_view(key)}, i).has_value());
                }
            });
        }
        document = Value();
        for (std::thread& thread : threads) {
            thread.join();
        }
    }
}

}  // namespace
}  // namespace arbiter::value
