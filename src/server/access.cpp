#include "server/access.h"

#include <algorithm>

#include "text/split.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::string_view kLocalHosts[] = {"localhost", "127.0.0.1", "::1"};
// A header that a proxy adds. It never gives rights; a local request with one is not local.
constexpr std::string_view kForwarding[] = {"forwarded",
                                            "x-forwarded-for",
                                            "x-forwarded-host",
                                            "x-forwarded-proto",
                                            "x-forwarded-user",
                                            "x-real-ip",
                                            "via",
                                            "cf-connecting-ip",
                                            "x-original-host",
                                            "x-client-ip",
                                            "true-client-ip",
                                            "x-remote-user",
                                            "x-forwarded-email",
                                            "remote-user"};

std::size_t count(const net::Headers& headers, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::count_if(
        headers, [&](const net::Header& field) { return net::is_same_name(field.name, name); }));
}

bool is_safe(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// The same spelling for every text of one IP address.
bool is_same_host(std::string_view left, std::string_view right) {
    if (net::is_same_name(left, right)) {
        return true;
    }
    const auto address = parse_ip(left);
    return address && address == parse_ip(right);
}

// "host[:port]" and nothing else.
std::optional<net::Url> parse_authority(std::string_view text, bool is_tls) {
    if (text.empty() || text.find_first_of("/?#@\\ \t,;%") != std::string_view::npos) {
        return std::nullopt;
    }
    auto url = net::parse_url((is_tls ? "https://" : "http://") + std::string(text));
    return url && url->path.empty() ? std::optional(*std::move(url)) : std::nullopt;
}

// "scheme://host[:port]" and nothing else; "null" is the origin of pages without one.
std::optional<net::Url> parse_origin(std::string_view text) {
    const std::size_t scheme = text.find("://");
    if (scheme == std::string_view::npos ||
        text.find_first_of("/?#@\\ \t,;%", scheme + 3) != std::string_view::npos) {
        return std::nullopt;
    }
    auto url = net::parse_url(text);
    return url && url->path.empty() ? std::optional(*std::move(url)) : std::nullopt;
}

bool is_same_origin(const net::Url& left, const net::Url& right) {
    return left.is_tls == right.is_tls && left.port == right.port &&
           is_same_host(left.host, right.host);
}

bool is_forwarded(const net::Headers& headers) {
    return std::ranges::any_of(
        kForwarding, [&](std::string_view name) { return headers.find(name) != nullptr; });
}

std::unexpected<base::Error> bad(std::string_view option, std::string_view text,
                                 std::string_view valid) {
    return base::fail(ErrorCode::kBadParameter,
                      {std::string(option), std::string(text), std::string(valid)});
}

// The text behind "Bearer "; nothing if the field has another form.
std::optional<std::string_view> bearer_of(std::string_view field) {
    field = trimmed(field);
    const std::size_t blank = field.find(' ');
    if (blank == std::string_view::npos || !net::is_same_name(field.substr(0, blank), "bearer")) {
        return std::nullopt;
    }
    return trimmed(field.substr(blank));
}

}  // namespace

Result<Access> Access::make(const AccessOptions& options, Tokens tokens, Clock clock) {
    Access access(std::move(tokens), std::move(clock));
    access.is_tls_ = options.is_tls;
    access.hosts_.assign(std::begin(kLocalHosts), std::end(kLocalHosts));
    const auto listen = parse_ip(options.listen.host);
    access.is_any_ = listen && listen->is_any();
    if (!access.is_any_ && !options.listen.host.empty()) {
        access.hosts_.push_back(options.listen.host);
    }
    for (const std::string& each : options.allow_hosts) {
        // An IPv6 address may be written without brackets.
        const auto host = parse_ip(each) ? std::optional(net::Url{false, each, 80, {}})
                                         : parse_authority(each, false);
        if (!host) {
            return bad("allow_hosts", each, "play.example.org, 192.0.2.7");
        }
        access.hosts_.push_back(host->host);
    }
    for (const std::string& each : options.allow_origins) {
        const auto origin = parse_origin(each);
        if (!origin) {
            return bad("allow_origins", each, "https://play.example.org");
        }
        access.origins_.push_back(*origin);
    }
    for (const std::string& each : options.trusted_proxies) {
        const auto network = IpNetwork::parse(each);
        if (!network) {
            return bad("trusted_proxies", each, "10.0.0.1, 10.0.0.0/8, fd00::/8");
        }
        access.trusted_.push_back(*network);
    }
    return access;
}

bool Access::is_trusted(std::string_view peer) const {
    if (trusted_.empty()) {
        return false;
    }
    const auto address = parse_ip(peer);
    return address && std::ranges::any_of(trusted_, [&](const IpNetwork& network) {
               return network.contains(*address);
           });
}

bool Access::is_host_allowed(const net::Url& host) const {
    // Most senders write the name as it is here.
    const auto is_named = [&](const std::string& each) {
        return net::is_same_name(each, host.host);
    };
    const auto is_same = [&](const std::string& each) { return is_same_host(each, host.host); };
    return std::ranges::any_of(hosts_, is_named) || (is_any_ && parse_ip(host.host)) ||
           std::ranges::any_of(hosts_, is_same);
}

bool Access::is_tls(const net::Request& head, std::string_view peer) const {
    const std::string* proto = head.headers.find("x-forwarded-proto");
    if (proto != nullptr && count(head.headers, "x-forwarded-proto") == 1 && is_trusted(peer)) {
        return net::is_same_name(trimmed(*proto), "https");
    }
    return is_tls_;
}

bool Access::is_origin_allowed(std::string_view text) const {
    const auto origin = parse_origin(text);
    return origin && std::ranges::any_of(origins_, [&](const net::Url& each) {
               return is_same_origin(each, *origin);
           });
}

