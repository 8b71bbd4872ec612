// The server with well-formed clients: answers, streams, keep-alive, back-pressure, draining.
#include "net/server.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <mutex>

#include "tests/net/network.h"

namespace arbiter::net {
namespace {

using namespace std::chrono_literals;

TEST(Server, AnswersRequestsOfTheClient) {
    RunningServer server(echo);
    WaitingClient client;
    const Fetched got = client.get(server.port(), "/a%20b?x=1");
    ASSERT_TRUE(got.result);
    EXPECT_EQ(got.head->status, 200);
    EXPECT_EQ(got.head->reason, "OK");
    EXPECT_EQ(*got.head->headers.find("Content-Type"), "text/plain");
    EXPECT_NE(got.head->headers.find("date"), nullptr);
    EXPECT_EQ(got.body, "GET /a%20b x=1 ");
    EXPECT_EQ(client.post(server.port(), "hello").body, "POST /  hello");
    // Both went over one connection.
    EXPECT_EQ(server.counts().accepted, 1u);
    EXPECT_EQ(server.counts().requests, 2u);
}

TEST(Server, StreamsArriveInOrderAndComplete) {
    Background background;
    RunningServer server([&](const std::shared_ptr<Exchange>& exchange) {
        exchange->begin_stream({.headers = {{"Content-Type", "text/event-stream"}}, .body = "0;"});
        background.run([exchange] {
            for (int index = 1; index < 1000; ++index) {
                exchange->send(std::to_string(index) + ";");
            }
            exchange->end();
        });
    });
    WaitingClient client;
    std::string expected;
    for (int index = 0; index < 1000; ++index) {
        expected += std::to_string(index) + ";";
    }
    for (int times = 0; times < 5; ++times) {
        const Fetched got = client.get(server.port());
        ASSERT_TRUE(got.result);
        EXPECT_EQ(got.body, expected);
    }
    EXPECT_EQ(server.counts().accepted, 1u);
    EXPECT_TRUE(eventually([&] { return server.counts().exchanges == 0; }));
    background.join();
}

TEST(Server, LargeBodiesPassInBothDirections) {
    RunningServer server([](const std::shared_ptr<Exchange>& exchange) {
        exchange->respond({.body = exchange->request().body});
    });
    WaitingClient client;
    const std::string large(10 << 20, 'x');
    const Fetched got = client.post(server.port(), large);
    ASSERT_TRUE(got.result);
    EXPECT_TRUE(got.body == large);
}

TEST(Server, HeadAndStatusesWithoutBody) {
    RunningServer server([](const std::shared_ptr<Exchange>& exchange) {
        if (exchange->request().path == "/none") {
            exchange->respond({.status = 204, .body = "dropped"});
        } else if (exchange->request().path == "/stream") {
            exchange->begin_stream({.body = "text"});
            exchange->end();
        } else {
            exchange->respond({.body = "text"});
        }
    });
    WaitingClient client;
    for (const char* path : {"/", "/stream"}) {
        const Fetched got =
            client.fetch({.method = "HEAD", .url = {false, "127.0.0.1", server.port(), path}});
        ASSERT_TRUE(got.result);
        EXPECT_EQ(got.body, "");
    }
    const Fetched none = client.get(server.port(), "/none");
    EXPECT_EQ(none.head->status, 204);
    EXPECT_EQ(none.head->headers.find("content-length"), nullptr);
    EXPECT_EQ(client.get(server.port()).body, "text");
    EXPECT_EQ(server.counts().accepted, 1u);
}

// The exchange that a handler has received, for the test's thread.
class Received {
  public:
    void put(std::shared_ptr<Exchange> exchange) {
        const std::lock_guard lock(mutex_);
        exchange_ = std::move(exchange);
    }
    std::shared_ptr<Exchange> wait() {
        std::shared_ptr<Exchange> taken;
        EXPECT_TRUE(eventually([&] {
            const std::lock_guard lock(mutex_);
            taken = std::exchange(exchange_, nullptr);
            return taken != nullptr;
        }));
        return taken;
    }
    Handler handler() {
        return [this](const std::shared_ptr<Exchange>& exchange) { put(exchange); };
    }

