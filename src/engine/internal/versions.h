// Versions: the counter __version that the engine keeps in objects of the document.
//
// An object opts in by having a __version, or when an instruction with ifVersion writes to it. Only
// the engine writes the counter; comparisons of content ignore it.
#pragma once

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// A copy of the value without any __version in it; `found` is set if there was one.
value::Value without_versions(const value::Value& value, bool& found);
// Deep equality that ignores __version on every level.
bool equal_content(const value::Value& a, const value::Value& b);

// The option ifVersion. False, with the problem set, if the present version is another one.
bool check_version(Work& work);
// Increments the counter of the object that was written, once per instruction, and restores the
// counters of objects that were replaced together with their parent.
void count_version(Work& work);

}  // namespace arbiter::engine::internal
