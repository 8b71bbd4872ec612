// TLS on both sides, and the certificates that a client refuses.
#include <gtest/gtest.h>

#include "base/explain.h"
#include "tests/net/certificates.h"
#include "tests/net/network.h"

namespace arbiter::net {
namespace {

ServerOptions secured(const Certificate& certificate) {
    return {.tls = TlsFiles{certificate.certificate_file(), certificate.key_file()}};
}

ClientRequest to(const std::string& host, std::uint16_t port, std::string body = {}) {
    return {.method = "POST", .url = {true, host, port, "/"}, .body = std::move(body)};
}

TEST(Tls, RequestsAndLargeBodiesPass) {
    const Certificate certificate;
    RunningServer server(echo, secured(certificate));
    WaitingClient client({.ca_file = certificate.certificate_file()});
    for (const char* host : {"localhost", "127.0.0.1"}) {
        const Fetched got = client.fetch(to(host, server.port(), "hello"));
        ASSERT_TRUE(got.result) << base::explain(got.result.error(), base::Language::kEnglish);
        EXPECT_EQ(got.body, "POST /  hello");
    }
    const std::string large(8 << 20, 'x');
    for (int times = 0; times < 3; ++times) {
        EXPECT_TRUE(client.fetch(to("localhost", server.port(), large)).body == "POST /  " + large);
    }
    // One connection for each name, kept alive.
    EXPECT_EQ(server.counts().accepted, 2u);
}

TEST(Tls, StreamsPass) {
    const Certificate certificate;
    Background background;
    RunningServer server(
        [&](const std::shared_ptr<Exchange>& exchange) {
            exchange->begin_stream({});
            background.run([exchange] {
                for (int index = 0; index < 500; ++index) {
                    exchange->send(std::string(1000, 'x'));
                }
                exchange->end();
            });
        },
        secured(certificate));
    WaitingClient client({.ca_file = certificate.certificate_file()});
    const Fetched got = client.fetch(to("localhost", server.port()));
    EXPECT_TRUE(got.result);
    EXPECT_EQ(got.body.size(), 500'000u);
    background.join();
}

void expect_refused(const CertificateOptions& options, bool is_trusted, const std::string& host,
                    const std::string& reason) {
    const Certificate certificate(options);
    RunningServer server(echo, secured(certificate));
    WaitingClient client({.ca_file = is_trusted ? certificate.certificate_file() : std::string()});
    const Fetched got = client.fetch(to(host, server.port()));
    ASSERT_FALSE(got.result);
    EXPECT_EQ(got.result.error().code, base::ErrorCode::kTlsFailed);
    EXPECT_EQ(got.result.error().arguments[1], reason);
    EXPECT_EQ(server.counts().requests, 0u);
    EXPECT_TRUE(server.is_quiet());
}

TEST(Tls, CertificatesThatAreNotTrusted) {
    expect_refused({}, false, "localhost", "self-signed certificate");
}
TEST(Tls, CertificatesOfAnotherName) {
    expect_refused({.names = "DNS:example.com"}, true, "localhost", "hostname mismatch");
}
TEST(Tls, CertificatesOfAnotherAddress) {
    expect_refused({.names = "DNS:localhost"}, true, "127.0.0.1", "IP address mismatch");
}
TEST(Tls, CertificatesThatHaveExpired) {
    expect_refused({.valid_from_seconds = -7200, .valid_for_seconds = -3600}, true, "localhost",
                   "certificate has expired");
}

TEST(Tls, PlainServerIsAnError) {
    RunningServer server(echo);
    WaitingClient client;
    const Fetched got = client.fetch(to("127.0.0.1", server.port()));
    ASSERT_FALSE(got.result);
    EXPECT_EQ(got.result.error().code, base::ErrorCode::kTlsFailed);
    EXPECT_EQ(base::explain(got.result.error(), base::Language::kChinese),
              "无法与 127.0.0.1 建立安全连接：那里的服务不使用 TLS。");
}

TEST(Tls, PlainRequestsToASecureServerAreClosed) {
    const Certificate certificate;
    RunningServer server(echo, secured(certificate));
    server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(server.counts().requests, 0u);
    EXPECT_TRUE(server.is_quiet());
}

TEST(Tls, HandshakesThatStallAreTimedOut) {
    const Certificate certificate;
    ServerOptions options = secured(certificate);
    options.header_timeout = std::chrono::milliseconds(50);
    RunningServer server(echo, options);
    RawSocket socket = server.connect();
    socket.send("\x16\x03\x01");
    EXPECT_EQ(socket.receive_all(), "");
    EXPECT_TRUE(server.is_quiet());
}

TEST(Tls, FilesThatAreMissingOrDoNotFitAreErrors) {
    const Certificate certificate;
    const Certificate other;
    Loops loops(1);
    const TlsFiles cases[] = {
        {"missing.pem", certificate.key_file()},
        {certificate.certificate_file(), "missing.pem"},
        {certificate.certificate_file(), other.key_file()},
        {certificate.key_file(), certificate.key_file()},
    };
    for (const TlsFiles& files : cases) {
        const auto server = Server::listen(loops, {"127.0.0.1", 0}, {.tls = files}, echo);
        ASSERT_FALSE(server);
        EXPECT_EQ(server.error().code, base::ErrorCode::kTlsFailed);
    }
    RunningServer server(echo, secured(certificate));
    WaitingClient client({.ca_file = "missing.pem"});
    const Fetched got = client.fetch(to("localhost", server.port()));
    ASSERT_FALSE(got.result);
    EXPECT_EQ(got.result.error().code, base::ErrorCode::kTlsFailed);
    EXPECT_EQ(got.result.error().arguments[0], "missing.pem");
}

}  // namespace
}  // namespace arbiter::net
