// Requests that are malformed, ambiguous or too large (F10, S13).
//
// Method: raw sockets against a real server (tests/net/hostile_client.h).
#include "tests/net/hostile_client.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <thread>

namespace arbiter::net {
namespace {

// Two readers could see different requests in these.
TEST_F(HostileClient, SmugglingShapes) {
    start();
    const std::string start_of_post = "POST / HTTP/1.1\r\nHost: a\r\n";
    const std::pair<const char*, int> fields[] = {
        {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", 400},
        {"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", 400},
        {"Content-Length: 5\r\nContent-Length: 5\r\n", 400},
        {"Content-Length: 5\r\nContent-Length: 6\r\n", 400},
        {"Content-Length: 5, 5\r\n", 400},
        {"Content-Length: +5\r\n", 400},
        {"Content-Length: -5\r\n", 400},
        {"Content-Length: 0x5\r\n", 400},
        {"Content-Length: 5 5\r\n", 400},
        {"Content-Length:\r\n", 400},
        {"Content-Length: 99999999999999999999\r\n", 400},
        {"Content-Length : 5\r\n", 400},
        {" Content-Length: 5\r\n", 400},
        {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400},
        {"Transfer-Encoding: chunked, chunked\r\n", 501},
        {"Transfer-Encoding: xchunked\r\n", 501},
        {"Transfer-Encoding: gzip, chunked\r\n", 501},
        {"Transfer-Encoding: identity\r\n", 501},
        {"Transfer-Encoding:\x0b"
         "chunked\r\n",
         400},
        {"Transfer-Encoding\t: chunked\r\n", 400},
        {"X: a\r\n Transfer-Encoding: chunked\r\n", 400},
        {"X: a\nTransfer-Encoding: chunked\r\n", 400},
        {"X: a\rTransfer-Encoding: chunked\r\n", 400},
        {"X\r\n", 400},
        {": x\r\n", 400},
        {"X(: x\r\n", 400},
        {"X: a\x01\r\n", 400},
        {"Host: b\r\n", 400},
    };
    for (const auto& [text, status] : fields) {
        expect_refused(
            start_of_post + text + "\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n",
            status);
    }
    using namespace std::string_literals;
    expect_refused("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"s, 400);
    expect_refused("GET / HTTP/1.1\r\nHost: a\0\r\n\r\n"s, 400);
    expect_refused("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400);
    expect_refused("GET / HTTP/1.1\r\nHost:\r\n\r\n", 400);
    expect_refused("GET / HTTP/1.1\r\n\r\n", 400);
    expect_refused("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400);
}

TEST_F(HostileClient, BrokenRequestLines) {
    start();
    const std::pair<const char*, int> lines[] = {
        {"GET /\r\n", 400},  // HTTP/0.9
        {"GET\r\n", 400},
        {"GET / HTTP/2.0\r\n", 505},
        {"GET / HTTP/1.2\r\n", 505},
        {"PRI * HTTP/2.0\r\n", 505},
        {"GET / http/1.1\r\n", 400},
        {"GET / HTTP/1.1 \r\n", 400},
        {"GET  / HTTP/1.1\r\n", 400},
        {" GET / HTTP/1.1\r\n", 400},
        {"GET /a b HTTP/1.1\r\n", 400},
        {"GET x HTTP/1.1\r\n", 400},
        {"GET * HTTP/1.1\r\n", 400},
        {"GET ftp://a/ HTTP/1.1\r\n", 400},
        {"GET http:// HTTP/1.1\r\n", 400},
        {"GET http://a@b/ HTTP/1.1\r\n", 400},
        {"GET /# HTTP/1.1\r\n", 400},
        {"GET /\xE4 HTTP/1.1\r\n", 400},
        {"G@T / HTTP/1.1\r\n", 400},
        {"CONNECT a:80 HTTP/1.1\r\n", 501},
        {"GET / HTTP/1.1\n", 400},
        {"\r\n\r\nGET / HTTP/1.1\r\n", 400},
    };
    for (const auto& [line, status] : lines) {
        expect_refused(line, status);
    }
}

TEST_F(HostileClient, TargetsInAbsoluteFormAndForTheWholeServer) {
    start(patient(), [](const std::shared_ptr<Exchange>& exchange) {
        const Request& request = exchange->request();
        exchange->respond({.body = request.path + " " + *request.headers.find("host")});
    });
    const std::pair<const char*, const char*> cases[] = {
        {"GET http://b:1/x HTTP/1.1", "/x b:1"}, {"GET HTTP://b HTTP/1.1", "/ b"},
        {"GET http://b?q HTTP/1.1", "/ b"},      {"OPTIONS * HTTP/1.1", "* a"},
        {"\r\nGET /x HTTP/1.1", "/x a"},
    };
    for (const auto& [line, expected] : cases) {
        const std::string answer =
            server_->ask(std::string(line) + "\r\nHost: a\r\nConnection: close\r\n\r\n");
        EXPECT_EQ(status_of(answer), 200) << line;
        EXPECT_TRUE(answer.ends_with("\r\n\r\n" + std::string(expected))) << answer;
    }
}

TEST_F(HostileClient, HeaderBombs) {
    start();
    const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n";
    std::string many = head;
    for (std::size_t index = 0; index < base::kHttpHeadersMax; ++index) {
        many += "x: y\r\n";
    }
    expect_refused(many + "\r\n", 431);
    expect_refused(head + "x: " + std::string(base::kHttpHeaderBytesMax, 'y') + "\r\n\r\n", 431);
    // Without any line end.
    expect_refused(head + std::string(4 * base::kHttpHeaderBytesMax, 'y'), 431);
}

// Exactly at the limit it passes, one above it does not.
TEST_F(HostileClient, LimitsHoldExactly) {
    ServerOptions options = patient();
    options.body_bytes_max = 1000;
    start(options);
    const auto with_line = [](std::size_t bytes) {
        const std::string rest = " HTTP/1.1";
        std::string line = "GET /";
        line += std::string(bytes - line.size() - rest.size(), 'x') + rest;
        return line + "\r\nHost: a\r\nConnection: close\r\n\r\n";
    };
    const auto with_fields = [](std::size_t bytes) {
        std::string fields = "Host: a\r\nConnection: close\r\nx: ";
        fields += std::string(bytes - fields.size() - 2, 'y') + "\r\n";
        return "GET / HTTP/1.1\r\n" + fields + "\r\n";
    };
    const auto with_count = [](std::size_t count) {
        std::string text = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
        for (std::size_t index = 2; index < count; ++index) {
            text += "x: y\r\n";
        }
        return text + "\r\n";
    };
    const auto with_body = [](std::size_t bytes) {
        return "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " +
               std::to_string(bytes) + "\r\n\r\n" + std::string(bytes, 'b');
    };
    const auto with_chunk = [](std::size_t bytes) {
        char size[16];
        std::snprintf(size, sizeof size, "%zx", bytes);
        return "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: "
               "chunked\r\n\r\n" +
               std::string(size) + "\r\n" + std::string(bytes, 'b') + "\r\n0\r\n\r\n";
    };
    const auto status = [&](const std::string& request) {
        return status_of(server_->ask(request));
    };
    for (const std::size_t below : {1u, 0u}) {
        EXPECT_EQ(status(with_line(base::kHttpTargetBytesMax - below)), 200);
        EXPECT_EQ(status(with_fields(base::kHttpHeaderBytesMax - below)), 200);
        EXPECT_EQ(status(with_count(base::kHttpHeadersMax - below)), 200);
        EXPECT_EQ(status(with_body(1000 - below)), 200);
        EXPECT_EQ(status(with_chunk(1000 - below)), 200);
    }
    EXPECT_EQ(status(with_line(base::kHttpTargetBytesMax + 1)), 414);
    EXPECT_EQ(status(with_fields(base::kHttpHeaderBytesMax + 1)), 431);
    EXPECT_EQ(status(with_count(base::kHttpHeadersMax + 1)), 431);
    EXPECT_EQ(status(with_body(1001)), 413);
    EXPECT_EQ(status(with_chunk(1001)), 413);
}

TEST_F(HostileClient, HugeTarget) {
    start();
    expect_refused("GET /" + std::string(std::size_t{1} << 20, 'x') + " HTTP/1.1\r\n", 414);
}

TEST_F(HostileClient, UploadThatIsTooLargeGetsItsAnswerWhileItSends) {
    start();
    RawSocket socket = server_->connect();
    socket.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n");
    std::thread sender([&] {
        const std::string block(1 << 20, 'x');
        for (int index = 0; index < 8 && socket.send(block); ++index) {
        }
    });
    EXPECT_EQ(status_of(socket.receive_until("\r\n\r\n")), 413);
    sender.join();
}

TEST_F(HostileClient, BodyShorterThanItsLength) {
    start();
    RawSocket socket = server_->connect();
    socket.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    socket.end_writing();
    EXPECT_EQ(socket.receive_all(), "");
    EXPECT_EQ(requests(), 0u);
}

TEST_F(HostileClient, BodyLongerThanItsLengthIsTheNextRequest) {
    start();
    const std::string answers =
        server_->ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nabXYZ\r\n\r\n");
    EXPECT_EQ(status_of(answers), 200);
    EXPECT_TRUE(answers.contains("HTTP/1.1 400 Bad Request")) << answers;
}

TEST_F(HostileClient, BrokenChunks) {
    start();
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::pair<std::string, int> bodies[] = {
        {"FFFFFFFFFFFFFFFFF\r\n", 400},  // more than 64 bits
        {"10000000000000000\r\n", 400},
        {"-1\r\n", 400},
        {"+1\r\n", 400},
        {"0x1\r\n", 400},
        {"\r\n", 400},
        {"g\r\n", 400},
        {"1 \r\na\r\n", 400},
        {"1 1\r\na\r\n", 400},
        {" 1\r\na\r\n", 400},
        {"1\na\r\n", 400},
        {"1\r\nab\r\n0\r\n\r\n", 400},
        {"1\r\na\n0\r\n\r\n", 400},
        {"1\r\na0\r\n\r\n", 400},
        {"1;" + std::string(base::kHttpChunkLineBytesMax, 'x') + "\r\n", 400},
        {"1;\x01\r\n", 400},
        {"1;a=\"\r\na\r\n0\r\n\r\n\"\r\n", 400},
        {"0\r\nbad trailer\r\n\r\n", 400},
        {"0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"0\r\nContent-length: 3\r\n\r\n", 400},
        {"0\r\nx: " + std::string(base::kHttpHeaderBytesMax, 'y') + "\r\n\r\n", 431},
        {"FFFFFFFFFFFFFFFF\r\n" + std::string(1 << 20, 'x'), 413},
    };
    for (const auto& [body, status] : bodies) {
        if (status == 413) {
            ServerOptions options = patient();
            options.body_bytes_max = 1000;
            RunningServer small(echo, options);
            EXPECT_EQ(status_of(small.ask(head + body)), status);
            continue;
        }
        expect_refused(head + body, status);
    }
}

TEST_F(HostileClient, ChunksWithExtensionsAndTrailersAreRead) {
    start();
    const std::string answer = server_->ask(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n"
        "000002;a=b\r\nab\r\n1 ;x\r\nc\r\n0\r\nTrailer: x\r\n\r\n");
    EXPECT_TRUE(answer.ends_with("POST /  abc")) << answer;
}

TEST_F(HostileClient, TlsOnAPlainPort) {
    start();
    using namespace std::string_literals;
    expect_refused("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s + std::string(500, '\x80'), 400);
}

}  // namespace
}  // namespace arbiter::net
