// Loops: order, timers and their cancellation, stopping.
#include "net/loop.h"

#include <gtest/gtest.h>

#include <future>
#include <map>
#include <thread>
#include <vector>

#include "tests/net/network.h"

namespace arbiter::net {
namespace {

using namespace std::chrono_literals;

void run(Loop& loop, const std::function<void()>& work) {
    std::promise<void> done;
    loop.post([&] {
        work();
        done.set_value();
    });
    ASSERT_EQ(done.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST(Loop, WorkRunsInOrderOnItsThread) {
    Loops loops(2);
    std::vector<int> order;
    for (int index = 0; index < 1000; ++index) {
        loops.at(0).post([&, index] {
            EXPECT_TRUE(loops.at(0).is_current());
            EXPECT_FALSE(loops.at(1).is_current());
            order.push_back(index);
        });
    }
    run(loops.at(0), [] {});
    ASSERT_EQ(order.size(), 1000u);
    EXPECT_TRUE(std::ranges::is_sorted(order));
    EXPECT_FALSE(loops.at(0).is_current());
}

TEST(Loop, FewConnectionsShareALoopAndManyAreSpread) {
    Loops loops(3);
    std::map<const Loop*, int> counts;
    for (int few = 0; few < 30; ++few) {
        ++counts[&loops.next()];
    }
    EXPECT_EQ(counts.size(), 1u);
    for (int many = 30; many < 3000; ++many) {
        ++counts[&loops.next()];
    }
    ASSERT_EQ(counts.size(), 3u);
    for (const auto& [_, count] : counts) {
        EXPECT_NEAR(count, 1000, 64);
    }
}

TEST(Loop, WorkPostedByWorkRunsLater) {
    Loops loops(1);
    std::vector<int> order;
    run(loops.at(0), [&] {
        loops.at(0).post([&] { order.push_back(2); });
        order.push_back(1);
    });
    run(loops.at(0), [] {});
    EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(Loop, TimersFireOnceAndInOrder) {
    Loops loops(1);
    std::vector<int> order;
    std::promise<void> done;
    const auto late = loops.at(0).after(30ms, [&] {
        order.push_back(2);
        done.set_value();
    });
    const auto early = loops.at(0).after(1ms, [&] { order.push_back(1); });
    ASSERT_EQ(done.get_future().wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(Loop, DestroyedTimersDoNotFire) {
    Loops loops(1);
    bool has_fired = false;
    run(loops.at(0), [&] {
        auto timer = loops.at(0).after(0ms, [&] { has_fired = true; });
        std::this_thread::sleep_for(5ms);  // it is due, and has not run
        timer = nullptr;
    });
    // From another thread, too.
    std::unique_ptr<Loop::Timer> later = loops.at(0).after(10min, [&] { has_fired = true; });
    later = nullptr;
    run(loops.at(0), [] {});
    EXPECT_FALSE(has_fired);
}

TEST(Loop, TimersMayBeDestroyedByTheirOwnWork) {
    Loops loops(1);
    std::promise<void> done;
    std::unique_ptr<Loop::Timer> timer;
    run(loops.at(0), [&] {
        timer = loops.at(0).after(1ms, [&] {
            timer = nullptr;
            done.set_value();
        });
    });
    EXPECT_EQ(done.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST(Loop, StoppedLoopsDropTheirWork) {
    auto token = std::make_shared<int>(1);
    const std::weak_ptr<int> weak = token;
    std::unique_ptr<Loop::Timer> timer;
    {
        Loops loops(1);
        timer = loops.at(0).after(10min, [token] {});
        std::promise<void> begun;
        loops.at(0).post([&] {
            begun.set_value();
            std::this_thread::sleep_for(20ms);
        });
        begun.get_future().wait();
        loops.at(0).post([token] { ADD_FAILURE(); });
        timer = nullptr;
        loops.stop();
        loops.at(0).post([token] { ADD_FAILURE(); });
        token = nullptr;
    }
    EXPECT_TRUE(weak.expired());
}

}  // namespace
}  // namespace arbiter::net
