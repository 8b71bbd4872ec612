#include "net/address.h"

#include <arpa/inet.h>
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "net/http.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace arbiter::net {
namespace {

constexpr std::size_t kNameBytesMax = 253;  // of a host name in the DNS

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (text.empty() || code != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return port;
}

bool is_ipv6(const std::string& text) {
    in6_addr address{};
    return inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

bool is_ipv4(const std::string& text) {
    in_addr address{};
    return inet_pton(AF_INET, text.c_str(), &address) == 1;
}

// A dotted address of four numbers, or a name that is not a number in disguise (0x7f.1, 127.1).
bool is_host_name(const std::string& text) {
    if (is_ipv4(text)) {
        return true;
    }
    const bool has_only_allowed = std::ranges::all_of(text, [](char c) {
        return text::is_letter(c) || text::is_digit(c) || c == '-' || c == '.' || c == '_';
    });
    if (text.empty() || text.size() > kNameBytesMax || !has_only_allowed || text.front() == '.' ||
        text.front() == '-' || text.contains("..")) {
        return false;
    }
    std::string_view last = text;
    last = last.ends_with('.') ? last.substr(0, last.size() - 1) : last;
    last = last.substr(last.rfind('.') + 1);
    return !last.empty() && !text::is_digit(last.front());
}

struct HostAndPort {
    std::string host;
    std::optional<std::string_view> port;  // the text behind the colon
};

std::optional<HostAndPort> split_authority(std::string_view text) {
    HostAndPort parts;
    std::string_view rest;
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        parts.host = text.substr(1, end - 1);
        rest = text.substr(end + 1);
        if (!is_ipv6(parts.host)) {
            return std::nullopt;
        }
    } else {
        const std::size_t colon = std::min(text.find(':'), text.size());
        parts.host = text.substr(0, colon);
        rest = text.substr(colon);
        if (!is_host_name(parts.host)) {
            return std::nullopt;
        }
    }
    std::ranges::transform(parts.host, parts.host.begin(), text::to_lower);
    if (!rest.empty()) {
        if (rest.front() != ':') {
            return std::nullopt;
        }
        parts.port = rest.substr(1);
    }
    return parts;
}

std::string bracketed(const std::string& host) {
    return host.contains(':') ? "[" + host + "]" : host;
}

std::uint16_t default_port(bool is_tls) {
    return is_tls ? 443 : 80;
}

bool starts_with_scheme(std::string_view text, std::string_view scheme) {
    return is_same_name(text.substr(0, scheme.size()), scheme);
}

}  // namespace

base::Result<Address> parse_address(std::string_view text) {
    const auto malformed = base::fail(base::ErrorCode::kAddressMalformed, {text::repair(text)});
    std::optional<HostAndPort> parts = split_authority(text);
    if (!parts || !parts->port) {
        return malformed;
    }
    const std::optional<std::uint16_t> port = parse_port(*parts->port);
    if (!port) {
        return malformed;
    }
    return Address{std::move(parts->host), *port};
}

std::string print_address(const Address& address) {
    return bracketed(address.host) + ":" + std::to_string(address.port);
}

base::Result<Url> parse_url(std::string_view text) {
    const auto malformed = [&](std::string reason) {
        return base::fail(base::ErrorCode::kUrlMalformed, {text::repair(text), std::move(reason)});
    };
    constexpr std::string_view kPlain = "http://";
    constexpr std::string_view kTls = "https://";
    Url url;
    url.is_tls = starts_with_scheme(text, kTls);
    if (!url.is_tls && !starts_with_scheme(text, kPlain)) {
        return malformed("it must begin with http:// or https://");
    }
    const bool is_printable =
        std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
    if (!is_printable) {
        return malformed("blanks and characters beyond ASCII have to be escaped");
    }
    if (text.contains('#')) {
        return malformed("it has a fragment (#)");
    }
    const std::string_view rest = text.substr(url.is_tls ? kTls.size() : kPlain.size());
    const std::size_t path = std::min(rest.find_first_of("/?"), rest.size());
    const std::string_view authority = rest.substr(0, path);
    if (authority.contains('@')) {
        return malformed("it has a user name (@)");
    }
    std::optional<HostAndPort> parts = split_authority(authority);
    if (!parts) {
        return malformed("its host is not a name or an address");
    }
    url.host = std::move(parts->host);
    url.port = default_port(url.is_tls);
    if (parts->port) {
        const std::optional<std::uint16_t> port = parse_port(*parts->port);
        if (!port || *port == 0) {
            return malformed("its port is not a number from 1 to 65535");
        }
        url.port = *port;
    }
    url.path = rest.substr(path);
    if (url.path.starts_with('?')) {
        url.path.insert(0, "/");
    }
    while (url.path.ends_with('/')) {
        url.path.pop_back();
    }
    return url;
}

std::string authority_of(const Url& url) {
    const std::string host = bracketed(url.host);
    return url.port == default_port(url.is_tls) ? host : host + ":" + std::to_string(url.port);
}

bool is_loopback(std::string_view host) noexcept {
    return host == "::1" || is_same_name(host, "localhost") ||
           (host.starts_with("127.") && is_ipv4(std::string(host)));
}

}  // namespace arbiter::net
