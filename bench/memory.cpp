#include "bench/memory.h"

#include <unistd.h>

#include <cstdio>

#ifdef ARBITER_BENCH_MIMALLOC
#include <mimalloc.h>
#else
#include <malloc.h>
#endif

namespace arbiter::bench {

#ifdef ARBITER_BENCH_MIMALLOC

HeapUse heap_in_use() noexcept {
    HeapUse use;
    // Without visiting single blocks, the visitor sees every area of equal blocks once. The program
    // has one thread, so this heap is all there is.
    mi_heap_visit_blocks(
        mi_heap_get_default(), false,
        [](const mi_heap_t*, const mi_heap_area_t* area, void*, std::size_t, void* out) {
            auto* total = static_cast<HeapUse*>(out);
            total->bytes += area->used * area->full_block_size;
            total->blocks += area->used;
            return true;
        },
        &use);
    return use;
}

#else

HeapUse heap_in_use() noexcept {
    const struct mallinfo2 info = mallinfo2();
    return {info.uordblks + info.hblkhd, 0};
}

#endif

std::uint64_t resident_bytes() noexcept {
    std::uint64_t pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
        if (std::fscanf(file, "%*u %lu", &pages) != 1) {
            pages = 0;
        }
        std::fclose(file);
    }
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace arbiter::bench
