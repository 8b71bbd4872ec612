// Metrics: counts of a running server in the text format of Prometheus (version 0.0.4).
//
// Updating a series costs one relaxed atomic addition; finding one by its labels takes a shared
// lock. Labels hold names from the program only (routes, statuses, codes), never ids, words of
// people or secrets. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::server {

class Counter {
  public:
    void add(std::uint64_t count = 1) noexcept {
        value_.fetch_add(count, std::memory_order_relaxed);
    }
    // For a total that is counted elsewhere.
    void set(std::uint64_t total) noexcept { value_.store(total, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t value() const noexcept {
        return value_.load(std::memory_order_relaxed);
    }

  private:
    std::atomic<std::uint64_t> value_ = 0;
};

class Gauge {
  public:
    void set(std::int64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }
    void add(std::int64_t change) noexcept { value_.fetch_add(change, std::memory_order_relaxed); }
    [[nodiscard]] std::int64_t value() const noexcept {
        return value_.load(std::memory_order_relaxed);
    }

  private:
    std::atomic<std::int64_t> value_ = 0;
};

// Durations, counted by upper bounds from 1 ms to 60 s.
class Histogram {
  public:
    static constexpr std::array kBounds = {
        std::chrono::microseconds(1'000),      std::chrono::microseconds(2'500),
        std::chrono::microseconds(5'000),      std::chrono::microseconds(10'000),
        std::chrono::microseconds(25'000),     std::chrono::microseconds(50'000),
        std::chrono::microseconds(100'000),    std::chrono::microseconds(250'000),
        std::chrono::microseconds(500'000),    std::chrono::microseconds(1'000'000),
        std::chrono::microseconds(2'500'000),  std::chrono::microseconds(5'000'000),
        std::chrono::microseconds(10'000'000), std::chrono::microseconds(30'000'000),
        std::chrono::microseconds(60'000'000)};

    void observe(std::chrono::nanoseconds took) noexcept;
    struct Snapshot {
        std::array<std::uint64_t, kBounds.size() + 1> counts = {};  // the last: above all bounds
        std::chrono::nanoseconds sum{0};
    };
    [[nodiscard]] Snapshot snapshot() const noexcept;

  private:
    std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> counts_ = {};
    std::atomic<std::int64_t> nanoseconds_ = 0;
};

// Series of one kind that differ in their labels. Series are made on first use and stay. Beyond
// kSeriesMax all further ones are one, whose labels are "other": a mistake in the choice of labels
// must not fill the memory.
template <typename Series>
class Family {
  public:
    static constexpr std::size_t kSeriesMax = 2'000;

    // The names of the labels, which must be constants.
    Family(std::initializer_list<std::string_view> labels) : labels_(labels) {}

    // The series of these values, as many as there are labels.
    Series& at(std::initializer_list<std::string_view> values);

    // Visits all series with the text of their labels: a="1",b="2".
    template <typename Each>
    void visit(Each each) const {
        const std::shared_lock lock(lock_);
        for (const auto& [labels, series] : series_) {
            each(std::string_view(labels), *series);
        }
    }

  private:
    [[nodiscard]] std::string text_of(std::initializer_list<std::string_view> values) const;

    const std::vector<std::string_view> labels_;
    mutable std::shared_mutex lock_;
    std::map<std::string, std::unique_ptr<Series>, std::less<>> series_;
};
extern template class Family<Counter>;
extern template class Family<Histogram>;

class Metrics {
  public:
    Metrics();

    // One answered request. `route` is a pattern of the route table, empty if no route matched.
    void request(std::string_view route, std::string_view method, int status,
                 std::chrono::nanoseconds took);

    Family<Counter> refused{"code"};         // by the code of the error: token_refused …
    Family<Counter> rate_limited{"by"};      // address, token, streams
    Family<Counter> turns{"status"};         // committed, reported, blocked …, or a code
    Histogram turn_seconds;                  // from the request to the durable turn
    Family<Counter> model_calls{"outcome"};  // ok, cancelled, or the code of the error
    Family<Counter> model_tokens{"kind"};    // prompt, completion
    Histogram model_seconds;                 // of one call, to its last byte
    Family<Counter> commits{"outcome"};      // ok, or the code of the error
    Histogram commit_seconds;                // until durable
    Gauge sessions;                          // open campaigns
    Gauge connections;
    Gauge streams;  // answers that are being streamed
    Gauge viewers;  // listeners to events
    Gauge queued;   // jobs that wait for their campaign
    Counter bytes_in;
    Counter bytes_out;

    // Called before print(), to set gauges that are not counted as they change.
    std::function<void()> on_print = {};
    // All of it, with figures of the process.
    [[nodiscard]] std::string print() const;
    static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

  private:
    Family<Counter> requests_{"route", "method", "status"};
    Family<Histogram> latency_{"route"};
    const double started_;  // seconds since 1970
};

}  // namespace arbiter::server
