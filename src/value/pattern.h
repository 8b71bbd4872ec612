// Pattern: a path with open places, for rules that hold for many paths at once.
//
//   角色.*.气血            any member
//   角色.$who.气血         any member, known as `who`; the same name twice must be the same member
//   地图.**                whatever lies below, at any depth; only as the last step
//
// Otherwise written as a dotted path (path.h).
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
    Str name = {};                  // kOpen: what it is known as; empty for *
    friend bool operator==(const PatternStep&, const PatternStep&) = default;
};
using Pattern = std::vector<PatternStep>;

base::Result<Pattern> parse_pattern(std::string_view text);
std::string print_pattern(const Pattern& pattern);
Pattern pattern_of(const Path& path);

// What the open places of a pattern stand for.
struct Binding {
    Str name;
    Segment segment;
};
using Bindings = std::vector<Binding>;
const Segment* find_binding(const Bindings& bindings, std::string_view name) noexcept;

// The path that a pattern stands for; nothing if an open place is not bound (or is * or **).
std::optional<Path> bound_path(const Pattern& pattern, const Bindings& bindings);

// Whether a path is one of the pattern's; adds to `bindings` if it is.
bool matches(const Pattern& pattern, const Path& path, Bindings& bindings);
// Whether some path of the pattern may lie at, above or below `path`.
bool touches(const Pattern& pattern, const Path& path) noexcept;

// Called with each path and what stands there; false stops.
using Visit = std::function<bool(const Path&, const Bindings&, const Value&)>;

// All paths of the pattern that are in a document.
void visit_matches(const Pattern& pattern, const Value& document, const Visit& visit);
// Those that lie at, above or below `near`, a path of the document: costs what is there.
void visit_near(const Pattern& pattern, const Value& document, const Path& near,
                const Visit& visit);

// The places that changes touch, each once: where a member of a list came or went, all members
// have moved and it is the list.
std::vector<Path> touched_places(const Diff& changes);

}  // namespace arbiter::value
