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

// An example from the state at hand, in place of the invented ones of a word.
struct Sample {
    std::string_view word;  // "set_attribute"
    proposal::Instruction instruction;
};

// The purpose of commands, the block, a line and an example for each word, hints, and the warning
// not to reuse names of the examples. Words for operations in `leave_out` are omitted; the text is
// empty if none is left, and for a form that models do not write. For kTools only the block is
// explained; the host lists the tools. A sample that the form cannot write is skipped.
std::string teach(Form form, base::Language language, std::span<const proposal::Op> leave_out = {},
                  std::span<const Sample> samples = {});

// Whether models write the form, so that it can be taught.
bool is_taught(Form form) noexcept;

// The names in the examples of one language.
struct ExampleNames {
    std::string_view character;
    std::string_view item;
    std::string_view event;
    std::string_view title;
    std::string_view text;
};
const ExampleNames& example_names(base::Language language) noexcept;
// The names in the examples of both languages, to detect that a model reused them.
std::span<const std::string_view> example_names() noexcept;

}  // namespace arbiter::writer
