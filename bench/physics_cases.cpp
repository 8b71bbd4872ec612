// The machine's own speed: copying bytes, getting memory, and a mix of both with hashing.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/check.h"
#include "bench/cases.h"

namespace arbiter::bench {
namespace {

Answer measure_memcpy(const Request& request) {
    const std::string& from = request.document->text;
    std::vector<char> to(from.size());
    return {measure(request.target_ms,
                    [&] {
                        std::memcpy(to.data(), from.data(), from.size());
                        keep(*to.data());
                    }),
            {{"bytes", static_cast<double>(from.size())}}};
}

// `count` blocks of `bytes` are taken and then all given back, the way a version is made and
// dropped. A sample is one block, taken and given back.
Answer measure_malloc(const Request& request) {
    std::vector<void*> blocks(request.count);
    Samples samples = measure(request.target_ms, [&] {
        for (void*& block : blocks) {
            block = std::malloc(request.bytes);
            keep(block);
        }
        for (void* block : blocks) {
            std::free(block);
        }
    });
    for (double& ns : samples.ns) {
        ns /= static_cast<double>(request.count);
    }
    return {std::move(samples), {}};
}

// The reference of rows whose floor depends on the speed of the machine. One step takes a block of
// memory, copies bytes of the document into it, hashes them, and gives back the block of 64 steps
// before. The hash selects the next place in the document, so steps wait for each other as those
// of a walk through a tree do.
class Steps {
  public:
    explicit Steps(std::string_view text) : text_(text) { CHECK(text.size() > kBytes); }
    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;
    ~Steps() {
        for (void* block : blocks_) {
            std::free(block);
        }
    }

    void step() {
        void*& block = blocks_[++count_ % blocks_.size()];
        std::free(block);
        block = std::malloc(kBytes);
        CHECK(block != nullptr);
        std::memcpy(block, text_.data() + hash_ % (text_.size() - kBytes), kBytes);
        for (std::size_t i = 0; i < kBytes; i += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, static_cast<const char*>(block) + i, sizeof word);
            hash_ = std::rotl((hash_ ^ word) * 0x9E3779B97F4A7C15U, 29);
        }
        keep(hash_);
    }

  private:
    static constexpr std::size_t kBytes = 192;
    std::string_view text_;
    std::array<void*, 64> blocks_ = {};
    std::size_t count_ = 0;
    std::uint64_t hash_ = 1;
};

// A sample is one step.
Answer measure_steps(const Request& request) {
    Steps steps(request.document->text);
    return {measure(request.target_ms, [&] { steps.step(); })};
}

// The same on all cores at once: a sample is the time divided by the steps of all threads.
Answer measure_steps_together(const Request& request) {
    constexpr std::size_t kSteps = 20'000;
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    Samples samples = measure(request.target_ms, [&] {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < cores; ++i) {
            threads.emplace_back([&request] {
                Steps steps(request.document->text);
                for (std::size_t step = 0; step < kSteps; ++step) {
                    steps.step();
                }
            });
        }
    });
    for (double& ns : samples.ns) {
        ns /= static_cast<double>(cores * kSteps);
    }
    return {std::move(samples), {}};
}

std::string check_copy(const Request& request) {
    std::string to(request.document->text.size(), '\0');
    std::memcpy(to.data(), request.document->text.data(), to.size());
    return to;
}
std::string check_nothing(const Request&) {
    return "null";
}

constexpr Case kCases[] = {
    {"memcpy", measure_memcpy, check_copy},
    {"malloc", measure_malloc, check_nothing},
    {"steps", measure_steps, check_nothing},
    {"steps_together", measure_steps_together, check_nothing},
};

}  // namespace

std::span<const Case> physics_cases() {
    return kCases;
}

}  // namespace arbiter::bench
