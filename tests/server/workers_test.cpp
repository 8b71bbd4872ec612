// Goal: the work of a strand runs one piece after another in the order of its callers, on whichever
// thread; the pool knows when more comes than it can do.
// Method: many threads that post, dispatch and try at once.
#include "server/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>

namespace arbiter::server {
namespace {

constexpr WorkersOptions kOneThread{
    .threads = 1, .running_max = 1, .wait_max = std::chrono::milliseconds(1)};

// One thread with more work than it can do at once: only work that was posted long after the first
// has waited for as long as the pool looks back. A short queue is no overload.
TEST(Workers, AreBehindWhenAllWorkHasToWait) {
    constexpr int kPieces = 100;
    constexpr std::chrono::milliseconds kPiece{10};
    Workers workers(kOneThread);
    EXPECT_FALSE(workers.is_behind());
    std::atomic<bool> is_behind_first = false;
    std::atomic<bool> is_behind_late = false;
    std::atomic<bool> is_behind_last = false;
    std::latch posted(1);
    for (int i = 0; i < kPieces; ++i) {
        workers.admit([&, i] {
            posted.wait();
            if (i == 0) {
                is_behind_first = workers.is_behind();
            }
            if (i == kPieces / 2) {
                is_behind_late = workers.is_behind();
            }
            if (i == kPieces - 2) {
                is_behind_last = workers.is_behind();
            }
            std::this_thread::sleep_for(kPiece);
        });
    }
    posted.count_down();
    workers.stop();
    EXPECT_FALSE(is_behind_first);
    EXPECT_TRUE(is_behind_late);
    EXPECT_FALSE(is_behind_last);
    EXPECT_FALSE(workers.is_behind());
}

TEST(Workers, FinishWhatHasBegunBeforeNewRequests) {
    Workers workers(kOneThread);
    std::vector<int> order;
    std::latch posted(1);
    workers.admit([&] {
        posted.wait();
        order.push_back(1);
        workers.post([&] { order.push_back(2); });
    });
    workers.admit([&] { order.push_back(3); });
    posted.count_down();
    workers.stop();
    EXPECT_EQ(order, (std::vector{1, 2, 3}));
}

// After the queue was too long for some time, a request is refused as soon as too many wait again:
// it takes no new period to find out.
TEST(Workers, RememberThatTheyWereBehind) {
    constexpr int kPieces = 100;
    constexpr std::chrono::milliseconds kPiece{10};
    Workers workers(kOneThread);
    std::atomic<bool> was_behind = false;
    std::latch is_idle(1);
    std::latch end(1);
    for (int i = 0; i < kPieces; ++i) {
        workers.admit([&] {
            if (workers.is_behind()) {
                was_behind = true;
            }
            std::this_thread::sleep_for(kPiece);
        });
    }
    workers.admit([&] { is_idle.count_down(); });
    is_idle.wait();
    EXPECT_TRUE(was_behind);
    EXPECT_FALSE(workers.is_behind());
    const auto since = std::chrono::steady_clock::now();
    for (int i = 0; i < kPieces; ++i) {
        workers.admit([&] { end.wait(); });
    }
    const bool is_behind_again = workers.is_behind();
    // A machine that paused meanwhile may have forgotten.
    const bool is_soon = std::chrono::steady_clock::now() - since < std::chrono::seconds(1);
    end.count_down();
    workers.stop();
    EXPECT_TRUE(is_behind_again || !is_soon);
}

// Two threads, of which one may run: the second piece begins while the first waits, or takes long.
TEST(Workers, BeginOthersBesideWorkThatWaitsOrTakesLong) {
    for (const bool says_so : {true, false}) {
        std::latch second(1);
        std::atomic<bool> is_over = false;
        Workers workers({.threads = 2, .running_max = 1});
        workers.post([&] {
            std::optional<Workers::Wait> wait;
            if (says_so) {
                wait.emplace();
            }
            second.wait();
            is_over = true;
        });
        workers.post([&] { second.count_down(); });
        workers.stop();
        EXPECT_TRUE(is_over);
    }
}

// More threads that post than may run, and fewer: no piece is forgotten.
TEST(Workers, RunEveryPieceWhateverTheOrderOfWakingUp) {
    constexpr int kThreads = 4;
    constexpr int kPieces = 5000;
    std::latch done(kThreads * kPieces);
    Workers workers({.threads = 4, .running_max = 2});
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < kPieces; ++i) {
                const auto work = [&done, i] {
                    std::optional<Workers::Wait> wait;
                    if (i % 7 == 0) {
                        wait.emplace();
                    }
                    done.count_down();
                };
                if (thread % 2 == 0) {
                    workers.post(work);
                } else {
                    workers.admit(work);
                }
            }
        });
    }
    done.wait();
    threads.clear();
    workers.stop();
}

TEST(Strand, IdleItRunsWorkAtOnceOnTheThreadOfTheCaller) {
    Workers workers({.threads = 2});
    const auto strand = std::make_shared<Strand>(workers);
    std::thread::id ran;
    EXPECT_TRUE(strand->try_now([&] { ran = std::this_thread::get_id(); }));
    EXPECT_EQ(ran, std::this_thread::get_id());
    ran = {};
    strand->dispatch([&] { ran = std::this_thread::get_id(); });
    EXPECT_EQ(ran, std::this_thread::get_id());
    workers.stop();
}

TEST(Strand, BusyItRefusesOrQueues) {
    Workers workers({.threads = 2});
    const auto strand = std::make_shared<Strand>(workers);
    std::vector<int> order;
    EXPECT_TRUE(strand->try_now([&] {
        // Work of the strand runs now: other work is queued behind it.
        EXPECT_FALSE(strand->try_now([&] { order.push_back(-1); }));
        strand->dispatch([&] { order.push_back(2); });
        strand->post([&] { order.push_back(3); });
        order.push_back(1);
    }));
    workers.stop();
    EXPECT_EQ(order, (std::vector{1, 2, 3}));
}

TEST(Strand, ManyThreadsNeverRunItsWorkTogether) {
    constexpr int kThreads = 4;
    constexpr int kPieces = 2000;
    Workers workers({.threads = 3});
    const auto strand = std::make_shared<Strand>(workers);
    const model::Post post = strand;
    std::atomic<int> inside = 0;
    int overlaps = 0;
    int sum = 0;  // not atomic: the strand protects it
    std::vector<int> last(kThreads, -1);
    std::latch begin(kThreads);
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < kThreads; ++thread) {
            threads.emplace_back([&, thread] {
                begin.arrive_and_wait();
                for (int i = 0; i < kPieces; ++i) {
                    const auto work = [&, thread, i] {
                        overlaps += inside.fetch_add(1) == 0 ? 0 : 1;
                        EXPECT_LT(last[static_cast<std::size_t>(thread)], i);
                        last[static_cast<std::size_t>(thread)] = i;
                        ++sum;
                        inside.fetch_sub(1);
                    };
                    if (i % 3 == 0 || !post.try_now(work)) {
                        post(work);
                    }
                }
            });
        }
    }
    workers.stop();
    EXPECT_EQ(overlaps, 0);
    EXPECT_EQ(sum, kThreads * kPieces);
}

}  // namespace
}  // namespace arbiter::server
