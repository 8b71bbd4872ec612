// Filament 2: ["SET", "a.b", 5] and its other opcodes, every element in JSON.
//
// A field that the form cannot express is an error; docs/dialects.md has the table.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "proposal/instruction.h"

namespace arbiter::writer::internal {

// `verb` is the word that the command came with if it came from this dialect; "" otherwise.
base::Result<std::string> write_filament(const proposal::Instruction& instruction,
                                         std::string_view verb);

}  // namespace arbiter::writer::internal
