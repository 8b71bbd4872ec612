// Structure: enforces the structure rules (structure_rules.h) on one instruction.
//
// Each check returns true if the policy does not lock the structure or the document has no rules,
// and false, with the verdict's problem set, if the instruction breaks a rule.
#pragma once

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// Before an insert into the container at the work's path. Applies the container's template to
// `value`.
bool may_insert(Work& work, const value::Value& container, value::Value& value);
// After an insert: `container` is what the work's path will hold, with the rules that `value`, the
// inserted one, brought. They hold from the next command on. Returns the container without them.
value::Value take_rules(Work& work, const value::Value& value, value::Value container);
// Before a set: rules in its value stay in the document, hold from the next reply on, and are
// taken out by the next insert around them.
void note_rules(Work& work, const value::Value& value);
// Before the node at `where` is deleted or moved away.
bool may_delete(Work& work, const value::Path& where);
// After the operation: required members are still present, and no member was added to a container
// that is not extensible.
bool keeps_structure(Work& work, const value::Value& before);

}  // namespace arbiter::engine::internal
