// JSON: text to Value and back.
//
// Reading is strict (RFC 8259): what this accepts, every JSON parser accepts. Where JSON leaves a
// choice, ours is JavaScript's: of two members with one key the last value stands, at the place of
// the first. Whole numbers are exact in int64; beyond it the nearest double is taken. A lone
// surrogate escape becomes U+FFFD, for UTF-8 has no place for it. The last three are reported as
// notices. Numbers beyond the range of doubles, invalid UTF-8 and too deep nesting are errors.
#pragma once

#include <cstdint>
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

// Options can lower the limits, not lift them.
struct JsonOptions {
    std::size_t depth_max = base::kDepthMax;
    std::size_t bytes_max = base::kJsonBytesMax;
    JsonNotices* notices = nullptr;  // where notices go, if anybody wants them
};

// Natively by simdjson, and again by the strict parser wherever there is an error or a notice to
// report, so that its answer is always parse_json_strict's.
base::Result<Value> parse_json(std::string_view text, const JsonOptions& options = {});

// Our own parser: the reference, and the only one in WebAssembly.
base::Result<Value> parse_json_strict(std::string_view text, const JsonOptions& options);

enum class JsonStyle : std::uint8_t {
    kCompact,   // no spaces, members in their order
    kPretty,    // two spaces a level, members in their order
    kCanonical  // no spaces, members sorted as RFC 8785 sorts them: equal values, equal bytes
};

std::string print_json(const Value& value, JsonStyle style = JsonStyle::kCompact);
void append_json(std::string& out, const Value& value, JsonStyle style = JsonStyle::kCompact);
// One string with its quotes and escapes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace arbiter::value
