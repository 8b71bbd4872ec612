// IpNetwork: addresses and networks of IPv4 and IPv6. Only plain spellings are read: four decimal
// numbers, or IPv6 without a zone. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace arbiter::server {

// As IPv6; an IPv4 address as ::ffff:a.b.c.d, so that both spellings of it are one.
struct IpAddress {
    std::array<std::uint8_t, 16> bytes = {};

    [[nodiscard]] bool is_v4() const noexcept;
    // 0.0.0.0 or ::, which stand for all addresses of the machine.
    [[nodiscard]] bool is_any() const noexcept;
    friend bool operator==(const IpAddress&, const IpAddress&) = default;
};
std::optional<IpAddress> parse_ip(std::string_view text);

class IpNetwork {
  public:
    // "10.0.0.0/8", "fd00::/8", or one address.
    static std::optional<IpNetwork> parse(std::string_view text);
    [[nodiscard]] bool contains(const IpAddress& address) const noexcept;

  private:
    IpAddress address_;
    int bits_ = 128;  // of the address that count
};

// The key that identifies a host: an IPv4 address itself, the /64 network of an IPv6
// address; any other text itself.
std::string network_of_host(std::string_view address);

}  // namespace arbiter::server
