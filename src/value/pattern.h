// Pattern: a path with wildcards, for rules about many paths at once.
//
//   角色.*.气血            any member
//   角色.$who.气血         any member, bound to `who`; the same name must match the same member
//   地图.**                every descendant at any depth; only as the last step
//
// The rest of the syntax is that of a dotted path (path.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "value/diff.h"
#include "value/path.h"

namespace arbiter::value {

struct PatternStep {
    enum class Kind : std::uint8_t { kPlain, kOpen, kBelow };
    Kind kind = Kind::kPlain;
    Segment segment = Segment("");  // kPlain
    Str name = {};                  // kOpen: the name it binds; empty for *
    friend bool operator==(const PatternStep&, const PatternStep&) = default;
};
using Pattern = std::vector<PatternStep>;

base::Result<Pattern> parse_pattern(std::string_view text);
std::string print_pattern(const Pattern& pattern);
Pattern pattern_of(const Path& path);

// A name of a pattern and the segment that it matched.
struct Binding {
    Str name;
    Segment segment;
};
using Bindings = std::vector<Binding>;
const Segment* find_binding(const Bindings& bindings, std::string_view name) noexcept;

// The pattern with its names replaced by their bindings; nothing if a name is not bound, or the
// pattern has * or **.
std::optional<Path> bound_path(const Pattern& pattern, const Bindings& bindings);

// Whether the path matches. Appends the bindings of the match; on false `bindings` is unspecified.
bool matches(const Pattern& pattern, const Path& path, Bindings& bindings);
// Whether a matching path may equal `path` or be above or below it.
bool touches(const Pattern& pattern, const Path& path) noexcept;

// Called with each matching path and its value. Returning false ends the visit.
using Visit = std::function<bool(const Path&, const Bindings&, const Value&)>;

// Visits all matching paths of a document.
void visit_matches(const Pattern& pattern, const Value& document, const Visit& visit);
// Visits the matching paths that equal `near` or are above or below it. Costs the size of that part
// only.
void visit_near(const Pattern& pattern, const Value& document, const Path& near,
                const Visit& visit);

// The paths that a diff changes, without repetition. If an array element was added or removed, its
// array is the changed path, since the other elements may have moved.
std::vector<Path> touched_places(const Diff& changes);

}  // namespace arbiter::value
