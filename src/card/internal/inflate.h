// Decompression of zlib streams (RFC 1950 and 1951) and CRC-32 without a library. Pure.
//
// Slower than zlib; its twin in tests, and its replacement where there is no zlib.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace arbiter::card::internal {

struct Inflated {
    enum class Status : std::uint8_t {
        kDone,
        kBroken,  // not a zlib stream, truncated, or the checksum is wrong
        kTooLong  // more than the allowed bytes
    };
    Status status = Status::kBroken;
    std::string text = {};  // only for kDone
};
Inflated inflate_plain(std::string_view packed, std::size_t bytes_max);
// The same for a stream without its frame (RFC 1951 alone), as zip has them.
Inflated inflate_raw_plain(std::string_view packed, std::size_t bytes_max);

std::uint32_t crc32_plain(std::string_view bytes) noexcept;

}  // namespace arbiter::card::internal
