// Digest: SHA-256, which identifies turns and texts, and compression of stored bytes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

struct evp_md_ctx_st;  // of OpenSSL

namespace arbiter::ledger {

struct Digest {
    std::array<std::uint8_t, 32> bytes = {};

    [[nodiscard]] std::string hex() const;
    // The first digits, for messages.
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

// The digest of a text that comes in parts.
class Sha256 {
  public:
    Sha256();
    void update(std::string_view bytes);
    // Nothing may be added afterwards.
    Digest finish();

  private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const noexcept;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// Compresses with zstd, unless that is not shorter.
std::string pack(std::string_view bytes);
// Fails with kCorrupt if pack() did not make it, or if the result is larger than `bytes_max`.
// Earlier versions packed the parts of records with a dictionary.
base::Result<std::string> unpack(std::string_view packed, std::size_t bytes_max,
                                 std::string_view dictionary = {});

}  // namespace arbiter::ledger
