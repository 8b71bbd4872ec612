// Structure: MVU's rules about which members may come and go ($meta), kept beside the document.
#pragma once

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// Whether `value` may be inserted at the work's path; a template of the container is applied to it.
// True where no rules hold.
bool may_insert(Work& work, const value::Value& container, value::Value& value);
bool may_delete(Work& work, const value::Path& where);
// Whether a value may be put at the work's path, where nothing may be yet.
bool may_take(Work& work);
// Makes rules for what was inserted.
void learn_structure(State& state);
// The card asked for sets that replace described values as a whole.
bool is_strict_set(const value::Object& meta);

}  // namespace arbiter::engine::internal
