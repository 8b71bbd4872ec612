// Goal: consecutive proposals of one block form one batch, and only batches that ask for it are
// transactions.
// Method: hand-made lists of proposals, cut with next_batch from the first to the last.
#include "engine/batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace arbiter::engine {
namespace {

using proposal::Dialect;
using proposal::Op;
using proposal::Proposal;

Proposal command(std::uint32_t batch, Dialect dialect, Op op, bool transaction = false) {
    Proposal made;
    made.batch = batch;
    made.dialect = dialect;
    made.transaction = transaction;
    made.what = proposal::instruction_of(dialect, op);
    return made;
}

std::vector<Batch> cut(const std::vector<Proposal>& proposals, const Policy& policy) {
    std::vector<Batch> batches;
    for (std::size_t next = 0; next < proposals.size(); next = batches.back().end) {
        batches.push_back(next_batch(proposals, next, policy));
    }
    return batches;
}

TEST(Batch, GroupsNeighboursOfOneBlock) {
    const std::vector<Proposal> proposals = {
        command(1, Dialect::kTavern, Op::kSet), command(1, Dialect::kTavern, Op::kSet),
        command(2, Dialect::kTavern, Op::kSet), command(1, Dialect::kTavern, Op::kSet)};
    const auto batches = cut(proposals, {});
    ASSERT_EQ(batches.size(), 3U);
    EXPECT_EQ(batches[0].begin, 0U);
    EXPECT_EQ(batches[0].end, 2U);
    EXPECT_EQ(batches[1].end, 3U);
    EXPECT_EQ(batches[2].end, 4U);
    EXPECT_FALSE(batches[0].transaction || batches[1].transaction || batches[2].transaction);
}

TEST(Batch, IsATransactionIfOneOfItAsksForIt) {
    const std::vector<Proposal> proposals = {command(1, Dialect::kTavern, Op::kSet),
                                             command(1, Dialect::kTavern, Op::kSet, true),
                                             command(2, Dialect::kTavern, Op::kSet)};
    const auto batches = cut(proposals, {});
    ASSERT_EQ(batches.size(), 2U);
    EXPECT_TRUE(batches[0].transaction);
    EXPECT_FALSE(batches[1].transaction);
}

TEST(Batch, IsATransactionIfItContainsATest) {
    const std::vector<Proposal> proposals = {command(1, Dialect::kPatch, Op::kSet),
                                             command(1, Dialect::kPatch, Op::kTest)};
    EXPECT_TRUE(next_batch(proposals, 0, {}).transaction);
}

TEST(Batch, SwitchingTheFeatureOffHoldsForTavernCommandsOnly) {
    Policy policy;
    policy.features.turn(*find_feature("transaction"), false);
    const std::vector<Proposal> tavern = {command(1, Dialect::kTavern, Op::kSet, true)};
    const std::vector<Proposal> patch = {command(1, Dialect::kPatch, Op::kSet, true)};
    EXPECT_FALSE(next_batch(tavern, 0, policy).transaction);
    EXPECT_TRUE(next_batch(patch, 0, policy).transaction);
}

}  // namespace
}  // namespace arbiter::engine
