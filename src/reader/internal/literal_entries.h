// Entries of a literal: where each stands in the text, and whether the text ended inside it.
#pragma once

#include "reader/internal/block.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::reader::internal {

// The place of the value at `at` in the literal, where that is known; else `whole`.
Range entry_range(const Literal& literal, const value::Path& at, Range whole);

// An entry that the text broke off in may be half of what was meant, so it is refused: where the
// reply ended always, where a block was closed only if the break was in the middle of a member.
bool refuse_if_cut(Output& output, const Source& source, proposal::Dialect dialect,
                   const Literal& literal, const value::Path& at, Range range);

}  // namespace arbiter::reader::internal
