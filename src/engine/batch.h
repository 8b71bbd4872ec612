// Batches: runs of consecutive proposals that came from one block of a reply.
//
// The engine judges a reply batch by batch. A batch that is a transaction takes effect as a whole
// or not at all.
#pragma once

#include <cstddef>
#include <span>

#include "engine/policy.h"
#include "proposal/proposal.h"

namespace arbiter::engine {

// The half-open range [begin, end) of a list of proposals.
struct Batch {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool transaction = false;
};

// Returns the batch that starts at index `begin`: all following proposals with the same batch
// number. It is a transaction if one of them asks for it (and the feature "transaction" is on, for
// tavern commands), or if it contains a JSON Patch `test`.
// Requires begin < proposals.size(). Never empty, so a loop ends when `end` reaches the size.
Batch next_batch(std::span<const proposal::Proposal> proposals, std::size_t begin,
                 const Policy& policy);

}  // namespace arbiter::engine
