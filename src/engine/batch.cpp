#include "engine/batch.h"

#include "base/check.h"

namespace arbiter::engine {

using proposal::Instruction;
using proposal::Proposal;

namespace {

bool asks_for_transaction(const Proposal& proposal, const Policy& policy) {
    const Instruction* instruction = proposal.instruction();
    if (instruction != nullptr && instruction->op == proposal::Op::kTest) {
        return true;
    }
    return proposal.transaction &&
           (proposal.dialect != proposal::Dialect::kTavern || policy.features.has("transaction"));
}

}  // namespace

Batch next_batch(std::span<const Proposal> proposals, std::size_t begin, const Policy& policy) {
    CHECK(begin < proposals.size());
    Batch batch{begin, begin, false};
    while (batch.end < proposals.size() && proposals[batch.end].batch == proposals[begin].batch) {
        batch.transaction = batch.transaction || asks_for_transaction(proposals[batch.end], policy);
        ++batch.end;
    }
    return batch;
}

}  // namespace arbiter::engine
