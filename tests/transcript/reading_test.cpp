// Goal: every transcript in tests/turns/reader is read as it says, and the same however it is cut.
// Method: read it whole and compare the sections; then cut it at every place into two, into single
// bytes, and at random into many pieces, and compare all events.
// proves: S4-47, X-20
#include <array>

#include "tests/support/random.h"
#include "tests/support/trace.h"
#include "tests/support/turns.h"
#include "transcript/setup.h"

namespace arbiter {
namespace {

using tests::trace;
using transcript::Turn;

TEST(ReaderTurns, AreReadAsTheySay) {
    const std::size_t count = tests::each_turn(
        "reader", [](const Turn& turn, const std::string& where, const std::string& folder) {
            EXPECT_FALSE(turn.has("verdicts") || turn.has("after")) << where;
            tests::expect_as_it_says(turn, where, folder);
        });
    EXPECT_GT(count, 300U);
}

void expect_the_same_cut(const Turn& turn, const std::string& where, tests::Random& random) {
    const auto setup = transcript::setup_of(turn);
    ASSERT_TRUE(setup) << where;
    const auto rules = turn::make_rules(setup->rules, *setup->library.library(),
                                        {value::Object(), setup->meta}, base::Language::kEnglish);
    ASSERT_TRUE(rules) << where;
    const reader::Options options =
        rules->reading(setup->is_player ? engine::Actor::kPlayer : engine::Actor::kModel);
    const auto content = turn.sections[0].content();
    ASSERT_TRUE(content && turn.sections[0].name() == "reply") << where;
    const std::string& reply = *content;
    const std::string whole = trace(reply, options, std::array<std::size_t, 0>{});
    for (std::size_t cut = 1; cut < reply.size(); ++cut) {
        ASSERT_EQ(trace(reply, options, std::array{cut}), whole) << where << ", cut at " << cut;
    }
    for (const std::size_t size : {1U, 2U, 3U, 5U, 7U, 64U}) {
        std::vector<std::size_t> cuts;
        for (std::size_t at = size; at < reply.size(); at += size) {
            cuts.push_back(at);
        }
        ASSERT_EQ(trace(reply, options, cuts), whole) << where << ", pieces of " << size;
    }
    for (int i = 0; i < 20 && !reply.empty(); ++i) {
        std::vector<std::size_t> cuts;
        for (std::size_t n = random.below(12) + 1; n > 0; --n) {
            cuts.push_back(random.below(reply.size() + 1));
        }
        std::ranges::sort(cuts);
        ASSERT_EQ(trace(reply, options, cuts), whole) << where;
    }
}

TEST(ReaderTurns, AreReadTheSameHoweverTheyAreCut) {
    tests::Random random(7);
    tests::each_turn("reader", [&random](const Turn& turn, const std::string& where, const auto&) {
        expect_the_same_cut(turn, where, random);
    });
}

}  // namespace
}  // namespace arbiter
