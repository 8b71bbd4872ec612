// The first line of the input is a pattern, the rest a text. RE2 must find the pattern in the text
// if and only if our engine does, and the places of the matches must be in order.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "tests/support/re2_twin.h"
#include "text/regex.h"
#include "text/regex_match.h"

using namespace arbiter;

namespace {

// Longer texts only make a run slow.
constexpr std::size_t kTextMax = 2'000;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t line = input.find('\n');
    if (line == std::string_view::npos) {
        return 0;
    }
    const std::string_view pattern = input.substr(0, line);
    const std::string_view text = input.substr(line + 1, kTextMax);
    const auto regex = text::Regex::compile(pattern);
    if (!regex) {
        return 0;
    }
    if (const auto found = tests::re2_finds(pattern, text)) {
        CHECK(*found == regex->is_in(text));
    }
    // The places of matches: in order, inside of the text, and there if the pattern is.
    const auto with_groups = text::Regex::compile(pattern, {.captures = true});
    if (!with_groups) {
        return 0;
    }
    const auto matches = text::find_all(*with_groups, text);
    CHECK(matches.empty() != regex->is_in(text));
    std::size_t from = 0;
    for (const text::Match& match : matches) {
        CHECK(match[0].begin >= from && match[0].begin <= match[0].end);
        CHECK(match[0].end <= text.size());
        from = match[0].end;
    }
    return 0;
}
