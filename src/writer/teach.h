// Teach: prompt texts that explain a dialect to a model.
//
// Generated from the tables of proposal/operations.h, with examples printed by the writer, so that
// the text agrees with the reader. Pure functions, safe from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/messages.h"
#include "proposal/instruction.h"
#include "writer/writer.h"

namespace arbiter::writer {

// The purpose of commands, the block, a line and an example for each word, hints, and the warning
// not to reuse names of the examples. Words for operations in `leave_out` are omitted; the text is
// empty if none is left, and for a form that models do not write. For kTools only the block is
// explained; the host lists the tools.
std::string teach(Form form, base::Language language, std::span<const proposal::Op> leave_out = {});

// Whether models write the form, so that it can be taught.
bool is_taught(Form form) noexcept;

// The names in the examples of both languages, to detect that a model reused them.
std::span<const std::string_view> example_names() noexcept;

}  // namespace arbiter::writer
