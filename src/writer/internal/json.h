// JSON instructions {op, path, value?, old?, reason?, metadata?}, the Direct form that a host's
// variable interface takes ({type, path, value?}), the internal form of hybrid parsers ({type,
// path, value?, oldValue?, reason?}) and tool calls.
//
// A field that the form cannot express is an error; docs/dialects.md has the table. Direct is the
// operation alone: the old value, the reason and the metadata of an instruction are not part of it.
#pragma once

#include <string>

#include "base/error.h"
#include "proposal/proposal.h"

namespace arbiter::writer::internal {

base::Result<std::string> write_json(const proposal::Instruction& instruction);
base::Result<std::string> write_direct(const proposal::Instruction& instruction);
base::Result<std::string> write_internal(const proposal::Instruction& instruction);
std::string write_tool(const proposal::ToolCall& call);

}  // namespace arbiter::writer::internal
