// How the work of an operation grows with its input: it is measured for n, 2n, 4n and 8n.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <string>

#include "tests/growth/counter.h"

namespace arbiter::tests {

// Prepares the input of a size and returns the operation on it; only the operation is measured.
using Operation = std::function<std::function<void()>(std::size_t)>;

inline bool is_full() {
    return std::getenv("ARBITER_FULL") != nullptr;
}

inline std::array<double, 4> works_of(std::size_t n, const Operation& operation) {
    static WorkCounter counter;
    operation(n)();  // caches and tables that are made once
    std::array<double, 4> works = {};
    for (std::size_t i = 0; i < works.size(); ++i) {
        works[i] = counter.work_of(operation(n << i));
    }
    return works;
}

inline bool counts_exactly() {
    static const WorkCounter counter;
    return counter.is_exact();
}

inline std::string shown(const std::array<double, 4>& works) {
    std::string text;
    for (const double work : works) {
        text += std::to_string(static_cast<long long>(work)) + " ";
    }
    return text;
}

// At most n·log n: with each doubling the work added doubles, or a little more. n² would add four
// times as much. The slack is for work that does not depend on n, and for the noise of a clock, of
// which also the whole may tell: n² would make it 64 times as much.
inline bool grows_linearly(const std::array<double, 4>& works) {
    const double factor = counts_exactly() ? 2.8 : 3.4;
    const double slack = (counts_exactly() ? 0.05 : 0.3) * works[3];
    const double added = std::max(0.0, works[2] - works[1]);
    return works[3] - works[2] <= factor * added + slack ||
           (!counts_exactly() && works[3] <= 16 * works[0]);
}

// A limit inside of the range (a text that is no longer held back, a cache that is full) looks like
// a jump. An operation that seems to grow faster is measured again with inputs eight times as
// large, `tries` times in all: beyond the limit it must grow linearly too.
inline void expect_linear(const std::string& name, std::size_t n, const Operation& operation,
                          int tries = 2) {
    for (int i = 0; i < tries; ++i, n *= 8) {
        const auto works = works_of(n, operation);
        if (grows_linearly(works)) {
            return;
        }
        if (i + 1 == tries) {
            ADD_FAILURE() << name << (counts_exactly() ? ", instructions" : ", nanoseconds")
                          << " for n, 2n, 4n, 8n with n = " << n << ": " << shown(works);
        }
    }
}

// The size of the input hardly matters. Measured again where a clock may have been disturbed.
inline void expect_flat(const std::string& name, std::size_t n, const Operation& operation) {
    const int tries = counts_exactly() ? 1 : 5;
    for (int i = 0; i < tries; ++i) {
        const auto works = works_of(n, operation);
        if (works[3] <= (counts_exactly() ? 2 : 5) * works[0]) {
            return;
        }
        if (i + 1 == tries) {
            ADD_FAILURE() << name << ", work for n, 2n, 4n, 8n with n = " << n << ": "
                          << shown(works);
        }
    }
}

}  // namespace arbiter::tests
