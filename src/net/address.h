// Addresses to listen on, and URLs of servers. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbiter::net {

struct Address {
    std::string host;  // an IP address (IPv6 without brackets) or a name
    std::uint16_t port = 0;
    friend bool operator==(const Address&, const Address&) = default;
};
// "127.0.0.1:7777", "[::1]:0", "localhost:80". kAddressMalformed otherwise.
base::Result<Address> parse_address(std::string_view text);
// The same text again.
[[nodiscard]] std::string print_address(const Address& address);

struct Url {
    bool is_tls = false;
    std::string host;  // in lower case; IPv6 without brackets
    std::uint16_t port = 0;
    std::string path;  // raw, without a '/' at its end; a query stays with it
    friend bool operator==(const Url&, const Url&) = default;
};
// http and https only; the port defaults to 80 and 443. User info, fragments and characters that
// have to be escaped are kUrlMalformed.
base::Result<Url> parse_url(std::string_view text);
// The value of the Host field: the port only if it is not the default.
[[nodiscard]] std::string authority_of(const Url& url);

// True for 127.0.0.0/8, ::1 and the name localhost.
[[nodiscard]] bool is_loopback(std::string_view host) noexcept;

}  // namespace arbiter::net
