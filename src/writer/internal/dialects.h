// One function a form: an instruction (or a tool call) as one command of it.
//
// What a form cannot say is an Error; see writer.h for what each can.
#pragma once

#include <string>

#include "base/error.h"
#include "proposal/proposal.h"
#include "writer/writer.h"

namespace arbiter::writer::internal {

using base::Result;
using proposal::Instruction;

// `verb` is the word that it came with, if it came from this dialect; "" otherwise.
Result<std::string> write_tavern(const Instruction& instruction, std::string_view verb);
Result<std::string> write_json(const Instruction& instruction);
Result<std::string> write_mvu(const Instruction& instruction, std::string_view verb);
// JSON Patch: `form` is kPatch or kFilament3, which differ in where paths begin.
Result<std::string> write_patch(const Instruction& instruction, Form form, std::string_view verb);
Result<std::string> write_memory(const Instruction& instruction);
Result<std::string> write_filament(const Instruction& instruction, std::string_view verb);
Result<std::string> write_direct(const Instruction& instruction);
std::string write_tool(const proposal::ToolCall& call);

}  // namespace arbiter::writer::internal
