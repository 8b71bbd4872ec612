// Restate: the same change in an operation that a form has. Pure functions.
#pragma once

#include "proposal/instruction.h"
#include "writer/writer.h"

namespace arbiter::writer::internal {

// The instruction itself if the form has its operation, or if no operation of the form means the
// same whatever the document contains: subtracting 5 is adding -5, `add` of a number and increment
// are one, a member that is inserted under a name is set, an element without a place is pushed, and
// an update with a value that is not an object sets it.
proposal::Instruction restated(const proposal::Instruction& instruction, Form form);

}  // namespace arbiter::writer::internal
