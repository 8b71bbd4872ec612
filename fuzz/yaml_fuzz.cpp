// Any bytes as YAML: a value within its limits or an error with its words, never an exception;
// every part of the value has a place inside the text; and what was read is a profile or has its
// diagnostics.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/limits.h"
#include "base/messages.h"
#include "config/yaml.h"
#include "profile/profile.h"
#include "value/array.h"
#include "value/object.h"

using namespace arbiter;

namespace {

// Aliases may stand for many values: looking at so many of them is enough.
constexpr std::size_t kLookedAtMax = 2000;

void check_places(const config::ParsedYaml& read, const value::Value& at, value::Path& path,
                  std::size_t& looked_at) {
    if (++looked_at > kLookedAtMax) {
        return;
    }
    for (const base::Place& place : {read.place_of(path), read.place_of_key(path)}) {
        CHECK(place.offset <= read.text.size() && place.line > 0 && place.column > 0);
    }
    if (at.is_array()) {
        for (std::size_t i = 0; i < at.as_array().size(); ++i) {
            path.emplace_back(static_cast<std::int64_t>(i));
            check_places(read, at.as_array()[i], path, looked_at);
            path.pop_back();
        }
    } else if (at.is_object()) {
        for (const auto& [key, member] : at.as_object()) {
            path.emplace_back(key);
            // A key stands before its value.
            CHECK(read.place_of_key(path).offset <= read.place_of(path).offset);
            check_places(read, member, path, looked_at);
            path.pop_back();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto read = config::parse_yaml("fuzz.yaml", text);
    if (!read) {
        CHECK(!base::explain(read.error(), base::Language::kEnglish).empty());
        CHECK(!base::explain(read.error(), base::Language::kChinese).empty());
        CHECK(!read.error().place || read.error().place->offset <= text.size());
        return 0;
    }
    CHECK(read->value.depth() <= base::kYamlDepthMax);
    value::Path path;
    std::size_t looked_at = 0;
    check_places(*read, read->value, path, looked_at);
    const auto profile = profile::parse_profile(read->value);
    if (!profile) {
        CHECK(!profile.error().empty());
        for (const value::Diagnostic& fault : profile.error()) {
            const base::Error error = read->at(fault);
            CHECK(error.place && !base::explain(error, base::Language::kChinese).empty());
        }
    }
    return 0;
}
