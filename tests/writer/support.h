// Shared by the writer's tests: short constructors of proposals, and results as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/messages.h"
#include "proposal/operations.h"
#include "value/json.h"
#include "writer/writer.h"

namespace arbiter::tests {

inline value::Value json(std::string_view text) {
    auto value = value::parse_json(text);
    EXPECT_TRUE(value) << text;
    return value ? *value : value::Value();
}

inline value::Path dotted_path(std::string_view text) {
    auto path = value::parse_path(text, value::PathSyntax::kDotted);
    EXPECT_TRUE(path) << text;
    return path ? *path : value::Path{};
}

// An instruction with its dialect's defaults.
inline proposal::Instruction make(proposal::Dialect dialect, proposal::Op op,
                                  std::string_view path) {
    proposal::Instruction instruction = proposal::instruction_of(dialect, op);
    instruction.path = dotted_path(path);
    return instruction;
}
inline proposal::Instruction make(proposal::Dialect dialect, proposal::Op op, std::string_view path,
                                  value::Value value) {
    proposal::Instruction instruction = make(dialect, op, path);
    instruction.value = std::move(value);
    return instruction;
}

inline proposal::Proposal propose(proposal::Instruction instruction,
                                  proposal::Dialect dialect = proposal::Dialect::kJson) {
    proposal::Proposal proposal;
    proposal.dialect = dialect;
    proposal.what = std::move(instruction);
    return proposal;
}

inline std::string said(const base::Result<std::string>& written) {
    return written ? *written : "! " + base::explain(written.error(), base::Language::kEnglish);
}
// The text, or "! " and the error.
inline std::string written(const proposal::Instruction& instruction, writer::Form form) {
    return said(writer::write_one(propose(instruction), form));
}

}  // namespace arbiter::tests
