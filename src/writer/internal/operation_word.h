// The word of a dialect for an operation.
#pragma once

#include <string_view>

#include "proposal/operations.h"

namespace arbiter::writer::internal {

// `verb`, the word that the command came with ("" if it came from another dialect), if it means the
// same; else the first in the table; "" if the dialect has none. A dialect without the arithmetic
// returns its word for another one; check_lossless() then reports the field.
std::string_view word_for(proposal::Dialect dialect, const proposal::Instruction& instruction,
                          std::string_view verb = {});

}  // namespace arbiter::writer::internal
