// What a form has a place for: the check that nothing of an instruction is lost.
#pragma once

#include <string_view>

#include "base/error.h"
#include "proposal/instruction.h"
#include "writer/writer.h"

namespace arbiter::writer::internal {

// What a form is called in messages.
std::string_view title(Form form) noexcept;

// The fields that not every instruction has, but for the reason, and for from, which move and copy
// always have and others never.
using Fields = unsigned;
inline constexpr Fields kValue = 1;
inline constexpr Fields kOld = 2;
inline constexpr Fields kKey = 4;
inline constexpr Fields kAll = 8;
inline constexpr Fields kArithmetic = 16;
inline constexpr Fields kOptions = 32;
inline constexpr Fields kMetadata = 64;

// An error for the first field that the instruction has and `places` does not. A null value of an
// operation that takes none counts as absent, and so does a mergeStrategy that the form means
// anyway.
base::Result<> check_lossless(const proposal::Instruction& instruction, Form form, Fields places);

// check_lossless(), and then an error for a required field that is absent.
base::Result<> check_fields(const proposal::Instruction& instruction, Form form, Fields places,
                            Fields required);

std::unexpected<base::Error> unsupported(const proposal::Instruction& instruction, Form form);

}  // namespace arbiter::writer::internal
