#include "server/rate_limits.h"

#include <algorithm>
#include <cmath>

#include "server/internal/ip_network.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;

namespace {

// 65,536 addresses in 2 MB: more than a small server sees in the seconds a bucket takes to fill.
constexpr std::size_t kAddressPlaces = std::size_t{1} << 14;
constexpr std::size_t kTokenPlaces = std::size_t{1} << 10;

// FNV-1a with a seed, mixed at the end. Collisions cost only that two keys share a bucket.
std::uint64_t hash_of(std::string_view key, std::uint64_t seed) {
    std::uint64_t hash = seed ^ 0xCBF29CE484222325ULL;
    for (const char c : key) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
        hash ^= hash >> 29;
    }
    hash = (hash ^ (hash >> 32) ^ seed) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
    return hash != 0 ? hash : 1;
}

Result<> answer(std::optional<double> wait) {
    if (!wait) {
        return {};
    }
    const auto seconds = static_cast<std::int64_t>(std::ceil(std::clamp(*wait, 1.0, 3600.0)));
    return base::fail(ErrorCode::kRateLimited, {std::to_string(seconds)});
}

}  // namespace

RateLimits::Buckets::Buckets(const Rate& rate, std::size_t places, std::uint64_t seed)
    : rate_{rate.per_second, std::max(rate.burst, 1.0)},
      seed_(seed),
      places_(rate.per_second > 0 ? places : 0) {}

double RateLimits::Buckets::units_at(const Bucket& bucket, Clock::time_point now) const {
    const std::chrono::duration<double> passed = now - bucket.seen;
    return std::min(rate_.burst, bucket.units + std::max(passed.count(), 0.0) * rate_.per_second);
}

RateLimits::Buckets::Bucket& RateLimits::Buckets::find(std::uint64_t key, Clock::time_point now) {
    Place& place = places_[key & (places_.size() - 1)];
    Bucket* room = place.data();
    double room_units = -1;
    for (Bucket& each : place) {
        if (each.key == key) {
            return each;
        }
        const double units = each.key == 0 ? rate_.burst + 1 : units_at(each, now);
        if (units > room_units) {
            room = &each;
            room_units = units;
        }
    }
    *room = {key, rate_.burst, now};
    return *room;
}

std::optional<double> RateLimits::Buckets::take(std::string_view key, Clock::time_point now) {
    if (places_.empty()) {
        return std::nullopt;
    }
    const std::uint64_t hash = hash_of(key, seed_);
    const std::scoped_lock lock(lock_);
    Bucket& bucket = find(hash, now);
    bucket.units = units_at(bucket, now);
    bucket.seen = std::max(bucket.seen, now);
    if (bucket.units < 1) {
        return (1 - bucket.units) / rate_.per_second;
    }
    bucket.units -= 1;
    return std::nullopt;
}

RateLimits::RateLimits(const RateLimitOptions& options, std::uint64_t seed)
    : options_(options),
      addresses_(options.address, kAddressPlaces, seed),
      tokens_(options.token, kTokenPlaces, ~seed) {}

Result<> RateLimits::take_of_address(std::string_view address, Clock::time_point now) {
    return answer(addresses_.take(network_of_host(address), now));
}

Result<> RateLimits::take_of_token(std::string_view token, Clock::time_point now) {
    return answer(tokens_.take(token, now));
}

Result<RateLimits::Stream> RateLimits::open_stream(std::string_view token) {
    const std::scoped_lock lock(lock_);
    if (!token.empty()) {
        const auto found = streams_.find(token);
        if (found == streams_.end()) {
            streams_.emplace(token, 1);
        } else if (found->second >= options_.streams_per_token) {
            return base::fail(ErrorCode::kRateLimited, {"1"});
        } else {
            ++found->second;
        }
    }
    return Stream(*this, std::string(token));
}

void RateLimits::close_stream(const std::string& token) {
    const std::scoped_lock lock(lock_);
    const auto found = streams_.find(token);
    if (found != streams_.end() && --found->second == 0) {
        streams_.erase(found);
    }
}

}  // namespace arbiter::server
