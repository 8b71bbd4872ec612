// Watches: what a socket reports once is not lost, and callbacks of those that are gone do not run.
#include "net/internal/watch.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "net/internal/tls.h"
#include "tests/net/network.h"

namespace arbiter::net::internal {
namespace {

// A watched socket and its peer. Used on the thread of the loop.
struct Pair {
    Descriptor peer;
    std::unique_ptr<Watch> watch;

    explicit Pair(Loop& loop) {
        std::array<int, 2> made{};
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, made.data()),
                  0);
        peer = Descriptor(made[0]);
        watch = Watch::open(loop, Descriptor(made[1]));
    }
    void send(std::string_view bytes) const {
        EXPECT_EQ(transmit(peer.get(), bytes).bytes, bytes.size());
    }
    // As a connection reads: less than it could have means that nothing is left.
    std::string read() const {
        std::array<char, 64> buffer{};
        const Io io = receive(watch->socket(), buffer);
        if (io.status == Io::Status::kWaitRead) {
            watch->set_unreadable();
        } else if (io.bytes < buffer.size()) {
            watch->set_drained();
        }
        return io.status == Io::Status::kEnd ? "end" : std::string(buffer.data(), io.bytes);
    }
};

class WatchTest : public testing::Test {
  protected:
    void run(const std::function<void()>& work) {
        std::promise<void> done;
        loops_.at(0).post([&] {
            work();
            done.set_value();
        });
        ASSERT_EQ(done.get_future().wait_for(kPatience), std::future_status::ready);
    }
    // Until `done()` was called on the loop.
    void wait() { ASSERT_EQ(done_.get_future().wait_for(kPatience), std::future_status::ready); }
    void done() { done_.set_value(); }

    Loops loops_{1};
    Loop& loop_ = loops_.at(0);
    std::promise<void> done_;
};

TEST_F(WatchTest, TheEndBehindTheLastBytesIsSeen) {
    std::optional<Pair> pair;
    std::string first;
    std::string second;
    run([&] {
        pair.emplace(loop_);
        pair->send("bytes");
        pair->peer = {};  // the bytes and the end are one report
        pair->watch->when_readable([&] {
            first = pair->read();
            pair->watch->when_readable([&] {
                second = pair->read();
                done();
            });
        });
    });
    wait();
    EXPECT_EQ(first, "bytes");
    EXPECT_EQ(second, "end");
    run([&] { pair.reset(); });
}

TEST_F(WatchTest, BytesThatWereNotReadAreReportedAgain) {
    std::optional<Pair> pair;
    int calls = 0;
    std::string read;
    run([&] {
        pair.emplace(loop_);
        pair->send("bytes");
        pair->watch->when_readable([&] {
            ++calls;
            pair->watch->when_readable([&] {
                ++calls;
                read = pair->read();
                pair->watch->when_readable([&] {
                    ++calls;
                    read += pair->read();
                    done();
                });
            });
        });
    });
    run([&] { pair->send(" more"); });
    wait();
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(read, "bytes more");
    run([&] { pair.reset(); });
}

TEST_F(WatchTest, CallbacksRunInOrderAndNeverAtOnce) {
    std::optional<Pair> pair;
    std::string order;
    run([&] {
        pair.emplace(loop_);
        pair->watch->when_writable([&] {
            pair->watch->when_writable([&] { order += 'b'; });
            pair->watch->when_writable([&] {
                order += 'c';
                done();
            });
            order += 'a';
        });
    });
    wait();
    EXPECT_EQ(order, "abc");
    run([&] { pair.reset(); });
}

// Both sockets are reported at once; whichever has its turn first ends the other.
TEST_F(WatchTest, AWatchThatIsGoneDoesNotCallBack) {
    std::optional<Pair> one;
    std::optional<Pair> other;
    int calls = 0;
    run([&] {
        one.emplace(loop_);
        other.emplace(loop_);
        one->watch->when_readable([&] {
            ++calls;
            other.reset();
        });
        other->watch->when_readable([&] {
            ++calls;
            one.reset();
        });
        one->send("x");
        other->send("x");
    });
    run([] {});
    run([] {});
    EXPECT_EQ(calls, 1);
    run([&] {
        one.reset();
        other.reset();
    });
}

// The same among watches that are ready without a new report.
TEST_F(WatchTest, AWatchThatIsGoneLosesItsTurn) {
    std::optional<Pair> one;
    std::optional<Pair> other;
    int calls = 0;
    run([&] {
        one.emplace(loop_);
        other.emplace(loop_);
        one->watch->when_writable([] {});
        other->watch->when_writable([] {});
    });
    run([] {});
    run([&] {
        one->watch->when_writable([&] {
            ++calls;
            other.reset();
        });
        other->watch->when_writable([&] { ++calls; });
    });
    run([] {});
    EXPECT_EQ(calls, 1);
    run([&] { one.reset(); });
}

// Of two callbacks for one direction the first one ends the socket.
TEST_F(WatchTest, TheSecondCallbackDoesNotRunWithoutAWatch) {
    std::optional<Pair> pair;
    int calls = 0;
    run([&] {
        pair.emplace(loop_);
        pair->watch->when_writable([&] {
            ++calls;
            pair.reset();
        });
        pair->watch->when_writable([&] { ++calls; });
    });
    run([] {});
    run([] {});
    EXPECT_EQ(calls, 1);
}

TEST_F(WatchTest, ForgottenCallbacksDoNotRun) {
    std::optional<Pair> pair;
    int calls = 0;
    run([&] {
        pair.emplace(loop_);
        pair->watch->when_readable([&] { ++calls; });
        pair->send("x");
        pair->watch->forget();
    });
    run([] {});
    run([] {});
    EXPECT_EQ(calls, 0);
    run([&] { pair->watch->when_readable([&] { done(); }); });
    wait();
    run([&] { pair.reset(); });
}

}  // namespace
}  // namespace arbiter::net::internal
