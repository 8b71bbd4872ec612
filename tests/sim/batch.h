// run_batch(): many seeds, in several processes.
//
// A process of its own for each share of the seeds: the simulated disk belongs to one thread, and a
// failed CHECK or an endless loop ends a process only, which counts as a failure of its seed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arbiter::sim {

struct Batch {
    std::uint64_t first = 1;
    std::size_t seeds = 20;
    std::size_t turns = 500;
    std::size_t jobs = 1;
    bool stops = false;   // at the first failure
    bool shrinks = true;  // the first failures to the steps that are needed
};
// Prints progress, failures with the commands that replay them, and the figures. Returns the exit
// code.
int run_batch(const Batch& batch, bool is_long);

}  // namespace arbiter::sim
