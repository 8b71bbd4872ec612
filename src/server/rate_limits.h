// RateLimits: how many requests an address and a token may send, and how many streams a token may
// hold open.
//
// Each has a bucket that fills at a rate and holds a burst; a request takes one unit. The buckets
// are in tables of a fixed size: a million addresses cost no more memory than one. Of the few
// buckets that share a place, the fullest one makes room for a new one, which is what would have
// become of it soon anyway.
//
// The caller passes the time. Thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::server {

struct Rate {
    double per_second = 0;  // 0: not limited
    double burst = 0;
    friend bool operator==(const Rate&, const Rate&) = default;
};

struct RateLimitOptions {
    // A page with all its requests at once fits into the burst; a person sends far fewer.
    Rate address = {.per_second = 50, .burst = 200};
    // A program that plays many campaigns.
    Rate token = {.per_second = 200, .burst = 1000};
    // Streams hold a connection and a turn each.
    std::size_t streams_per_token = 32;
    friend bool operator==(const RateLimitOptions&, const RateLimitOptions&) = default;
};

class RateLimits {
  public:
    using Clock = std::chrono::steady_clock;

    // `seed` makes the places of keys unpredictable for attackers who choose keys.
    RateLimits(const RateLimitOptions& options, std::uint64_t seed);

    // Take one unit. Fail with kRateLimited {seconds until the next unit, at least 1}. An IPv6
    // address stands for its /64 network, of which one host can use every address.
    base::Result<> take_of_address(std::string_view address, Clock::time_point now);
    base::Result<> take_of_token(std::string_view token, Clock::time_point now);

    // An open stream of a token; the destructor closes it. Must not outlive the limits.
    class Stream {
      public:
        Stream(RateLimits& limits, std::string token)
            : limits_(&limits), token_(std::move(token)) {}
        Stream(Stream&& from) noexcept
            : limits_(std::exchange(from.limits_, nullptr)), token_(std::move(from.token_)) {}
        Stream& operator=(Stream&&) = delete;
        ~Stream() {
            if (limits_ != nullptr) {
                limits_->close_stream(token_);
            }
        }

      private:
        RateLimits* limits_;
        std::string token_;
    };
    // Fails with kRateLimited. Requests without a token (an empty name) are not counted.
    base::Result<Stream> open_stream(std::string_view token);

  private:
    // Buckets by a hash of their keys.
    class Buckets {
      public:
        Buckets(const Rate& rate, std::size_t places, std::uint64_t seed);
        // Nothing: taken. Else the seconds to wait.
        std::optional<double> take(std::string_view key, Clock::time_point now);

      private:
        struct Bucket {
            std::uint64_t key = 0;  // 0: free
            double units = 0;
            Clock::time_point seen = {};
        };
        static constexpr std::size_t kWays = 4;  // buckets that share a place
        using Place = std::array<Bucket, kWays>;

        [[nodiscard]] double units_at(const Bucket& bucket, Clock::time_point now) const;
        Bucket& find(std::uint64_t key, Clock::time_point now);

        const Rate rate_;
        const std::uint64_t seed_;
        std::mutex lock_;
        std::vector<Place> places_;  // a power of two of them
    };

    void close_stream(const std::string& token);

    const RateLimitOptions options_;
    Buckets addresses_;
    Buckets tokens_;
    mutable std::mutex lock_;
    std::map<std::string, std::size_t, std::less<>> streams_;  // of tokens that have some
};

}  // namespace arbiter::server
