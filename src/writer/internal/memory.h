// Calls on the memory modules: set_attribute, set_status, memory, delete.
//
// A field that the form cannot express is an error; docs/dialects.md has the table.
#pragma once

#include <string>

#include "base/error.h"
#include "proposal/instruction.h"

namespace arbiter::writer::internal {

base::Result<std::string> write_memory(const proposal::Instruction& instruction);

}  // namespace arbiter::writer::internal
