// reason_unreached(): why the simulator cannot reach a code. A code without a reason that is not
// reached is a gap of the simulator.
#pragma once

#include <string_view>

namespace arbiter::sim {

// Empty: there is none.
std::string_view reason_unreached(std::string_view kind, std::string_view name) noexcept;

}  // namespace arbiter::sim
