// CHECK: an invariant of our own code, tested in every build.
//
// A failed CHECK prints the condition and aborts. Input must never reach one, as the fuzzers
// verify. Expected failures are Results (base/error.h), refused proposals are data.
#pragma once

namespace arbiter::base {

// Writes one line to standard error and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace arbiter::base

#define CHECK(condition)                               \
    (__builtin_expect(static_cast<bool>(condition), 1) \
         ? static_cast<void>(0)                        \
         : ::arbiter::base::check_failed(#condition, __FILE__, __LINE__))
