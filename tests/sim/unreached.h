// expectation_of(): why the simulator cannot reach a code, or reaches it seldom. A code without a
// reason that is not reached is a gap of the simulator.
#pragma once

#include <string_view>

namespace arbiter::sim {

struct Expectation {
    std::string_view reason;  // empty: the code is reached
    bool is_rare = false;     // it may be reached all the same
};
Expectation expectation_of(std::string_view kind, std::string_view name) noexcept;

}  // namespace arbiter::sim
