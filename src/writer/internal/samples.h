// The instructions behind the examples in prompts.
#pragma once

#include <string_view>
#include <vector>

#include "base/text.h"
#include "proposal/operations.h"
#include "writer/writer.h"

namespace arbiter::writer::internal {

// A word of a form with an example for each operation.
struct Lesson {
    std::string_view word;
    proposal::Dialect dialect;
    std::vector<proposal::Instruction> examples;
};

// The taught words of a form in the order of the tables.
std::vector<Lesson> lessons(Form form, base::Language language);

// Commands of tavern_commands that use several options or belong together.
struct Pattern {
    base::TextView purpose;
    std::vector<proposal::Instruction> commands;
};
std::vector<Pattern> tavern_patterns(base::Language language);

// The example of a tool call.
proposal::ToolCall sample_call(base::Language language);

}  // namespace arbiter::writer::internal
