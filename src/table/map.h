// Map: areas and the paths between them, and what keeps a way shut.
//
//   areas: {hall: {name: 大厅, lock?: …}}
//   paths: {p1: {from: gate, to: hall, one_way?: true, lock?: …}}
//   lock: true, or {is_locked?, unlock_when?: formula over the document, reason?}
//
// A lock whose formula cannot be worked out stays shut.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "table/random.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

// Whether a lock (of an area or a path, perhaps absent) holds in a document.
bool is_locked(const value::Value* place, const value::Value& document);

// Fails with kMapBroken: names that are none, paths that lead nowhere, locks that are none, more
// areas or paths than base::kAreasMax.
base::Result<> validate_map(const value::Object& areas, const value::Object& paths);
// Every area can be reached from the first, over paths in both directions.
bool is_connected(const value::Object& areas, const value::Object& paths);

// Whether a path leads from one area to another.
bool joins(const value::Value& path, std::string_view from, std::string_view to) noexcept;

struct Map {
    value::Object areas;
    value::Object paths;
};
// `size` areas, all connected, with a few ways around; the same for the same seed. Areas are named
// by `names` as far as these go.
Map generate_map(std::uint64_t seed, std::int64_t size, const value::Array& names);

}  // namespace arbiter::table
