#include "card/internal/zlib.h"

namespace arbiter::card::internal {

std::uint32_t crc32_of(std::string_view bytes) noexcept {
    return crc32_plain(bytes);
}

Inflated inflate_zlib(std::string_view packed, std::size_t bytes_max) {
    return inflate_plain(packed, bytes_max);
}

Inflated inflate_raw(std::string_view packed, std::size_t bytes_max) {
    return inflate_raw_plain(packed, bytes_max);
}

}  // namespace arbiter::card::internal
