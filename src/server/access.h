// Access: whether a request is admitted, and as whom.
//
// In this order: the Host field must name this server, which keeps out pages that make a name of
// theirs point to it (DNS rebinding). A request of a web page must come from a page of this server
// or of a configured origin. Then a bearer token says what it may do; cookies, query parameters and
// other headers never do. A store without tokens admits local requests as admin: from this machine,
// to a local name, and not handed on by a proxy.
//
// X-Forwarded-For is read only from proxies that the configuration trusts. Thread-safe: nothing
// changes after construction but the tokens.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/instant.h"
#include "net/address.h"
#include "net/http.h"
#include "server/internal/ip_network.h"
#include "server/principal.h"
#include "server/tokens.h"

namespace arbiter::server {

struct AccessOptions {
    net::Address listen = {};  // the address of the server
    bool is_tls = false;
    // Beside localhost, 127.0.0.1, [::1] and the address to listen on. If that stands for all
    // addresses of the machine (0.0.0.0), every IP address is accepted: a page can make a name
    // point elsewhere, not an address.
    std::vector<std::string> allow_hosts = {};
    std::vector<std::string> allow_origins = {};    // "https://play.example.org"
    std::vector<std::string> trusted_proxies = {};  // addresses and networks: "10.0.0.0/8"
};

class Access {
  public:
    // The present tokens; nothing while they cannot be known (TokenCache::list()).
    using Tokens = std::function<std::shared_ptr<const TokenList>()>;
    using Clock = std::function<engine::Instant()>;

    // Fails with kBadParameter for an option that cannot be read.
    static base::Result<Access> make(const AccessOptions& options, Tokens tokens, Clock clock);

    // Fails with kHostRefused, kOriginRefused, kTokenMissing, kTokenRefused, or kOverloaded while
    // the tokens cannot be known.
    [[nodiscard]] base::Result<Principal> admit(const net::Request& head, std::string_view peer,
                                                bool peer_is_loopback) const;
    // For routes that are open to all: the same without a token.
    [[nodiscard]] base::Result<> admit_public(const net::Request& head,
                                              std::string_view peer) const;

    // The address of the sender: that of the peer, or the one that trusted proxies report.
    [[nodiscard]] std::string client_of(const net::Request& head, std::string_view peer) const;

    // The answer to the question of a browser whether a page of a configured origin may send a
    // request; nothing if the request is not such a question, or the origin is another.
    [[nodiscard]] std::optional<net::Response> preflight(const net::Request& head) const;
    // Lets a page of a configured origin read the answer.
    void add_cors(const net::Request& head, net::Headers& headers) const;

  private:
    Access(Tokens tokens, Clock clock) : tokens_(std::move(tokens)), clock_(std::move(clock)) {}

    [[nodiscard]] bool is_trusted(std::string_view peer) const;
    [[nodiscard]] bool is_host_allowed(const net::Url& host) const;
    [[nodiscard]] bool is_tls(const net::Request& head, std::string_view peer) const;
    [[nodiscard]] bool is_origin_allowed(std::string_view origin) const;
    // The name and port by which the sender reached this server.
    [[nodiscard]] base::Result<net::Url> check_host(const net::Request& head,
                                                    std::string_view peer) const;
    [[nodiscard]] base::Result<> check_origin(const net::Request& head, const net::Url& own) const;

    Tokens tokens_;
    Clock clock_;
    bool is_tls_ = false;
    bool is_any_ = false;  // listens on all addresses of the machine
    std::vector<std::string> hosts_;
    std::vector<net::Url> origins_;
    std::vector<IpNetwork> trusted_;
};

// An address that others can reach is refused as long as there is no token: kListenNeedsTokens.
std::optional<base::Error> listen_refusal(const net::Address& address, bool has_tokens);

}  // namespace arbiter::server