Result<net::Url> Access::check_host(const net::Request& head, std::string_view peer) const {
    const std::string* written = head.headers.find("host");
    const auto host = written != nullptr && count(head.headers, "host") == 1
                          ? parse_authority(*written, is_tls(head, peer))
                          : std::nullopt;
    if (!host || !is_host_allowed(*host)) {
        return base::fail(ErrorCode::kHostRefused, {written != nullptr ? *written : "(none)"});
    }
    return *host;
}

Result<> Access::check_origin(const net::Request& head, const net::Url& own) const {
    const net::Headers& headers = head.headers;
    const auto refused = [](std::string_view text) {
        return base::fail(ErrorCode::kOriginRefused, {std::string(text)});
    };
    if (const std::string* text = headers.find("origin")) {
        const auto origin = parse_origin(*text);
        const bool is_own = origin && is_same_origin(*origin, own);
        return count(headers, "origin") == 1 && (is_own || is_origin_allowed(*text))
                   ? Result<>()
                   : refused(*text);
    }
    // Pages load pictures and scripts of others without an Origin. Browsers say so here, and a page
    // cannot change it. Following a link to this server is the person's own doing.
    const std::string* site = headers.find("sec-fetch-site");
    if (site != nullptr && *site != "same-origin" && *site != "none") {
        const std::string* mode = headers.find("sec-fetch-mode");
        const bool is_link = mode != nullptr && *mode == "navigate" && is_safe(head.method);
        if (!is_link) {
            return refused(*site);
        }
    }
    // Old browsers leave out the Origin of forms.
    const std::string* referer = headers.find("referer");
    if (!is_safe(head.method) && referer != nullptr) {
        const auto page = net::parse_url(*referer);
        if (!page || !is_same_origin(*page, own)) {
            return refused(*referer);
        }
    }
    return {};
}

Result<> Access::admit_public(const net::Request& head, std::string_view peer) const {
    const auto own = check_host(head, peer);
    return own ? check_origin(head, *own) : std::unexpected(own.error());
}

Result<Principal> Access::admit(const net::Request& head, std::string_view peer,
                                bool peer_is_loopback) const {
    const auto own = check_host(head, peer);
    if (!own) {
        return std::unexpected(own.error());
    }
    if (auto page = check_origin(head, *own); !page) {
        return std::unexpected(std::move(page).error());
    }
    const auto tokens = tokens_();
    if (!tokens) {
        return base::fail(ErrorCode::kOverloaded);
    }
    if (!tokens->any()) {
        const bool is_local = peer_is_loopback && net::is_loopback(own->host) &&
                              !is_trusted(peer) && !is_forwarded(head.headers);
        return is_local ? Result<Principal>(Principal{Scope::kAdmin, {}, {}})
                        : base::fail(ErrorCode::kTokenMissing);
    }
    const std::string* field = head.headers.find("authorization");
    if (field == nullptr) {
        return base::fail(ErrorCode::kTokenMissing);
    }
    const auto text = bearer_of(*field);
    const Token* token =
        text && count(head.headers, "authorization") == 1 ? tokens->find(*text, clock_()) : nullptr;
    if (token == nullptr) {
        return base::fail(ErrorCode::kTokenRefused);
    }
    return Principal{token->scope, token->campaigns, token->name};
}

std::string Access::client_of(const net::Request& head, std::string_view peer) const {
    if (!is_trusted(peer)) {
        return std::string(peer);
    }
    // Each proxy appends the address that it saw: the last one that no trusted proxy has is the
    // sender's. What is before it may be invented.
    std::vector<std::string_view> told;
    for (const net::Header& field : head.headers) {
        if (net::is_same_name(field.name, "x-forwarded-for")) {
            const auto more = text::split(field.value, ", \t");
            told.insert(told.end(), more.begin(), more.end());
        }
    }
    std::string_view client = peer;
    for (auto each = told.rbegin(); each != told.rend() && is_trusted(client); ++each) {
        if (!parse_ip(*each)) {
            break;
        }
        client = *each;
    }
    return std::string(client);
}

std::optional<net::Response> Access::preflight(const net::Request& head) const {
    const std::string* origin = head.headers.find("origin");
    if (head.method != "OPTIONS" || origin == nullptr || !is_origin_allowed(*origin) ||
        head.headers.find("access-control-request-method") == nullptr || !check_host(head, {})) {
        return std::nullopt;
    }
    net::Response response{.status = 204};
    add_cors(head, response.headers);
    response.headers.set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE");
    response.headers.set("Access-Control-Allow-Headers",
                         "Authorization, Content-Type, Accept-Language, If-Match, If-None-Match, "
                         "Idempotency-Key, Last-Event-ID, X-Arbiter-Campaign, X-Arbiter-Chat");
    response.headers.set("Access-Control-Max-Age", "600");
    return response;
}

void Access::add_cors(const net::Request& head, net::Headers& headers) const {
    if (origins_.empty()) {
        return;
    }
    // Caches must not give an answer for one origin to another.
    headers.add("Vary", "Origin");
    const std::string* origin = head.headers.find("origin");
    if (origin == nullptr || count(head.headers, "origin") != 1 || !is_origin_allowed(*origin)) {
        return;
    }
    headers.set("Access-Control-Allow-Origin", *origin);
    headers.set("Access-Control-Expose-Headers",
                "ETag, Location, Retry-After, X-Request-Id, X-Arbiter-Campaign, X-Arbiter-Turn");
}

std::optional<base::Error> listen_refusal(const net::Address& address, bool has_tokens) {
    if (has_tokens || net::is_loopback(address.host)) {
        return std::nullopt;
    }
    return base::Error(ErrorCode::kListenNeedsTokens, {net::print_address(address)});
}

}  // namespace arbiter::server
