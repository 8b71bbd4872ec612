// The algorithms of zlib that PNG and zip need. zlib_native.cpp uses the library; zlib_plain.cpp,
// for WebAssembly, uses inflate.h. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "card/internal/inflate.h"

namespace arbiter::card::internal {

std::uint32_t crc32_of(std::string_view bytes) noexcept;

// Decompresses a zlib stream (RFC 1950) of at most `bytes_max` bytes. Bytes behind the stream are
// ignored.
Inflated inflate_zlib(std::string_view packed, std::size_t bytes_max);
// The same for a stream without its frame (RFC 1951).
Inflated inflate_raw(std::string_view packed, std::size_t bytes_max);

}  // namespace arbiter::card::internal
