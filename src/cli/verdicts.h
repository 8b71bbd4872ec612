// The results of a reply as readable text.
#pragma once

#include <span>
#include <string>

#include "cli/console.h"
#include "reader/reader.h"
#include "table/tool.h"
#include "turn/attempt.h"

namespace arbiter::cli {

// The verdict on a command. A rejection includes its reason and a valid alternative.
std::string verdict_lines(const Console& console, const engine::Verdict& verdict,
                          const value::Value& document);

// All problems of a proposal that the reader refused, one a line, the text of the command if it
// could not be read, and for a parse error an example of what can be read.
std::string problem_lines(const Console& console, const proposal::Proposal& proposal);

// The text of a command on one line, truncated.
std::string quoted_command(const proposal::Proposal& proposal);

// The remarks of the reader, each kind once: its code, and a sentence below it. An inspection has
// its answer from the document, if there is one.
std::string notice_lines(const Console& console, std::span<const proposal::Notice> notices,
                         const value::Value* document);

// The narrative, the verdicts, the results of tools, the effects of rules, and the commands that
// were ignored. `tools` explain their refusals.
std::string turn_lines(const Console& console, std::string shown, const turn::Attempt& attempt,
                       const table::ToolRegistry& tools);

}  // namespace arbiter::cli
