// Entries of a literal: their position in the text, and whether the text ended inside them.
#pragma once

#include "reader/internal/block.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::reader::internal {

// The range of the value at path `at` of the literal; `whole` if it is not known.
Range entry_range(const Literal& literal, const value::Path& at, Range whole);

// Refuses an entry that the text ended in, since it may be incomplete: always if the reply ended
// there, and inside a closed block only if it ended in the middle of a member. False: not refused.
bool refuse_if_cut(Output& output, const Source& source, proposal::Dialect dialect,
                   const Literal& literal, const value::Path& at, Range range);

}  // namespace arbiter::reader::internal
