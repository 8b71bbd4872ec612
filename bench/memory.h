// How much memory is really in use.
#pragma once

#include <cstdint>

namespace arbiter::bench {

// What the allocator has handed out, in whole blocks of its size classes: what a program asked for
// plus the rounding that it pays for, but not what the allocator keeps in reserve. Resident memory
// would also count freed blocks and pages touched earlier, and so depend on the case before.
struct HeapUse {
    std::uint64_t bytes = 0;
    std::uint64_t blocks = 0;  // 0 where the allocator does not tell
};

HeapUse heap_in_use() noexcept;

// Resident memory of the process, as a second opinion.
std::uint64_t resident_bytes() noexcept;

}  // namespace arbiter::bench
