// Digest: SHA-256, by which turns and texts are known, and packing of what is kept.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbiter::ledger {

struct Digest {
    std::array<std::uint8_t, 32> bytes = {};

    [[nodiscard]] std::string hex() const;
    // As many digits as people read.
    [[nodiscard]] std::string brief() const { return hex().substr(0, 10); }
    [[nodiscard]] std::string_view view() const noexcept {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    static std::optional<Digest> from_hex(std::string_view text) noexcept;
    static std::optional<Digest> from_bytes(std::string_view bytes) noexcept;

    friend bool operator==(const Digest&, const Digest&) = default;
    friend auto operator<=>(const Digest&, const Digest&) = default;
};

Digest sha256(std::string_view bytes);

// Packed with zstd where that is shorter. `known` is a text that much of it repeats, and that
// unpack() needs again.
std::string pack(std::string_view bytes, std::string_view known = {});
// Fails with kCorrupt on what pack() did not make, or what would be larger than `bytes_max`.
base::Result<std::string> unpack(std::string_view packed, std::size_t bytes_max,
                                 std::string_view known = {});

}  // namespace arbiter::ledger
