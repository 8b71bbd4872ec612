#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace arbiter::base {

void check_failed(const char* condition, const char* file, int line) noexcept {
    std::fprintf(stderr, "arbiter: broken invariant: %s (%s:%d)\n", condition, file, line);
    std::fflush(nullptr);
    std::abort();
}

}  // namespace arbiter::base
