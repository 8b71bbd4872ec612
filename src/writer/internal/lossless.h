// The check that a form can express every field of an instruction.
#pragma once

#include <string_view>

#include "base/error.h"
#include "proposal/instruction.h"
#include "writer/writer.h"

namespace arbiter::writer::internal {

// The name of a form in messages.
std::string_view title(Form form) noexcept;

// Optional fields of an instruction, except for the reason, and for `from`, which only move and
// copy have.
using Fields = unsigned;
inline constexpr Fields kValue = 1;
inline constexpr Fields kOld = 2;
inline constexpr Fields kKey = 4;
inline constexpr Fields kAll = 8;
inline constexpr Fields kArithmetic = 16;
inline constexpr Fields kOptions = 32;
inline constexpr Fields kMetadata = 64;

// An error for the first field of the instruction that is not in `places`. A null value of an
// operation without value counts as absent, and so does a mergeStrategy that is the form's default.
// A merge that the form would carry out in another depth is an error.
base::Result<> check_lossless(const proposal::Instruction& instruction, Form form, Fields places);

// check_lossless(), then an error for a missing required field.
base::Result<> check_fields(const proposal::Instruction& instruction, Form form, Fields places,
                            Fields required);

std::unexpected<base::Error> unsupported(const proposal::Instruction& instruction, Form form);

}  // namespace arbiter::writer::internal
