// The hash of bytes under everything else: XXH3, the same on every machine.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace arbiter::value::internal {

inline std::uint64_t hash_bytes(std::string_view bytes) noexcept {
    return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace arbiter::value::internal
