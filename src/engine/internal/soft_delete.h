// Soft delete: moving a node into the recycle bin, and restoring it from there.
//
// A bin is an array of records or an object of records by operation id; a record is
// {key, value, deletedAt, opId, reason?}. engine/bin.h lists them.
#pragma once

#include <optional>
#include <utility>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// The bin that the instruction names, else the policy's. Returns nothing, with the problem set, if
// that bin may not be used, or is inside the node at `deleted`.
std::optional<value::Path> find_bin(Work& work, const value::Path& deleted);
// Where a new record, which must have an opId, goes and what to put there (a whole array if the bin
// does not exist yet).
// Returns nothing if the value at `bin` is neither an array nor an object.
std::optional<std::pair<value::Path, value::Value>> bin_slot(const value::Value& document,
                                                             const value::Path& bin,
                                                             value::Object record);

// Both return false, with the verdict's problem set, if they failed. A node that is in the bin
// already is deleted for good, with a warning.
bool soft_delete(Work& work, const value::Path& where, const value::Value& old);
bool run_restore(Work& work);

}  // namespace arbiter::engine::internal
