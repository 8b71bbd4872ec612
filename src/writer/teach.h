// Teach: the text of a prompt that teaches a model a dialect.
//
// Made from the tables of proposal/operations.h, and every example is written by the writer, so the
// text cannot disagree with what is read. Pure functions, safe from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/messages.h"
#include "proposal/instruction.h"
#include "writer/writer.h"

namespace arbiter::writer {

// What the commands are for, the block, a line and an example for each word, hints, and the warning
// that names in examples are not to be used. No word for an operation in `leave_out` is taught;
// with none left, and for kDirect, which a model never writes, the text is empty. For kTools it
// teaches the block only: the tools themselves are the host's to list.
std::string teach(Form form, base::Language language, std::span<const proposal::Op> leave_out = {});

// The names in the examples of both languages, which a model should not have used.
std::span<const std::string_view> example_names() noexcept;

}  // namespace arbiter::writer
