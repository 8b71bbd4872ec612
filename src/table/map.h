// Map: areas, the paths between them, and locks.
//
//   areas: {hall: {name: 大厅, lock?: …}}
//   paths: {p1: {from: gate, to: hall, one_way?: true, lock?: …}}
//   lock: true, or {is_locked?, unlock_when?: formula over the document, reason?: text that says
//         what opens it, or {en, zh}}
//
// A lock whose formula cannot be evaluated stays locked. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/messages.h"
#include "table/random.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

// True if the area or path has a lock and it is locked in `document`. `place` may be nullptr.
bool is_locked(const value::Value* place, const value::Value& document);

// A lock in words: "locked: opens when Ali has cellar key", those of the author where the lock has
// a reason. Empty if the place is not locked.
std::string lock_words(const value::Value* place, const value::Value& document,
                       base::Language language);

// Fails with kMapBroken on invalid names, paths to unknown areas, invalid locks, or more areas or
// paths than base::kAreasMax.
base::Result<> validate_map(const value::Object& areas, const value::Object& paths);
// True if every area is reachable from the first one, taking paths in both directions.
bool is_connected(const value::Object& areas, const value::Object& paths);

// True if a path leads from one area to another.
bool joins(const value::Value& path, std::string_view from, std::string_view to) noexcept;

struct Map {
    value::Object areas;
    value::Object paths;
};
// Generates a connected map of `size` areas with a few extra paths. Deterministic for a seed. The
// first areas take their names from `names`.
Map generate_map(std::uint64_t seed, std::int64_t size, const value::Array& names);

}  // namespace arbiter::table
