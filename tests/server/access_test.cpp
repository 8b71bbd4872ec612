// Goal: only requests that name this server, come from no foreign page and carry a valid token are
// admitted. Method: the request shapes of published attacks (DNS rebinding, cross-site requests,
// trusted headers), and many spellings of hosts and origins (S1–S3 of the security list).
#include "server/access.h"

#include <gtest/gtest.h>

namespace arbiter::server {
namespace {

using base::ErrorCode;

constexpr std::string_view kLocal = "127.0.0.1";

net::Request request(std::string host, net::Headers more = {}, std::string method = "GET") {
    net::Request made;
    made.method = std::move(method);
    made.path = "/api/v1/campaigns";
    made.headers = std::move(more);
    made.headers.add("host", std::move(host));
    return made;
}

class AccessTest : public testing::Test {
  protected:
    Access make(AccessOptions options = {}) {
        if (options.listen.host.empty()) {
            options.listen = {"127.0.0.1", 7777};
        }
        return Access::make(options, [this] { return tokens_; }, [this] { return now_; }).value();
    }
    // Makes a token and gives its text.
    std::string token(Scope scope, std::vector<std::string> campaigns = {}) {
        Token wanted;
        wanted.name = std::string(name(scope)) + std::to_string(campaigns.size());
        wanted.scope = scope;
        wanted.campaigns = std::move(campaigns);
        wanted.expires = 2000;
        const std::string text(create_token(*store_, wanted)->reveal());
        reload();
        return text;
    }
    void reload() { tokens_ = std::make_shared<const TokenList>(load_tokens(*store_).value()); }
    static ErrorCode refusal(const Access& access, const net::Request& head,
                             std::string_view peer = kLocal) {
        const auto admitted = access.admit(head, peer, net::is_loopback(peer));
        return admitted ? ErrorCode::kCount : admitted.error().code;
    }

