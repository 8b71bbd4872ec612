// Clients that are slow, vanish, flood or use rare features (F10).
//
// Method: raw sockets against a real server (tests/net/hostile_client.h).
#include "tests/net/hostile_client.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace arbiter::net {
namespace {

using namespace std::chrono_literals;

TEST_F(HostileClient, SlowHeadIsTimedOut) {
    start({.header_timeout = 50ms});
    RawSocket socket = server_->connect();
    socket.send("GET / HT");
    EXPECT_EQ(status_of(socket.receive_all()), 408);
}

TEST_F(HostileClient, ByteByByteIsOneRequest) {
    start();
    RawSocket socket = server_->connect();
    for (const char c : kGetAndClose) {
        socket.send({&c, 1});
    }
    EXPECT_EQ(status_of(socket.receive_all()), 200);
}

TEST_F(HostileClient, SilentConnectionIsClosedWithoutAnAnswer) {
    start({.header_timeout = 50ms});
    EXPECT_EQ(server_->connect().receive_all(), "");
}

TEST_F(HostileClient, IdleConnectionIsClosed) {
    start({.idle_timeout = 50ms});
    RawSocket socket = server_->connect();
    socket.send(kGet);
    EXPECT_EQ(status_of(socket.receive_all()), 200);
}

TEST_F(HostileClient, SlowBodyIsTimedOut) {
    start({.body_timeout = 50ms});
    RawSocket socket = server_->connect();
    socket.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc");
    EXPECT_EQ(status_of(socket.receive_all()), 408);
    EXPECT_EQ(requests(), 0u);
}

TEST_F(HostileClient, SlowReaderOfAStreamIsCutOff) {
    start(patient(), [this](const std::shared_ptr<Exchange>& exchange) {
        if (exchange->request().path == "/") {
            echo(exchange);
            return;
        }
        exchange->on_gone([this] { is_gone_ = true; });
        exchange->begin_stream({});
        background_.run([exchange] {
            std::size_t largest = 0;
            while (!exchange->is_gone()) {
                largest = std::max(largest, exchange->unsent());
                exchange->send(std::string(64 << 10, 'x'));
                std::this_thread::yield();
            }
            EXPECT_LE(largest, base::kUnsentBytesMax);
        });
    });
    RawSocket socket = server_->connect(4096);
    socket.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(eventually([&] { return is_gone_.load(); }));
}

TEST_F(HostileClient, ReaderThatStopsIsTimedOut) {
    ServerOptions options = patient();
    options.write_timeout = 50ms;
    start(options, [this](const std::shared_ptr<Exchange>& exchange) {
        if (exchange->request().path == "/") {
            echo(exchange);
            return;
        }
        exchange->respond({.body = std::string(std::size_t{32} << 20, 'x')});
        is_gone_ = true;
    });
    RawSocket socket = server_->connect(4096);
    socket.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(eventually([&] { return is_gone_.load(); }));
    EXPECT_TRUE(server_->is_quiet());
}

// An exchange that waits for its peer to vanish.
class Vanishing : public HostileClient {
  protected:
    void SetUp() override {
        start(patient(), [this](const std::shared_ptr<Exchange>& exchange) {
            if (exchange->request().path == "/") {
                echo(exchange);
                return;
            }
            const bool streams = exchange->request().path == "/stream";
            if (streams) {
                exchange->begin_stream({.body = "begun"});
            }
            ++waiting_;
            exchange->on_gone([this, exchange] {
                ++gone_;
                // Calls after the end do nothing.
                exchange->respond({});
                exchange->send("x");
                exchange->end();
                EXPECT_TRUE(exchange->is_gone());
                EXPECT_EQ(exchange->unsent(), 0u);
            });
        });
    }
    RawSocket ask(std::string_view path) {
        RawSocket socket = server_->connect();
        socket.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n");
        EXPECT_TRUE(eventually([&] { return waiting_ > gone_; }));
        return socket;
    }
    void expect_gone() {
        EXPECT_TRUE(eventually([&] { return gone_ == waiting_; }));
    }
    std::atomic<int> waiting_ = 0;
    std::atomic<int> gone_ = 0;
};

TEST_F(Vanishing, BeforeTheAnswer) {
    ask("/wait").close();
    expect_gone();
}

TEST_F(Vanishing, InTheMiddleOfAStream) {
    RawSocket socket = ask("/stream");
    socket.receive_until("begun");
    socket.close();
    expect_gone();
}

TEST_F(Vanishing, ByReset) {
    ask("/stream").reset();
    expect_gone();
}

TEST_F(Vanishing, ByHalfClose) {
    RawSocket socket = ask("/wait");
    socket.end_writing();
    expect_gone();
    EXPECT_EQ(socket.receive_all(), "");
}

TEST_F(Vanishing, WithAPipelinedRequestBehind) {
    RawSocket socket = ask("/wait");
    socket.send(kGet);
    socket.close();
    expect_gone();
    EXPECT_EQ(requests(), 1u);
}

TEST_F(Vanishing, LateCallbackIsCalledToo) {
    std::shared_ptr<Exchange> kept;
    std::mutex mutex;
    RunningServer other([&](const std::shared_ptr<Exchange>& exchange) {
        const std::lock_guard lock(mutex);
        kept = exchange;
    });
    {
        RawSocket socket = other.connect();
        socket.send(kGet);
        ASSERT_TRUE(eventually([&] {
            const std::lock_guard lock(mutex);
            return kept != nullptr;
        }));
    }
    ASSERT_TRUE(eventually([&] { return kept->is_gone(); }));
    std::atomic<bool> is_called = false;
    kept->on_gone([&] { is_called = true; });
    EXPECT_TRUE(eventually([&] { return is_called.load(); }));
    kept = nullptr;
}

TEST_F(HostileClient, HalfCloseAfterTheWholeAnswerStillReadsIt) {
    start();
    RawSocket socket = server_->connect();
    socket.send(kGet);
    EXPECT_EQ(status_of(socket.receive_until("\r\n\r\n")), 200);
    socket.end_writing();
    socket.receive_all();
}

TEST_F(HostileClient, AThousandHalfOpenConnections) {
    start({.header_timeout = 200ms});
    std::deque<RawSocket> sockets;
    for (int index = 0; index < 1000; ++index) {
        sockets.emplace_back(server_->port());
        if (index % 2 == 0) {
            sockets.back().send("GET / HTTP/1.1\r\nHo");
        }
    }
    EXPECT_EQ(status_of(server_->ask(kGetAndClose)), 200);
    for (RawSocket& socket : sockets) {
        const std::string answer = socket.receive_all();
        EXPECT_TRUE(answer.empty() || status_of(answer) == 408) << answer;
    }
}

TEST_F(HostileClient, ConnectionsAboveTheLimitAreRefused) {
    ServerOptions options = patient();
    options.connections_max = 2;
    start(options);
    {
        RawSocket first = server_->connect();
        RawSocket second = server_->connect();
        EXPECT_TRUE(eventually([&] { return server_->counts().connections == 2; }));
        EXPECT_EQ(status_of(server_->ask(kGet)), 503);
        // The two still work.
        first.send(kGetAndClose);
        EXPECT_EQ(status_of(first.receive_all()), 200);
    }
}

// F13: connections that cannot be accepted wait until others are closed.
TEST_F(HostileClient, FilesRunOut) {
    start();
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit low = before;
    low.rlim_cur = open_files() + 40;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
    std::deque<RawSocket> sockets;
    while (sockets.size() < 100) {
        sockets.emplace_back(server_->port());
        if (!sockets.back().is_connected()) {
            sockets.pop_back();  // this process has no more either
            break;
        }
    }
    EXPECT_LT(sockets.size(), 60u);
    while (sockets.size() > 10) {
        sockets.pop_back();
    }
    for (RawSocket& socket : sockets) {
        socket.send(kGetAndClose);
        EXPECT_EQ(status_of(socket.receive_all()), 200);
        socket.close();
    }
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(HostileClient, PipelinedRequestsAreAnsweredInOrder) {
    start(patient(), [this](const std::shared_ptr<Exchange>& exchange) {
        EXPECT_EQ(++running_, 1) << "begun before the last answer was complete";
        background_.run([this, exchange] {
            std::this_thread::yield();
            --running_;
            echo(exchange);
        });
    });
    std::string requests;
    for (int index = 0; index < 20; ++index) {
        requests += "POST /" + std::to_string(index) +
                    " HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";
    }
    requests += kGetAndClose;
    const std::string answers = server_->ask(requests);
    std::size_t at = 0;
    for (int index = 0; index < 20; ++index) {
        at = answers.find("POST /" + std::to_string(index) + "  hi", at);
        ASSERT_NE(at, std::string::npos) << index;
    }
    EXPECT_EQ(count(answers, "HTTP/1.1 200 OK"), 21u);
}

TEST_F(HostileClient, MoreIsPipelinedThanIsReadAhead) {
    start();
    RawSocket socket = server_->connect();
    std::thread sender([&] {
        std::string requests;
        for (int index = 0; index < 5'000; ++index) {
            requests += kGet;
        }
        EXPECT_TRUE(socket.send(requests));
        EXPECT_TRUE(socket.send(kGetAndClose));
    });
    EXPECT_EQ(count(socket.receive_all(), "HTTP/1.1 200 OK"), 5'001u);
    sender.join();
}

TEST_F(HostileClient, PipelinedRequestsBehindARefusedOneAreNotRead) {
    start();
    expect_refused("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + std::string(kGet), 400);
}

TEST_F(HostileClient, ExpectContinue) {
    start();
    RawSocket socket = server_->connect();
    socket.send(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n"
        "Connection: close\r\n\r\n");
    EXPECT_EQ(socket.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    socket.send("hi");
    EXPECT_TRUE(socket.receive_all().ends_with("POST /  hi"));
}

TEST_F(HostileClient, UnknownExpectation) {
    start();
    expect_refused("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: magic\r\n\r\n", 417);
}

TEST_F(HostileClient, HeadMayBeRefusedBeforeTheBody) {
    ServerOptions options = patient();
    // The server is asked again when the test is over.
    const auto was_whole = std::make_shared<std::atomic<bool>>(false);
    options.on_head = [was_whole](const Request& head, std::string_view peer,
                                  bool is_whole) -> std::optional<Response> {
        EXPECT_EQ(peer, "127.0.0.1");
        *was_whole = is_whole;
        if (head.path == "/closed") {
            return Response{.status = 401, .body = "no"};
        }
        return std::nullopt;
    };
    start(options);
    RawSocket socket = server_->connect();
    socket.send(
        "POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n"
        "\r\n");
    EXPECT_EQ(status_of(socket.receive_all()), 401);
    EXPECT_FALSE(*was_whole);
    // Without a body the connection lives on.
    RawSocket other = server_->connect();
    other.send("GET /closed HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(status_of(other.receive_until("no")), 401);
    EXPECT_TRUE(*was_whole);
    // The same with a short body, which is dropped, in one piece with the next request or not.
    other.send("POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /");
    EXPECT_EQ(status_of(other.receive_until("no")), 401);
    EXPECT_TRUE(*was_whole);
    other.send("POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGE");
    other.send("T /HEAD /closed HTTP/1.1\r\nHost: a\r\n\r\n" + std::string(kGetAndClose));
    const std::string rest = other.receive_all();
    EXPECT_EQ(status_of(rest), 401);
    EXPECT_TRUE(rest.contains("\r\n\r\nnoHTTP/1.1 401 ")) << rest;
    EXPECT_TRUE(rest.contains("\r\n\r\nHTTP/1.1 200 ")) << rest;
    // A long one is not waited for.
    RawSocket last = server_->connect();
    last.send("POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
    EXPECT_EQ(status_of(last.receive_all()), 401);
    EXPECT_FALSE(*was_whole);
}

TEST_F(HostileClient, OldVersionIsAnsweredUntilTheEnd) {
    start(patient(), [](const std::shared_ptr<Exchange>& exchange) {
        if (exchange->request().path == "/") {
            echo(exchange);
            return;
        }
        exchange->begin_stream({.body = "a"});
        exchange->send("b");
        exchange->end();
    });
    const std::string whole = server_->ask("GET / HTTP/1.0\r\n\r\n");
    EXPECT_TRUE(whole.contains("Content-Length: ") && whole.ends_with("GET /  ")) << whole;
    const std::string stream = server_->ask("GET /s HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_FALSE(stream.contains("Transfer-Encoding")) << stream;
    EXPECT_TRUE(stream.ends_with("\r\n\r\nab")) << stream;
    // Kept alive if it asks for that.
    RawSocket socket = server_->connect();
    for (int times = 0; times < 2; ++times) {
        socket.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        EXPECT_TRUE(socket.receive_until("GET /").contains("Connection: keep-alive\r\n"));
    }
}

TEST_F(HostileClient, ResponsesCannotBeSplit) {
    start(patient(), [](const std::shared_ptr<Exchange>& exchange) {
        exchange->respond({.reason = "O\r\nK",
                           .headers = {{"X", "a\r\nSet-Cookie: b"}, {"Content-Length", "99"}}});
    });
    const std::string answer = server_->ask(kGetAndClose);
    EXPECT_FALSE(answer.contains("\r\nSet-Cookie")) << answer;
    EXPECT_TRUE(answer.contains("Content-Length: 0\r\n")) << answer;
    EXPECT_EQ(count(answer, "Content-Length"), 1u) << answer;
}

TEST_F(HostileClient, DroppedExchangesAreAnsweredOrCutOff) {
    start(patient(), [](const std::shared_ptr<Exchange>& exchange) {
        if (exchange->request().path == "/") {
            echo(exchange);
        } else if (exchange->request().path == "/stream") {
            exchange->begin_stream({.body = "text"});
        }
    });
    EXPECT_EQ(status_of(server_->ask("GET /drop HTTP/1.1\r\nHost: a\r\n\r\n")), 500);
    // The chunk that would end the stream is missing.
    EXPECT_FALSE(server_->ask("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n").ends_with("0\r\n\r\n"));
}

TEST_F(HostileClient, GarbageOfAllKinds) {
    start();
    std::uint64_t seed = 1;
    for (int times = 0; times < 200; ++times) {
        std::string garbage;
        for (int index = 0; index < 300; ++index) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            garbage += static_cast<char>(seed >> 56);
        }
        RawSocket socket = server_->connect();
        socket.send(garbage);
        socket.end_writing();
        const std::string answer = socket.receive_all();
        EXPECT_TRUE(answer.empty() || status_of(answer) >= 400) << answer;
    }
}

}  // namespace
}  // namespace arbiter::net
