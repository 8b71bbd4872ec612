// How much memory is really in use.
#pragma once

#include <cstdint>

namespace arbiter::bench {

// Memory handed out by the allocator, in whole blocks of its size classes: requested bytes plus
// rounding, without the allocator's reserve. Resident memory would also count freed blocks and
// pages touched earlier, and so depend on the previous case.
struct HeapUse {
    std::uint64_t bytes = 0;
    std::uint64_t blocks = 0;  // 0 where the allocator does not tell
};

HeapUse heap_in_use() noexcept;

// Resident memory of the process, as a second opinion.
std::uint64_t resident_bytes() noexcept;

}  // namespace arbiter::bench
