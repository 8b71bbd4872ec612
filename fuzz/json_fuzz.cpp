// Any bytes as JSON: simdjson and our own parser must give the same answer, and what was read must
// survive printing in every style.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/messages.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/json_strict.h"

using namespace arbiter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    value::JsonNotices fast_notices;
    value::JsonNotices strict_notices;
    const auto fast = value::parse_json(text, {.notices = &fast_notices});
    const auto strict = value::parse_json_strict(text, {.notices = &strict_notices});
    CHECK(fast.has_value() == strict.has_value());
    CHECK(fast_notices.list == strict_notices.list);
    if (!fast) {
        CHECK(fast.error() == strict.error());
        CHECK(!base::explain(fast.error(), base::Language::kChinese).empty());
        return 0;
    }
    CHECK(value::same_bytes(*fast, *strict));
    const value::Fingerprint hashes = value::seal(*fast);
    CHECK(hashes == value::fingerprint_of(*strict));
    for (const value::JsonStyle style : {value::JsonStyle::kCompact, value::JsonStyle::kPretty}) {
        const std::string printed = value::print_json(*fast, style);
        const auto again = value::parse_json(printed);
        CHECK(again && value::same_bytes(*again, *fast));
        CHECK(value::print_json(*again, style) == printed);
    }
    const std::string canonical = value::print_json(*fast, value::JsonStyle::kCanonical);
    const auto sorted = value::parse_json(canonical);
    CHECK(sorted && *sorted == *fast && value::fingerprint_of(*sorted).loose == hashes.loose);
    CHECK(value::print_json(*sorted) == canonical);
    return 0;
}
