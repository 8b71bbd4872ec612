#include "server/internal/ip_network.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace arbiter::server {
namespace {

constexpr std::array<std::uint8_t, 12> kV4Prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

}  // namespace

bool IpAddress::is_v4() const noexcept {
    return std::equal(kV4Prefix.begin(), kV4Prefix.end(), bytes.begin());
}

bool IpAddress::is_any() const noexcept {
    return *this == IpAddress() || (is_v4() && std::all_of(bytes.begin() + 12, bytes.end(),
                                                           [](auto byte) { return byte == 0; }));
}

std::optional<IpAddress> parse_ip(std::string_view text) {
    const std::string copy(text);  // with its end; inet_pton takes no other spelling than the plain
    if (copy.find('\0') != std::string::npos) {
        return std::nullopt;
    }
    IpAddress address;
    if (inet_pton(AF_INET6, copy.c_str(), address.bytes.data()) == 1) {
        return address;
    }
    std::copy(kV4Prefix.begin(), kV4Prefix.end(), address.bytes.begin());
    return inet_pton(AF_INET, copy.c_str(), address.bytes.data() + 12) == 1 ? std::optional(address)
                                                                            : std::nullopt;
}

std::optional<IpNetwork> IpNetwork::parse(std::string_view text) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const auto address = parse_ip(text.substr(0, slash));
    if (!address) {
        return std::nullopt;
    }
    IpNetwork network;
    network.address_ = *address;
    if (slash < text.size()) {
        const std::string_view digits = text.substr(slash + 1);
        const char* const last = digits.data() + digits.size();
        int bits = 0;
        // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): `last` bounds the text
        const auto [end, error] = std::from_chars(digits.data(), last, bits);
        const int bits_max = address->is_v4() ? 32 : 128;
        if (error != std::errc() || end != last || bits < 0 || bits > bits_max) {
            return std::nullopt;
        }
        network.bits_ = bits + (128 - bits_max);
    }
    return network;
}

bool IpNetwork::contains(const IpAddress& address) const noexcept {
    int left = bits_;
    for (std::size_t i = 0; i < address.bytes.size() && left > 0; ++i, left -= 8) {
        const auto mask = static_cast<std::uint8_t>(left >= 8 ? 0xFF : 0xFF << (8 - left));
        if (((address.bytes[i] ^ address_.bytes[i]) & mask) != 0) {
            return false;
        }
    }
    return true;
}

std::string network_of_host(std::string_view address) {
    const auto parsed = parse_ip(address);
    if (!parsed) {
        return std::string(address);
    }
    const auto* const first = reinterpret_cast<const char*>(parsed->bytes.data());
    return parsed->is_v4() ? std::string(first + 12, 4) : std::string(first, 8);
}

}  // namespace arbiter::server
