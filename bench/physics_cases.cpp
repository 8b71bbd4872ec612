// The machine's own speed: copying bytes, and getting memory.
#include <cstdlib>
#include <cstring>

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
};

}  // namespace

std::span<const Case> physics_cases() {
    return kCases;
}

}  // namespace arbiter::bench
