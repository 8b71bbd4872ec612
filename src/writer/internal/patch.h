// JSON Patch (RFC 6902) with MVU's `delta`, for <JSONPatch> and for Filament 3.
//
// A field that the form cannot express is an error; docs/dialects.md has the table.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "proposal/instruction.h"
#include "writer/writer.h"

namespace arbiter::writer::internal {

// `form` is kPatch or kFilament3, which differ in where paths begin. `verb` is the word that the
// command came with if it came from this dialect; "" otherwise.
base::Result<std::string> write_patch(const proposal::Instruction& instruction, Form form,
                                      std::string_view verb);

}  // namespace arbiter::writer::internal
