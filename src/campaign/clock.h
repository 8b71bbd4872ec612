// The clock of the machine. The core takes the time as an argument; this is where it comes from.
#pragma once

#include <chrono>

#include "engine/instant.h"

namespace arbiter::campaign {

inline engine::Instant clock_now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace arbiter::campaign
