// Which word of a dialect stands for an operation.
#pragma once

#include <string_view>

#include "proposal/operations.h"

namespace arbiter::writer::internal {

// The word that the command came with (`verb`, "" if it came from elsewhere) where it says the
// same, else the first of the table; "" where the dialect has none. A dialect without the
// arithmetic gives its word for another: that field is then lost, which check_lossless() tells.
std::string_view word_for(proposal::Dialect dialect, const proposal::Instruction& instruction,
                          std::string_view verb = {});

}  // namespace arbiter::writer::internal