  private:
    std::mutex mutex_;
    std::shared_ptr<Exchange> exchange_;
};

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(Server, UnsentBytesAreCounted) {
    Received received;
    RunningServer server(received.handler());
    RawSocket socket = server.connect(4096);
    socket.send(kGet);
    const std::shared_ptr<Exchange> exchange = received.wait();
    EXPECT_EQ(exchange->peer(), "127.0.0.1");
    EXPECT_TRUE(exchange->peer_is_loopback());
    exchange->begin_stream({});
    EXPECT_TRUE(eventually([&] { return exchange->unsent() == 0; }));
    // The system takes some megabytes before the peer has read anything.
    std::size_t sent = 0;
    while (exchange->unsent() < 1'000'000 && sent < std::size_t{64} << 20) {
        exchange->send(std::string(100'000, 'x'));
        sent += 100'000;
        std::this_thread::sleep_for(1ms);
    }
    EXPECT_GE(exchange->unsent(), 1'000'000u);
    EXPECT_FALSE(exchange->is_gone());
    exchange->end();
    EXPECT_GE(socket.receive_until("\r\n0\r\n\r\n").size(), sent);
    EXPECT_TRUE(eventually([&] { return exchange->unsent() == 0; }));
}

// A callback may own the exchange and call it when it is destroyed.
TEST(Server, CallbacksThatOwnTheirExchangeAreDropped) {
    std::atomic<int> destroyed = 0;
    RunningServer server([&](const std::shared_ptr<Exchange>& exchange) {
        const std::shared_ptr<void> owner(nullptr, [exchange, &destroyed](void*) {
            exchange->end();
            exchange->on_gone([] {});
            ++destroyed;
        });
        exchange->on_gone([owner] {});
        exchange->on_gone([owner, exchange] {});
        exchange->respond({.body = "x"});
    });
    WaitingClient client;
    EXPECT_EQ(client.get(server.port()).body, "x");
    EXPECT_TRUE(eventually([&] { return destroyed == 1; }));
}

TEST(Server, SecondAnswersAreIgnored) {
    RunningServer server([](const std::shared_ptr<Exchange>& exchange) {
        exchange->send("before");
        exchange->end();
        exchange->respond({.body = "first"});
        exchange->respond({.body = "second"});
        exchange->begin_stream({.body = "third"});
        exchange->send("after");
        exchange->end();
    });
    WaitingClient client;
    EXPECT_EQ(client.get(server.port()).body, "first");
    EXPECT_EQ(client.get(server.port()).body, "first");
}

TEST(Server, DrainLetsRunningExchangesFinish) {
    Received received;
    // One loop: when it answers the second request, it has told every connection.
    RunningServer server(received.handler(), {}, 1);
    RawSocket idle = server.connect();
    RawSocket busy = server.connect();
    RawSocket begun = server.connect();
    begun.send("GET / HT");
    busy.send(kGet);
    const std::shared_ptr<Exchange> exchange = received.wait();
    EXPECT_TRUE(eventually([&] { return server.counts().bytes_in == kGet.size() + 8; }));
    std::thread drainer([&] { server.server().drain(kPatience); });
    EXPECT_EQ(idle.receive_all(), "");
    // A request that had begun is answered too.
    begun.send("TP/1.1\r\nHost: a\r\n\r\n");
    received.wait()->respond({.body = "second"});
    const std::string second = begun.receive_all();
    EXPECT_TRUE(second.contains("Connection: close\r\n") && second.ends_with("second")) << second;
    begun.close();
    exchange->respond({.body = "first"});
    const std::string first = busy.receive_all();
    EXPECT_TRUE(first.contains("Connection: close\r\n") && first.ends_with("first")) << first;
    busy.close();
    drainer.join();
    EXPECT_EQ(server.counts().connections, 0u);
    EXPECT_FALSE(RawSocket(server.port()).is_connected());
}

TEST(Server, DrainClosesTheRestAtItsDeadline) {
    Received received;
    RunningServer server(received.handler());
    RawSocket socket = server.connect();
    socket.send(kGet);
    const std::shared_ptr<Exchange> exchange = received.wait();
    std::atomic<bool> is_gone = false;
    exchange->on_gone([&] { is_gone = true; });
    server.server().drain(50ms);
    EXPECT_EQ(server.counts().connections, 0u);
    EXPECT_EQ(socket.receive_all(), "");
    EXPECT_TRUE(eventually([&] { return is_gone.load(); }));
    exchange->respond({.body = "too late"});
}

TEST(Server, EndsWithExchangesAndConnectionsOpen) {
    Received received;
    std::shared_ptr<Exchange> kept;
    std::optional<RawSocket> socket;
    {
        RunningServer server(received.handler());
        socket.emplace(server.port());
        socket->send(kGet);
        kept = received.wait();
    }
    EXPECT_EQ(socket->receive_all(), "");
    EXPECT_TRUE(kept->is_gone());
}

TEST(Server, AddressesThatCannotBeUsedAreErrors) {
    RunningServer server(echo);
    Loops loops(1);
    const auto taken = Server::listen(loops, {"127.0.0.1", server.port()}, {}, echo);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().code, base::ErrorCode::kListenFailed);
    EXPECT_EQ(taken.error().arguments[1], "Address already in use");
    const auto foreign = Server::listen(loops, {"192.0.2.1", 0}, {}, echo);
    ASSERT_FALSE(foreign);
    EXPECT_EQ(foreign.error().code, base::ErrorCode::kListenFailed);
    const auto unknown = Server::listen(loops, {"host.invalid", 0}, {}, echo);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, base::ErrorCode::kHostUnknown);
    EXPECT_TRUE(Server::listen(loops, {"::1", 0}, {}, echo));
}

TEST(Server, OwnErrorsAreRenderedByTheOption) {
    RunningServer server(echo, {.refusal = [](int status, const base::Error& error) {
                             return Response{.status = status,
                                             .body = error.code == base::ErrorCode::kHttpMalformed
                                                         ? "rendered"
                                                         : "other"};
                         }});
    EXPECT_TRUE(server.ask("bad\r\n\r\n").ends_with("rendered"));
}

// A connection that only waits holds no buffers.
TEST(Server, WaitingStreamsNeedLittleMemory) {
    constexpr std::size_t kWaiting = 500;
    std::mutex mutex;
    std::vector<std::shared_ptr<Exchange>> streams;
    RunningServer server([&](const std::shared_ptr<Exchange>& exchange) {
        exchange->begin_stream({.headers = {{"Content-Type", "text/event-stream"}}, .body = "x"});
        const std::lock_guard lock(mutex);
        streams.push_back(exchange);
    });
    std::vector<RawSocket> sockets;
    const std::size_t before = mallinfo2().uordblks;
    for (std::size_t index = 0; index < kWaiting; ++index) {
        sockets.emplace_back(server.port());
        sockets.back().send(kGet);
        sockets.back().receive_until("x\r\n");
    }
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return streams.size() == kWaiting;
    }));
    const std::size_t after = mallinfo2().uordblks;
    EXPECT_LE((after - before) / kWaiting, 8192u);
    const std::lock_guard lock(mutex);
    streams.clear();
}

}  // namespace
}  // namespace arbiter::net
