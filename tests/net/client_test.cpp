// The client against servers that are broken or hostile (F9): each call ends once, with an answer
// or with the error that names the reason, and its connection is closed.
//
// Method: a server that plays a script on raw sockets.
#include "net/client.h"

#include <gtest/gtest.h>

#include <deque>
#include <mutex>

#include "base/explain.h"
#include "base/limits.h"
#include "tests/net/network.h"

namespace arbiter::net {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;

// Accepts connections on a free port and plays one script on each, in order; the last one again for
// all further connections.
class ScriptedServer {
  public:
    using Script = std::function<void(RawSocket&)>;
    explicit ScriptedServer(std::vector<Script> scripts) : scripts_(std::move(scripts)) {
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ::bind(listener_, reinterpret_cast<const sockaddr*>(&at), sizeof at);
        ::listen(listener_, 16);
        socklen_t size = sizeof at;
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
        port_ = ntohs(at.sin_port);
        thread_ = std::thread([this] { run(); });
    }
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;
    ~ScriptedServer() {
        shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
        for (std::thread& each : playing_) {
            each.join();
        }
    }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::size_t connections() const { return connections_; }

  private:
    void run() {
        while (true) {
            const int accepted = ::accept(listener_, nullptr, nullptr);
            if (accepted < 0) {
                return;
            }
            const std::size_t index = std::min(connections_++, scripts_.size() - 1);
            playing_.emplace_back([this, index, accepted] {
                RawSocket socket(RawSocket::Accepted{accepted});
                scripts_[index](socket);
            });
        }
    }
    std::vector<Script> scripts_;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::atomic<std::size_t> connections_ = 0;
    std::thread thread_;
    std::deque<std::thread> playing_;
};

// Reads the request, sends bytes and closes.
ScriptedServer::Script answer(std::string bytes) {
    return [bytes = std::move(bytes)](RawSocket& socket) {
        socket.receive_until("\r\n\r\n");
        socket.send(bytes);
    };
}

// Sends bytes and leaves the connection open until the client closes it.
ScriptedServer::Script stall(std::string bytes) {
    return [bytes = std::move(bytes)](RawSocket& socket) {
        socket.receive_until("\r\n\r\n");
        socket.send(bytes);
        socket.receive_all();
    };
}

Fetched fetch(std::vector<ScriptedServer::Script> scripts, ClientOptions options = {}) {
    ScriptedServer server(std::move(scripts));
    WaitingClient client(std::move(options));
    return client.get(server.port());
}

void expect_error(const Fetched& fetched, ErrorCode code, std::string_view reason = {}) {
    ASSERT_FALSE(fetched.result);
    const base::Error& error = fetched.result.error();
    EXPECT_EQ(error.code, code) << base::explain(error, base::Language::kEnglish);
    if (!reason.empty()) {
        EXPECT_EQ(error.arguments.back(), reason);
    }
}

TEST(Client, RefusedConnectionsAreErrors) {
    std::uint16_t port = 0;
    {
        ScriptedServer closed({answer("")});
        port = closed.port();
    }
    WaitingClient client;
    expect_error(client.get(port), ErrorCode::kConnectFailed, "Connection refused");
}

TEST(Client, UnknownHostsAreErrors) {
    WaitingClient client;
    expect_error(client.fetch({.method = "GET", .url = {false, "host.invalid", 80, "/"}}),
                 ErrorCode::kHostUnknown, "host.invalid");
}

TEST(Client, NamesAreResolved) {
    RunningServer server(echo);
    WaitingClient client;
    EXPECT_EQ(client.fetch({.method = "GET", .url = {false, "localhost", server.port(), ""}}).body,
              "GET /  ");
}

TEST(Client, AnswersInAllFramings) {
    const std::pair<const char*, const char*> answers[] = {
        {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "hi"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1;x\r\ni\r\n0\r\n\r\n",
         "hi"},
        {"HTTP/1.1 200 OK\r\n\r\nhi", "hi"},
        {"HTTP/1.0 200 OK\r\n\r\nhi", "hi"},
        {"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", ""},
        {"HTTP/1.1 204 No Content\r\n\r\n", ""},
        {"HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n", ""},
        {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
         "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
         "hi"},
        {"HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi", "hi"},
    };
    for (const auto& [text, body] : answers) {
        const Fetched got = fetch({answer(text)});
        EXPECT_TRUE(got.result) << text;
        EXPECT_EQ(got.body, body) << text;
        ASSERT_TRUE(got.head) << text;
    }
}

TEST(Client, EveryByteMayComeAlone) {
    const Fetched got = fetch({[](RawSocket& socket) {
        socket.receive_until("\r\n\r\n");
        for (const char c : std::string_view("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                             "3\r\nabc\r\n0\r\n\r\n")) {
            socket.send({&c, 1});
            std::this_thread::yield();
        }
    }});
    EXPECT_TRUE(got.result);
    EXPECT_EQ(got.body, "abc");
}

TEST(Client, MalformedAnswersAreErrors) {
    using namespace std::string_literals;
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    const std::string answers[] = {
        "garbage\r\n\r\n",
        "\x16\x03\x01\x00garbage"s,
        "<html>Bad gateway</html>\r\n",
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 099 OK\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1  200 OK\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        ok + "Content-Length: 1\nX: y\r\n\r\na",
        ok + "Content-Length: a\r\n\r\n",
        ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\na",
        ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ok + "Transfer-Encoding: gzip\r\n\r\n",
        ok + " folded: x\r\n\r\n",
        ok + "no colon\r\n\r\n",
        ok + "X: \x01\r\n\r\n",
        ok + "X: a\0b\r\n\r\n"s,
        ok + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi",
        ok + "Content-Encoding: br\r\n\r\nhi",
        ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nbad trailer\r\n\r\n",
    };
    for (const std::string& text : answers) {
        SCOPED_TRACE(testing::PrintToString(text));
        expect_error(fetch({stall(text)}), ErrorCode::kHttpMalformed);
    }
    std::string interim;
    for (int index = 0; index < 100; ++index) {
        interim += "HTTP/1.1 100 Continue\r\n\r\n";
    }
    expect_error(fetch({stall(interim)}), ErrorCode::kHttpMalformed);
}

TEST(Client, AnswersThatAreTooLargeAreErrors) {
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    std::string many = ok;
    for (std::size_t index = 0; index <= base::kHttpHeadersMax; ++index) {
        many += "x: y\r\n";
    }
    const std::string answers[] = {
        many + "\r\n",
        ok + "X: " + std::string(std::size_t{1} << 20, 'x'),
        std::string(std::size_t{1} << 20, 'H'),
        ok + "Content-Length: 1001\r\n\r\n",
        ok + "\r\n" + std::string(1001, 'x'),
        ok + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n" + std::string(100'000, 'x'),
        ok + "Transfer-Encoding: chunked\r\n\r\n1;" + std::string(1000, 'x'),
    };
    for (const std::string& text : answers) {
        SCOPED_TRACE(text.substr(0, 100));
        expect_error(fetch({stall(text)}, {.body_bytes_max = 1000}), ErrorCode::kHttpTooLarge);
    }
    EXPECT_TRUE(
        fetch({answer(ok + "\r\n" + std::string(1000, 'x'))}, {.body_bytes_max = 1000}).result);
}

TEST(Client, LostConnectionsAreErrors) {
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    const std::string answers[] = {
        "",
        "HTTP/1.1 2",
        ok,
        ok + "Content-Length: 3\r\n\r\nab",
        ok + "Transfer-Encoding: chunked\r\n\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
        ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
    };
    for (const std::string& text : answers) {
        SCOPED_TRACE(text);
        expect_error(fetch({answer(text)}), ErrorCode::kConnectionLost,
                     "the server closed it before the answer was complete");
    }
    expect_error(fetch({[&](RawSocket& socket) {
                     socket.receive_until("\r\n\r\n");
                     socket.send(ok + "\r\nbegun");
                     std::this_thread::sleep_for(20ms);
                     socket.reset();
                 }}),
                 ErrorCode::kConnectionLost, "Connection reset by peer");
}

TEST(Client, StallsAreTimedOut) {
    expect_error(fetch({stall("")}, {.first_byte = 50ms}), ErrorCode::kNetTimeout,
                 "the beginning of the answer");
    expect_error(fetch({stall("HTTP/1.1 200 OK\r\n\r\nbegun")}, {.idle = 50ms}),
                 ErrorCode::kNetTimeout, "the next part of the answer");
    expect_error(fetch({[](RawSocket& socket) {
                           socket.receive_until("\r\n\r\n");
                           socket.send("HTTP/1.1 200 OK\r\n\r\n");
                           while (socket.send("x")) {
                               std::this_thread::sleep_for(5ms);
                           }
                       }},
                       {.total = 100ms}),
                 ErrorCode::kNetTimeout, "the end of the answer");
    // A handshake that is never answered.
    ScriptedServer server({stall("")});
    WaitingClient client({.connect = 50ms});
    expect_error(client.fetch({.method = "GET", .url = {true, "127.0.0.1", server.port(), "/"}}),
                 ErrorCode::kNetTimeout, "the connection to the server");
}

TEST(Client, RedirectsAreAnswers) {
    const Fetched got = fetch({answer(
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")});
    ASSERT_TRUE(got.result);
    EXPECT_EQ(got.head->status, 302);
}

TEST(Client, ErrorsThatCameBeforeTheWholeRequestWasSentAreRead) {
    const Fetched got = [] {
        ScriptedServer server({[](RawSocket& socket) {
            socket.receive(1000);
            socket.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
            socket.end_writing();
            socket.receive_all();
        }});
        WaitingClient client;
        return client.post(server.port(), std::string(std::size_t{32} << 20, 'x'));
    }();
    ASSERT_TRUE(got.result);
    EXPECT_EQ(got.head->status, 413);
    EXPECT_EQ(got.body, "no");
}

// A connection that answers `times` requests and then closes when it gets one more.
ScriptedServer::Script answer_then_close(int times) {
    return [times](RawSocket& socket) {
        for (int index = 0; index < times; ++index) {
            socket.receive_until("\r\n\r\n");
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + std::to_string(index));
        }
        socket.receive_until("\r\n\r\n");
    };
}

TEST(Client, KeptConnectionThatWasClosedIsTriedAgainOnce) {
    ScriptedServer server({answer_then_close(1), answer_then_close(1)});
    WaitingClient client;
    for (int times = 0; times < 3; ++times) {
        const Fetched got = client.get(server.port());
        EXPECT_TRUE(got.result);
        EXPECT_EQ(got.body, "0");
    }
    EXPECT_EQ(server.connections(), 3u);
}

TEST(Client, NewConnectionThatIsClosedIsNotTriedAgain) {
    ScriptedServer server({answer(""), answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")});
    WaitingClient client;
    expect_error(client.get(server.port()), ErrorCode::kConnectionLost);
    EXPECT_EQ(server.connections(), 1u);
}

TEST(Client, KeptConnectionThatFailsInsideOfAnAnswerIsNotTriedAgain) {
    ScriptedServer server({[](RawSocket& socket) {
        socket.receive_until("\r\n\r\n");
        socket.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        socket.receive_until("\r\n\r\n");
        socket.send("HTTP/1.1 200");
    }});
    WaitingClient client;
    EXPECT_TRUE(client.get(server.port()).result);
    expect_error(client.get(server.port()), ErrorCode::kConnectionLost);
    EXPECT_EQ(server.connections(), 1u);
}

TEST(Client, ConnectionsThatMustNotBeKeptAreClosed) {
    const std::string answers[] = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nmore than announced",
    };
    for (const std::string& text : answers) {
        ScriptedServer server({stall(text)});
        WaitingClient client;
        EXPECT_TRUE(client.get(server.port()).result);
        EXPECT_TRUE(client.get(server.port()).result);
        EXPECT_EQ(server.connections(), 2u) << text;
    }
}

TEST(Client, CancelledCallsCallNothingAndClose) {
    std::promise<void> closed;
    ScriptedServer server({[&](RawSocket& socket) {
        socket.receive_until("\r\n\r\n");
        socket.send("HTTP/1.1 200 OK\r\n\r\nbegun");
        socket.receive_all();
        closed.set_value();
    }});
    WaitingClient client;
    std::unique_ptr<Call> call;
    int calls = 0;
    client.run([&] {
        call = client.client().start(
            {.method = "GET", .url = {false, "127.0.0.1", server.port(), "/"}},
            {.on_body =
                 [&](std::string_view) {
                     ++calls;
                     call = nullptr;  // inside of its own callback
                 },
             .on_end = [&](const base::Result<>&) { ++calls; }});
    });
    ASSERT_EQ(closed.get_future().wait_for(kPatience), std::future_status::ready);
    client.run([] {});
    EXPECT_EQ(calls, 1);
}

TEST(Client, CallsMayBeCancelledAtAnyMoment) {
    RunningServer server(echo);
    WaitingClient client;
    const std::size_t files = open_files();
    int calls = 0;
    for (int index = 0; index < 100; ++index) {
        std::unique_ptr<Call> call;
        client.run([&] {
            call = client.client().start(
                {.method = "GET", .url = {false, "127.0.0.1", server.port(), "/"}},
                {.on_end = [&](const base::Result<>&) { ++calls; }});
            if (index % 3 == 0) {
                call = nullptr;
            }
        });
        if (index % 3 == 1) {
            std::this_thread::sleep_for(std::chrono::microseconds(50 * index));
        }
        client.run([&] { call = nullptr; });
    }
    EXPECT_TRUE(client.get(server.port()).result);
    EXPECT_TRUE(eventually([&] { return server.counts().connections <= 1; }));
    EXPECT_LE(open_files(), files + 16);
}

TEST(Client, ManyCallsAtOnceUseThePool) {
    RunningServer server(echo);
    WaitingClient client({.idle_connections_max = 4});
    std::vector<std::unique_ptr<Call>> calls(200);
    std::atomic<int> complete = 0;
    client.run([&] {
        for (std::unique_ptr<Call>& call : calls) {
            call = client.client().start(
                {.method = "GET", .url = {false, "127.0.0.1", server.port(), "/"}},
                {.on_end = [&](const base::Result<>& result) { complete += result ? 1 : 0; }});
        }
    });
    EXPECT_TRUE(eventually([&] { return complete == 200; }));
    client.run([&] { calls.clear(); });
    EXPECT_TRUE(eventually([&] { return server.counts().connections <= 4; }));
}

TEST(Client, ValuesOfFieldsCannotEndTheirLine) {
    std::promise<std::string> received;
    ScriptedServer server({[&](RawSocket& socket) {
        received.set_value(socket.receive_until("\r\n\r\n"));
        socket.send("HTTP/1.1 204 No Content\r\n\r\n");
    }});
    WaitingClient client;
    EXPECT_TRUE(client
                    .fetch({.method = "GET",
                            .url = {false, "127.0.0.1", server.port(), "/x"},
                            .headers = {{"X", "a\r\nInjected: b"}, {"Content-Length", "7"}}})
                    .result);
    const std::string request = received.get_future().get();
    EXPECT_TRUE(request.starts_with("GET /x HTTP/1.1\r\nHost: 127.0.0.1:")) << request;
    EXPECT_FALSE(request.contains("\r\nInjected")) << request;
    EXPECT_FALSE(request.contains("Content-Length")) << request;
}

}  // namespace
}  // namespace arbiter::net
