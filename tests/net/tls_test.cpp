// TLS on both sides, and the certificates that a client refuses.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <string_view>

#include "base/explain.h"
#include "net/internal/descriptor.h"
#include "net/internal/tls.h"
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

// Else the loop would try again and again instead of waiting for the rest.
TEST(Tls, APartOfARecordIsNotTakenForBytesToRead) {
    const Certificate certificate;
    std::array<int, 2> sockets{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets.data()), 0);
    const internal::Descriptor peer(sockets[0]);
    const internal::Descriptor own(sockets[1]);
    const auto session = internal::TlsSession::accept(
        internal::TlsContext::for_server(certificate.certificate_file(), certificate.key_file())
            .value(),
        own.get());
    constexpr std::string_view kPart = "\x16\x03\x01\x02\x01\x01";
    ASSERT_EQ(internal::transmit(peer.get(), kPart).bytes, kPart.size());
    EXPECT_EQ(session->handshake().status, internal::Io::Status::kWaitRead);
    EXPECT_FALSE(session->has_buffered());
}

// The call and its socket are gone, as LeakSanitizer sees.
TEST(Tls, CallsThatWaitForTheirHandshakeEndWithTheLoop) {
    const internal::Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    ASSERT_EQ(bind(listener.get(), place, size), 0);
    ASSERT_EQ(listen(listener.get(), 1), 0);
    ASSERT_EQ(getsockname(listener.get(), place, &size), 0);
    auto loops = std::make_unique<Loops>(1);
    std::unique_ptr<Client> client;
    std::unique_ptr<Call> call;
    loops->at(0).post([&] {
        client = std::make_unique<Client>(loops->at(0), ClientOptions{});
        call = client->start(to("127.0.0.1", ntohs(address.sin_port)), {});
    });
    const internal::Descriptor accepted(accept(listener.get(), nullptr, nullptr));
    char first = 0;
    ASSERT_EQ(recv(accepted.get(), &first, 1, 0), 1);  // the call waits for the answer to it
    loops->stop();
    call = nullptr;
    client = nullptr;
    loops = nullptr;
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
