// Plan: what one run of the simulator does. Everything follows from the seed: a plan that is run
// twice gives the same steps, faults and figures.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random.h"

namespace arbiter::sim {

struct Plan {
    std::uint64_t seed = 1;
    std::size_t turns = 500;
    // Steps that are left out: a shorter run that fails in the same way is easier to read.
    std::set<std::size_t> skipped = {};
    std::optional<std::size_t> last_step = {};  // the run ends after this one
    // Takes what is done, as it is done; nothing: it is not described.
    std::function<void(std::string_view)> log = {};
    std::size_t* progress = nullptr;  // takes the step that is played
};

// An oracle that did not hold.
struct Failure {
    std::string oracle;  // its name; a shrunk run must fail in the same one
    std::string detail;
};

// Random numbers of a step do not depend on the steps before it, so that steps can be left out.
inline tests::Random random_of(std::uint64_t seed, std::uint64_t step) {
    tests::Random mixed(seed * 0x9E3779B97F4A7C15ULL + step);
    return tests::Random(mixed.next());
}

}  // namespace arbiter::sim