    std::unique_ptr<ledger::Store> store_ = ledger::open_store("memory:").value();
    std::shared_ptr<const TokenList> tokens_ = std::make_shared<const TokenList>();
    engine::Instant now_ = 1000;
};

TEST_F(AccessTest, WithoutTokensLocalRequestsAreAdmin) {
    const Access access = make();
    for (const char* host : {"127.0.0.1:7777", "localhost:7777", "localhost", "LOCALHOST:7777",
                             "[::1]:7777", "127.0.0.1", "localhost:8080"}) {
        const auto admitted = access.admit(request(host), kLocal, true);
        ASSERT_TRUE(admitted) << host;
        EXPECT_EQ(admitted->scope, Scope::kAdmin);
        EXPECT_TRUE(admitted->token.empty());
        EXPECT_TRUE(admitted->may(Scope::kAdmin, "any"));
    }
    // A client that insists on sending some key.
    EXPECT_TRUE(
        access.admit(request("localhost", {{"authorization", "Bearer sk-x"}}), kLocal, true));
    EXPECT_EQ(refusal(access, request("127.0.0.1:7777"), "192.0.2.9"), ErrorCode::kTokenMissing);
}

// SillyTavern, CVE-2025-59159: a page whose name was made to point to 127.0.0.1.
TEST_F(AccessTest, HostsOfOthersAreRefused) {
    const Access access = make();
    for (const char* host : {"evil.example",
                             "evil.example:7777",
                             "localhost.evil.example",
                             "127.0.0.1.nip.io",
                             "127.0.0.1.evil.example:7777",
                             "localhost.",
                             "localhost.:7777",
                             "notlocalhost",
                             "localhost@evil.example",
                             "evil.example@localhost",
                             "127.0.0.1:7777@evil.example",
                             "localhost#evil.example",
                             "localhost/evil",
                             "localhost?x",
                             "localhost\\evil",
                             "localhost, evil.example",
                             "localhost evil.example",
                             "evil.example localhost",
                             "127.1",
                             "127.0.1",
                             "2130706433",
                             "0x7f000001",
                             "0177.0.0.1",
                             "0x7f.0.0.1",
                             "127.0.0.01",
                             "127.0.0.1:",
                             "127.0.0.1:99999",
                             "127.0.0.1:x",
                             "[::1",
                             "::1",
                             "[::1]evil",
                             "[::1%25lo]",
                             "[fe80::1]",
                             "0.0.0.0",
                             "0.0.0.0:7777",
                             "[::]",
                             "169.254.169.254",
                             "192.168.1.1",
                             "127.0.0.2",
                             "",
                             " ",
                             ":7777",
                             "*",
                             "%6cocalhost",
                             "ｌocalhost",
                             "localhost\t",
                             "foo.localhost",
                             "host.docker.internal",
                             "127.0.0.1;x"}) {
        EXPECT_EQ(refusal(access, request(host)), ErrorCode::kHostRefused) << host;
        EXPECT_EQ(access.admit_public(request(host), kLocal).error().code, ErrorCode::kHostRefused)
            << host;
    }
    net::Request none = request("x");
    none.headers.erase("host");
    EXPECT_EQ(refusal(access, none), ErrorCode::kHostRefused);
    net::Request two = request("localhost");
    two.headers.add("Host", "evil.example");
    EXPECT_EQ(refusal(access, two), ErrorCode::kHostRefused);
    // Only Host counts.
    EXPECT_EQ(refusal(access, request("evil.example", {{"x-forwarded-host", "localhost"}})),
              ErrorCode::kHostRefused);
}

TEST_F(AccessTest, MoreHostsAreConfigured) {
    const std::string text = token(Scope::kRead);
    const net::Headers bearer = {{"authorization", "Bearer " + text}};
    const Access named =
        make({.listen = {"192.0.2.7", 7777},
              .allow_hosts = {"Play.Example.org", "2001:db8::1", "[2001:db8::2]"}});
    for (const char* host : {"play.example.org", "PLAY.example.org:443", "192.0.2.7:7777",
                             "localhost", "[2001:db8::1]", "[2001:DB8:0::2]:7777"}) {
        EXPECT_TRUE(named.admit(request(host, bearer), "192.0.2.9", false)) << host;
    }
    for (const char* host : {"example.org", "a.play.example.org", "play.example.org.evil.example",
                             "192.0.2.8", "[2001:db8::3]"}) {
        EXPECT_EQ(refusal(named, request(host, bearer)), ErrorCode::kHostRefused) << host;
    }
    // On all addresses of the machine, any address but no name.
    for (const char* any : {"0.0.0.0", "::"}) {
        const Access access = make({.listen = {any, 7777}});
        for (const char* host : {"192.168.1.5:7777", "[2001:db8::9]:7777", "localhost"}) {
            EXPECT_TRUE(access.admit(request(host, bearer), "192.0.2.9", false)) << host;
        }
        EXPECT_EQ(refusal(access, request("evil.example", bearer)), ErrorCode::kHostRefused);
        EXPECT_EQ(refusal(access, request("192.168.257.5", bearer)), ErrorCode::kHostRefused);
    }
    for (const char* wrong : {"", "*", "http://x", "a b", "x/y", "x@y"}) {
        EXPECT_FALSE(Access::make({.allow_hosts = {wrong}}, nullptr, nullptr)) << wrong;
    }
}

TEST_F(AccessTest, PagesOfOthersAreRefused) {
    const Access access = make();
    const std::string host = "localhost:7777";
    for (const char* method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
        for (const char* origin :
             {"http://localhost:7777", "http://LOCALHOST:7777", "HTTP://localhost:7777"}) {
            EXPECT_EQ(refusal(access, request(host, {{"origin", origin}}, method)),
                      ErrorCode::kCount)
                << origin;
        }
        for (const char* origin : {"http://evil.example",
                                   "https://evil.example:7777",
                                   "null",
                                   "",
                                   "http://localhost",
                                   "http://localhost:8000",
                                   "https://localhost:7777",
                                   "http://127.0.0.1:7777",
                                   "http://localhost:7777.evil.example",
                                   "http://localhost:7777@evil.example",
                                   "http://evil.example/localhost:7777",
                                   "http://localhost:7777/",
                                   "file://",
                                   "http://localhost:7777 http://evil.example",
                                   "localhost:7777",
                                   "//localhost:7777",

                                   "http://[::1]:7777",
                                   "http://localhost.:7777",
                                   "chrome-extension://abc",
                                   "moz-extension://abc",
                                   "ws://localhost:7777",
                                   "http://localhost%3a7777",
                                   "*",
                                   "http://*",
                                   "https://localhost",
                                   "http://localhost:7777,http://evil.example",
                                   "http://user@localhost:7777"}) {
            EXPECT_EQ(refusal(access, request(host, {{"origin", origin}}, method)),
                      ErrorCode::kOriginRefused)
                << method << " " << origin;
        }
    }
    EXPECT_EQ(refusal(access, request(host, {{"origin", "http://localhost:7777"},
                                             {"origin", "http://evil.example"}})),
              ErrorCode::kOriginRefused);
    // The origin must be that of the Host of this request, not of any name of the server.
    EXPECT_EQ(refusal(access, request("127.0.0.1:7777", {{"origin", "http://localhost:7777"}})),
              ErrorCode::kOriginRefused);
    EXPECT_EQ(refusal(access, request("localhost", {{"origin", "http://localhost"}})),
              ErrorCode::kCount);
    EXPECT_EQ(refusal(access, request("localhost:80", {{"origin", "http://localhost"}})),
              ErrorCode::kCount);
}

TEST_F(AccessTest, RequestsWithoutAnOriginButOfForeignPagesAreRefused) {
    const Access access = make();
    const auto code = [&](net::Headers headers, const char* method) {
        return refusal(access, request("localhost:7777", std::move(headers), method));
    };
    for (const char* site : {"cross-site", "same-site", "whatever"}) {
        // Pictures, scripts, forms.
        EXPECT_EQ(code({{"sec-fetch-site", site}, {"sec-fetch-mode", "no-cors"}}, "GET"),
                  ErrorCode::kOriginRefused);
        EXPECT_EQ(code({{"sec-fetch-site", site}}, "GET"), ErrorCode::kOriginRefused);
        EXPECT_EQ(code({{"sec-fetch-site", site}, {"sec-fetch-mode", "navigate"}}, "POST"),
                  ErrorCode::kOriginRefused);
        // A link.
        EXPECT_EQ(code({{"sec-fetch-site", site}, {"sec-fetch-mode", "navigate"}}, "GET"),
                  ErrorCode::kCount);
    }
    for (const char* site : {"same-origin", "none"}) {
        EXPECT_EQ(code({{"sec-fetch-site", site}}, "POST"), ErrorCode::kCount);
    }
    EXPECT_EQ(code({{"referer", "http://evil.example/x"}}, "POST"), ErrorCode::kOriginRefused);
    EXPECT_EQ(code({{"referer", "nonsense"}}, "DELETE"), ErrorCode::kOriginRefused);
    EXPECT_EQ(code({{"referer", "http://evil.example/x"}}, "GET"), ErrorCode::kCount);
    EXPECT_EQ(code({{"referer", "http://localhost:7777/page?x=1"}}, "POST"), ErrorCode::kCount);
    EXPECT_EQ(code({}, "POST"), ErrorCode::kCount);  // a program
}

TEST_F(AccessTest, WithTokensEveryRequestNeedsOne) {
    const std::string reader = token(Scope::kRead, {"a"});
    const std::string admin = token(Scope::kAdmin);
    const Access access = make();
    const auto with = [](std::string field) {
        return request("localhost", {{"authorization", std::move(field)}});
    };
    EXPECT_EQ(refusal(access, request("localhost")), ErrorCode::kTokenMissing);
    EXPECT_TRUE(access.admit_public(request("localhost"), kLocal));
    const auto admitted = access.admit(with("Bearer " + reader), "192.0.2.1", false);
    ASSERT_TRUE(admitted);
    EXPECT_EQ(admitted->scope, Scope::kRead);
    EXPECT_EQ(admitted->token, "read1");
    EXPECT_TRUE(admitted->sees("a"));
    EXPECT_FALSE(admitted->sees("b"));
    EXPECT_FALSE(admitted->may(Scope::kPlay, "a"));
    for (const std::string& field :
         {"bearer " + admin, "BEARER   " + admin, "Bearer " + admin + " "}) {
        EXPECT_EQ(refusal(access, with(field)), ErrorCode::kCount) << field;
    }
    for (const std::string& field :
         {std::string(), std::string("Bearer"), std::string("Bearer "), admin, "Basic " + admin,
          "Token " + admin, "Bearer" + admin, "Bearer " + admin + "x", "Bearer " + admin.substr(4),
          "Bearer " + admin + "," + admin, "Bearer Bearer " + admin, "Bearer \"" + admin + "\"",
          std::string("Bearer arb_"), "Bearer arb_" + std::string(64, '0'),
          "Bearer " + std::string(10'000, 'a'), std::string("Bearer null")}) {
        EXPECT_EQ(refusal(access, with(field)), ErrorCode::kTokenRefused) << field;
    }
    net::Request two = with("Bearer " + admin);
    two.headers.add("Authorization", "Bearer " + admin);
    EXPECT_EQ(refusal(access, two), ErrorCode::kTokenRefused);
    // Nothing else carries a token.
    net::Request elsewhere = request("localhost", {{"cookie", "token=" + admin},
                                                   {"x-api-key", admin},
                                                   {"proxy-authorization", "Bearer " + admin}});
    elsewhere.query = "token=" + admin + "&access_token=" + admin;
    EXPECT_EQ(refusal(access, elsewhere), ErrorCode::kTokenMissing);
    now_ = 2000;
    EXPECT_EQ(refusal(access, with("Bearer " + admin)), ErrorCode::kTokenRefused);
    now_ = 1000;
    ASSERT_TRUE(revoke_token(*store_, "admin0", 1000));
    ASSERT_TRUE(revoke_token(*store_, "read1", 1000));
    reload();
    EXPECT_EQ(refusal(access, with("Bearer " + admin)), ErrorCode::kTokenRefused);
    // With the last token revoked, the server stays closed.
    EXPECT_EQ(refusal(access, request("localhost")), ErrorCode::kTokenMissing);
    tokens_ = nullptr;
    EXPECT_EQ(refusal(access, with("Bearer " + admin)), ErrorCode::kOverloaded);
}

// SillyTavern, CVE-2026-44649: headers of single sign-on were believed from everybody.
TEST_F(AccessTest, HeadersOfProxiesGiveNoRights) {
    const std::string text = token(Scope::kAdmin);
    const Access access = make({.listen = {"0.0.0.0", 7777}});
    for (const char* header :
         {"x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "remote-user",
          "x-remote-user", "x-forwarded-user", "x-forwarded-email", "x-authentik-username",
          "remote_user", "x-client-ip", "true-client-ip", "x-original-url",
          "x-auth-request-user"}) {
        for (const char* told : {"127.0.0.1", "for=127.0.0.1", "admin", "localhost"}) {
            EXPECT_EQ(refusal(access, request("127.0.0.1", {{header, told}}), "192.0.2.9"),
                      ErrorCode::kTokenMissing)
                << header;
        }
    }
}

TEST_F(AccessTest, ARequestThatAProxyHandedOnIsNotLocal) {
    const Access access = make({.allow_hosts = {"play.example.org"}});
    EXPECT_EQ(refusal(access, request("localhost")), ErrorCode::kCount);
    // A proxy on the same machine: the peer is local, the sender is not.
    EXPECT_EQ(refusal(access, request("play.example.org")), ErrorCode::kTokenMissing);
    for (const char* header : {"x-forwarded-for", "forwarded", "via", "x-real-ip"}) {
        EXPECT_EQ(refusal(access, request("localhost", {{header, "x"}})), ErrorCode::kTokenMissing)
            << header;
    }
    const Access behind = make({.trusted_proxies = {"127.0.0.0/8"}});
    EXPECT_EQ(refusal(behind, request("localhost")), ErrorCode::kTokenMissing);
}

TEST_F(AccessTest, TheSenderIsToldByTrustedProxiesOnly) {
    const Access access = make({.trusted_proxies = {"10.0.0.0/8", "fd00::1", "192.0.2.1"}});
    const auto client = [&](const char* told, const char* peer) {
        return access.client_of(request("localhost", {{"x-forwarded-for", told}}), peer);
    };
    EXPECT_EQ(client("203.0.113.5", "203.0.113.9"), "203.0.113.9");
    EXPECT_EQ(client("203.0.113.5", "10.1.2.3"), "203.0.113.5");
    EXPECT_EQ(client("1.1.1.1, 203.0.113.5", "10.1.2.3"), "203.0.113.5");  // the first is invented
    EXPECT_EQ(client("203.0.113.5, 10.9.9.9,192.0.2.1", "fd00::1"), "203.0.113.5");
    EXPECT_EQ(client("nonsense", "10.1.2.3"), "10.1.2.3");
    EXPECT_EQ(client("2001:db8::5", "::ffff:10.1.2.3"), "2001:db8::5");
    EXPECT_EQ(client("10.0.0.5", "10.1.2.3"), "10.0.0.5");
    EXPECT_EQ(access.client_of(request("localhost"), "10.1.2.3"), "10.1.2.3");
    EXPECT_EQ(access.client_of(request("localhost", {{"x-forwarded-for", "203.0.113.5"},
                                                     {"X-Forwarded-For", "203.0.113.6"}}),
                               "10.1.2.3"),
              "203.0.113.6");
    for (const char* wrong : {"", "10.0.0.0/33", "10.0.0/8", "proxy.example", "::/129", "10.0.0.1/",
                              "10.0.0.1/8x", "10.0.0.1/-1"}) {
        EXPECT_FALSE(Access::make({.trusted_proxies = {wrong}}, nullptr, nullptr)) << wrong;
    }
    // The scheme of the page behind a proxy that ends TLS.
    const net::Headers page = {{"origin", "https://localhost"}, {"x-forwarded-proto", "https"}};
    EXPECT_TRUE(access.admit_public(request("localhost", page), "10.0.0.1"));
    EXPECT_FALSE(access.admit_public(request("localhost", page), "203.0.113.9"));
}

TEST_F(AccessTest, OtherOriginsAreConfigured) {
    const Access closed = make();
    const Access access = make({.allow_origins = {"https://app.example", "http://localhost:5173"}});
    const net::Headers page = {{"origin", "https://app.example"}};
    const net::Headers question = {{"origin", "https://app.example"},
                                   {"access-control-request-method", "POST"}};
    EXPECT_TRUE(access.admit(request("localhost", page, "POST"), kLocal, true));
    EXPECT_EQ(refusal(closed, request("localhost", page)), ErrorCode::kOriginRefused);
    EXPECT_EQ(refusal(access, request("localhost", {{"origin", "https://app.example:444"}})),
              ErrorCode::kOriginRefused);
    EXPECT_EQ(refusal(access, request("localhost", {{"origin", "http://app.example"}})),
              ErrorCode::kOriginRefused);

    const auto answer = access.preflight(request("localhost", question, "OPTIONS"));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 204);
    EXPECT_EQ(*answer->headers.find("access-control-allow-origin"), "https://app.example");
    EXPECT_EQ(*answer->headers.find("vary"), "Origin");
    EXPECT_EQ(answer->headers.find("access-control-allow-credentials"), nullptr);
    EXPECT_FALSE(closed.preflight(request("localhost", question, "OPTIONS")));
    EXPECT_FALSE(access.preflight(request("evil.example", question, "OPTIONS")));
    EXPECT_FALSE(access.preflight(request("localhost", page, "OPTIONS")));
    EXPECT_FALSE(access.preflight(request("localhost", question, "POST")));

    net::Headers headers;
    closed.add_cors(request("localhost", page), headers);
    EXPECT_TRUE(headers.empty());
    access.add_cors(request("localhost", {{"origin", "https://evil.example"}}), headers);
    EXPECT_EQ(headers.find("access-control-allow-origin"), nullptr);
    access.add_cors(request("localhost", page), headers);
    EXPECT_EQ(*headers.find("access-control-allow-origin"), "https://app.example");
    for (const char* wrong : {"*", "null", "app.example", "https://app.example/", "https://",
                              "https://a,b", "https://*.example"}) {
        EXPECT_FALSE(Access::make({.allow_origins = {wrong}}, nullptr, nullptr)) << wrong;
    }
}

TEST(Listening, OnAddressesOfOthersNeedsTokens) {
    for (const char* host : {"127.0.0.1", "::1", "localhost", "127.8.8.8"}) {
        EXPECT_FALSE(listen_refusal({host, 7777}, false)) << host;
    }
    for (const char* host : {"0.0.0.0", "::", "192.0.2.1", "2001:db8::1", "host.example",
                             "127.0.0.1.example", "::ffff:0.0.0.0"}) {
        ASSERT_TRUE(listen_refusal({host, 7777}, false)) << host;
        EXPECT_EQ(listen_refusal({host, 7777}, false)->code, ErrorCode::kListenNeedsTokens);
        EXPECT_FALSE(listen_refusal({host, 7777}, true)) << host;
    }
}

}  // namespace
}  // namespace arbiter::server
