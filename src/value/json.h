// JSON: text to Value and back.
//
// Parsing is strict (RFC 8259). Where the RFC leaves a choice, JavaScript's is taken. Reported as
// notices: a duplicate key (the last value wins, at the position of the first), an integer beyond
// int64 (rounded to the nearest double), and a lone surrogate escape (replaced by U+FFFD). Numbers
// beyond the range of doubles, invalid UTF-8 and too deep nesting are errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "value/value.h"

namespace arbiter::value {

struct JsonNotice {
    enum class What : std::uint8_t { kRoundedNumber, kDuplicateKey, kLoneSurrogate };
    What what;
    base::Place place;
    friend bool operator==(const JsonNotice&, const JsonNotice&) = default;
};

struct JsonNotices {
    std::vector<JsonNotice> list;  // the first base::kNoticesMax
    std::size_t total = 0;
};

// Options can lower the limits, not raise them.
struct JsonOptions {
    std::size_t depth_max = base::kDepthMax;
    std::size_t bytes_max = base::kJsonBytesMax;
    JsonNotices* notices = nullptr;  // receives the notices; optional
};

// Uses simdjson natively, and the strict parser (json_strict.h) for texts with errors or notices
// and in WebAssembly. The result is always that of the strict parser.
base::Result<Value> parse_json(std::string_view text, const JsonOptions& options = {});

enum class JsonStyle : std::uint8_t {
    kCompact,   // no spaces, members in their order
    kPretty,    // two spaces a level, members in their order
    kCanonical  // no spaces, members sorted as RFC 8785 sorts them: equal values, equal bytes
};

std::string print_json(const Value& value, JsonStyle style = JsonStyle::kCompact);
void append_json(std::string& out, const Value& value, JsonStyle style = JsonStyle::kCompact);
// The bytes of print_json(), or nothing if there are more than `bytes_max`. Allocates nothing and
// stops at the limit, however often parts of the value are shared.
std::optional<std::size_t> json_size(const Value& value, std::size_t bytes_max);
// One string with its quotes and escapes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace arbiter::value
