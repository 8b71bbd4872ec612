// Structure: MVU's rules about which members may come and go ($meta), kept beside the document.
#pragma once

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// Whether `value` may be inserted at the work's path; a template of the container is applied to it.
// True where no rules hold.
bool may_insert(Work& work, const value::Value& container, value::Value& value);
bool may_delete(Work& work, const value::Path& where);
// Whether the work left the structure as its rules want it: what is required is there, and nothing
// came that has no place.
bool keeps_structure(Work& work, const value::Value& before);
// Makes the rules follow the document from one version to another.
void follow_structure(value::Object& meta, const value::Value& before, const value::Value& after);
// A value without rules in it.
value::Value without_rules(const value::Value& value);
// The card asked for sets that replace described values as a whole.
bool is_strict_set(const value::Object& meta);

}  // namespace arbiter::engine::internal
