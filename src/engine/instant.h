// Instant: a point in time, as the engine's clock and its records use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace arbiter::engine {

// Milliseconds since 1970-01-01T00:00:00Z.
using Instant = std::int64_t;

// Reads an RFC 3339 text; nothing if it is not one. Digits beyond milliseconds are dropped.
std::optional<Instant> parse_instant(std::string_view text);
// In UTC, with milliseconds: 2026-01-01T00:00:00.000Z.
std::string print_instant(Instant instant);

}  // namespace arbiter::engine
