// What came of a reply, as people read it.
#pragma once

#include <string>

#include "cli/console.h"
#include "reader/reader.h"
#include "rules/turn.h"
#include "table/judge.h"

namespace arbiter::cli {

// One command: the verdict, and why it is not what was asked for, with what would have worked.
std::string verdict_lines(const Console& console, const engine::Verdict& verdict,
                          const value::Value& document);

// The narrative, the verdicts, what the rules did, and what was not taken.
std::string turn_lines(const Console& console, const reader::Reading& reading,
                       const rules::Played& played);

// The same of a turn at a table: of its tools what they did, or why not.
std::string turn_lines(const Console& console, const reader::Reading& reading,
                       const table::Judged& judged);

// Whether a command was refused or failed.
bool is_refused(const rules::Played& played);

}  // namespace arbiter::cli
