// How one operation is timed.
//
// Reading the clock costs about 35 ns, so operations are timed in batches: a batch is made so large
// that it takes at least kBatchNs, and a sample is the time of a batch divided by its operations.
// The 99th percentile of such samples is that of batches; it shows disturbances of the machine
// rather than the rare slow operation.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace arbiter::bench {

// Long enough that the clock is below a thousandth of a batch, short enough for many samples.
inline constexpr double kBatchNs = 100'000;
// Even an operation that takes longer than the whole target is seen this often.
inline constexpr std::size_t kSamplesMin = 3;

struct Samples {
    std::vector<double> ns;  // per operation
    std::uint64_t batch = 1;
};

// Makes the compiler believe that somebody looks at the value.
template <typename T>
void keep(const T& value) noexcept {
    asm volatile("" : : "r"(&value) : "memory");
}

inline double now_ns() noexcept {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

// Times operation() for about `target_ms`. between() runs before every batch, off the clock.
template <typename Operation, typename Between>
Samples measure(double target_ms, Operation operation, Between between) {
    const auto time_batch = [&](std::uint64_t batch) {
        between();
        const double start = now_ns();
        for (std::uint64_t i = 0; i < batch; ++i) {
            operation();
        }
        return now_ns() - start;
    };
    Samples samples;
    while (time_batch(samples.batch) < kBatchNs) {
        samples.batch *= 2;
    }
    double spent = 0;
    while (spent < target_ms * 1e6 || samples.ns.size() < kSamplesMin) {
        const double took = time_batch(samples.batch);
        samples.ns.push_back(took / static_cast<double>(samples.batch));
        spent += took;
    }
    between();
    return samples;
}

template <typename Operation>
Samples measure(double target_ms, Operation operation) {
    return measure(target_ms, operation, [] {});
}

}  // namespace arbiter::bench
