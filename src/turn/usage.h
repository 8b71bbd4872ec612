// Usage: the cost of a campaign's model calls, and the caps that its settings put on it. The
// total of a campaign is kept in its metadata; failed and cancelled calls count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/text.h"
#include "value/object.h"

namespace arbiter::turn {

struct Usage {
    std::int64_t tokens = 0;
    std::int64_t calls = 0;
    Usage& operator+=(const Usage& other) noexcept {
        tokens += other.tokens;
        calls += other.calls;
        return *this;
    }
    friend Usage operator+(Usage a, const Usage& b) noexcept { return a += b; }
    friend bool operator==(const Usage&, const Usage&) = default;
};

Usage usage_of(const value::Object& meta) noexcept;
value::Object with_usage(value::Object meta, const Usage& usage);

// The cap of the settings (spend.*) that forbids one more call, if one does.
std::optional<base::Text> reached_cap(const value::Object& settings, const Usage& turn,
                                      const Usage& campaign);

}  // namespace arbiter::turn
