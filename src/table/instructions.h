// Constructors for system instructions, used by tools and at the end of a turn.
#pragma once

#include <utility>

#include "proposal/instruction.h"
#include "value/object.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::table {

inline proposal::Instruction set_at(value::Path path, value::Value value) {
    proposal::Instruction made =
        proposal::instruction_of(proposal::Dialect::kTool, proposal::Op::kSet);
    made.op = proposal::Op::kSet;
    made.path = std::move(path);
    made.value = std::move(value);
    return made;
}

inline proposal::Instruction push_at(value::Path path, value::Value value) {
    proposal::Instruction made = set_at(std::move(path), std::move(value));
    made.op = proposal::Op::kPush;
    // A log may contain equal entries.
    made.options = value::Object{{"dedupe", false}};
    return made;
}

inline proposal::Instruction remove_at(value::Path path) {
    proposal::Instruction made;
    made.op = proposal::Op::kDelete;
    made.path = std::move(path);
    return made;
}

}  // namespace arbiter::table
