// Text places: values that are texts although a number may stand there now.
//
// The memory and MVU dialects refuse a text in the place of a number. A number that was set over a
// text by a slip would therefore lock the field for good. Such a path is remembered in the engine's
// own data, and a text is accepted there.
#pragma once

#include "engine/policy.h"
#include "value/object.h"
#include "value/path.h"

namespace arbiter::engine::internal {

// Whether the rules say that the value at a path is a text.
bool is_declared_text(const Policy& policy, const value::Path& where);
// Whether a number took the place of a text at a path.
bool was_text(const value::Object& meta, const value::Path& where);
void remember_text(value::Object& meta, const value::Path& where);
void forget_text(value::Object& meta, const value::Path& where);

}  // namespace arbiter::engine::internal
