// Goal: limits hold for each sender, recover with time, and cost bounded memory (S14 of the
// security list). Method: the time is passed in.
#include "server/rate_limits.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace arbiter::server {
namespace {

using base::ErrorCode;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Time = RateLimits::Clock::time_point;

const Time kStart = Time() + seconds(1'000'000);

RateLimitOptions small() {
    return {.address = {.per_second = 2, .burst = 3},
            .token = {.per_second = 0.1, .burst = 2},
            .streams_per_token = 2};
}

TEST(RateLimits, ABurstThenTheRate) {
    RateLimits limits(small(), 1);
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(limits.take_of_address("192.0.2.1", kStart)) << i;
    }
    EXPECT_EQ(limits.take_of_address("192.0.2.1", kStart).error(),
              base::Error(ErrorCode::kRateLimited, {"1"}));
    // Others have buckets of their own.
    EXPECT_TRUE(limits.take_of_address("192.0.2.2", kStart));
    EXPECT_TRUE(limits.take_of_token("192.0.2.1", kStart));
    EXPECT_FALSE(limits.take_of_address("192.0.2.1", kStart + milliseconds(499)));
    EXPECT_TRUE(limits.take_of_address("192.0.2.1", kStart + milliseconds(501)));
    EXPECT_FALSE(limits.take_of_address("192.0.2.1", kStart + milliseconds(501)));
    // It fills to the burst and no further.
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(limits.take_of_address("192.0.2.1", kStart + seconds(3600))) << i;
    }
    EXPECT_FALSE(limits.take_of_address("192.0.2.1", kStart + seconds(3600)));
    // A clock that steps back gives nothing.
    EXPECT_FALSE(limits.take_of_address("192.0.2.1", kStart));
}

TEST(RateLimits, SayHowLongToWait) {
    RateLimits limits(small(), 1);
    ASSERT_TRUE(limits.take_of_token("a", kStart));
    ASSERT_TRUE(limits.take_of_token("a", kStart));
    EXPECT_EQ(limits.take_of_token("a", kStart).error().arguments[0], "10");
    EXPECT_EQ(limits.take_of_token("a", kStart + seconds(4)).error().arguments[0], "6");
    EXPECT_TRUE(limits.take_of_token("a", kStart + milliseconds(10'001)));
}

TEST(RateLimits, AnIpv6NetworkIsOneSender) {
    RateLimits limits(small(), 1);
    EXPECT_TRUE(limits.take_of_address("2001:db8:1:2::1", kStart));
    EXPECT_TRUE(limits.take_of_address("2001:db8:1:2::2", kStart));
    EXPECT_TRUE(limits.take_of_address("2001:db8:1:2:ffff::", kStart));
    EXPECT_FALSE(limits.take_of_address("2001:db8:1:2::9", kStart));
    EXPECT_TRUE(limits.take_of_address("2001:db8:1:3::1", kStart));
    // Both spellings of an IPv4 address are one.
    for (const char* address : {"192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201"}) {
        EXPECT_TRUE(limits.take_of_address(address, kStart)) << address;
    }
    EXPECT_FALSE(limits.take_of_address("192.0.2.1", kStart));
}

TEST(RateLimits, ZeroIsNoLimit) {
    RateLimits limits({.address = {}, .token = {}, .streams_per_token = 1}, 1);
    for (int i = 0; i < 10'000; ++i) {
        ASSERT_TRUE(limits.take_of_address("192.0.2.1", kStart));
        ASSERT_TRUE(limits.take_of_token("a", kStart));
    }
}

// The tables have a fixed size (rate_limits.h), so this can only fail by refusing honest senders or
// by forgetting the busy: the newcomers displace full buckets, and hardly ever an empty one.
TEST(RateLimits, AMillionAddressesNeitherAreRefusedNorFreeTheBusy) {
    RateLimits limits(small(), 7);
    std::vector<std::string> busy;
    for (int i = 0; i < 100; ++i) {
        busy.push_back("198.51.100." + std::to_string(i));
        while (limits.take_of_address(busy.back(), kStart)) {
        }
    }
    std::size_t refused = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        const std::string address = "10." + std::to_string(i >> 16) + "." +
                                    std::to_string((i >> 8) & 0xFF) + "." +
                                    std::to_string(i & 0xFF);
        refused += limits.take_of_address(address, kStart) ? 0 : 1;
    }
    EXPECT_EQ(refused, 0U);
    std::size_t still_limited = 0;
    for (const std::string& address : busy) {
        still_limited += limits.take_of_address(address, kStart) ? 0 : 1;
    }
    EXPECT_GE(still_limited, 95U);
}

TEST(RateLimits, StreamsOfATokenAreCounted) {
    RateLimits limits(small(), 1);
    const auto first = limits.open_stream("a");
    std::optional<RateLimits::Stream> second;
    second.emplace(limits.open_stream("a").value());
    EXPECT_TRUE(first);
    EXPECT_EQ(limits.open_stream("a").error().code, ErrorCode::kRateLimited);
    EXPECT_TRUE(limits.open_stream("b"));  // closed again
    second.reset();
    EXPECT_TRUE(limits.open_stream("a"));
    // Local requests have no token and no limit.
    std::vector<RateLimits::Stream> local;
    for (int i = 0; i < 100; ++i) {
        auto opened = limits.open_stream("");
        ASSERT_TRUE(opened);
        local.push_back(*std::move(opened));
    }
}

TEST(RateLimits, ManyThreadsTakeNoMoreThanTheBurst) {
    RateLimits limits({.address = {.per_second = 1, .burst = 1000}, .token = {}}, 1);
    std::atomic<int> taken = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int k = 0; k < 500; ++k) {
                taken += limits.take_of_address("192.0.2.1", kStart) ? 1 : 0;
            }
        });
    }
    for (std::thread& each : threads) {
        each.join();
    }
    EXPECT_EQ(taken, 1000);
}

}  // namespace
}  // namespace arbiter::server
