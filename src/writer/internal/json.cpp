#include "writer/internal/json.h"

#include <algorithm>

#include "value/array.h"
#include "writer/internal/escaped_text.h"
#include "writer/internal/lossless.h"
#include "writer/internal/operation_word.h"
#include "writer/internal/place.h"

namespace arbiter::writer::internal {
namespace {

using base::ErrorCode;
using base::fail;
using base::Result;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Need;
using proposal::Op;
using value::Array;
using value::Path;
using value::Value;

std::string_view json_word(const Instruction& instruction) {
    return word_for(Dialect::kJson, instruction);
}

// Keys only: an index is written in digits.
Result<Value> key_path(const Path& path) {
    std::vector<Value> keys;
    for (const value::Segment& segment : path) {
        if (segment.is_index() && segment.index() < 0) {
            keys.clear();
            break;
        }
        keys.emplace_back(segment.as_key());
    }
    if (keys.empty()) {
        return fail(ErrorCode::kWritePath, {std::string(title(Form::kJson)), dotted(path)});
    }
    return Value(Array(keys));
}

Result<> check_words(const Instruction& instruction, Form form) {
    if (json_word(instruction).empty()) {
        return unsupported(instruction, form);
    }
    const bool required = proposal::operation(instruction.op).value == Need::kRequired;
    return check_fields(instruction, form, kValue | kOld | kMetadata, required ? kValue : 0U);
}

}  // namespace

Result<std::string> write_json(const Instruction& instruction) {
    if (auto kept = check_words(instruction, Form::kJson); !kept) {
        return std::unexpected(kept.error());
    }
    const auto path = key_path(from_root(instruction).path);
    if (!path) {
        return std::unexpected(path.error());
    }
    Members members;
    members.add("op", Value(json_word(instruction)));
    members.add("path", *path);
    members.add("value", instruction.value);
    members.add("old", instruction.old);
    members.add_text("reason", instruction.reason);
    if (!instruction.metadata.empty()) {
        members.add("metadata", Value(instruction.metadata));
    }
    return std::move(members).done();
}

Result<std::string> write_direct(const Instruction& instruction) {
    if (auto kept = check_words(instruction, Form::kDirect); !kept) {
        return std::unexpected(kept.error());
    }
    const bool writes = instruction.op == Op::kSet || instruction.op == Op::kDelete;
    Members members;
    members.add("type", Value(writes ? "update" : json_word(instruction)));
    members.add("path", Value(std::string_view(dotted(from_root(instruction).path))));
    if (instruction.op == Op::kDelete) {
        members.add("value", Value());
    } else {
        members.add("value", instruction.value);
    }
    return std::move(members).done();
}

Result<std::string> write_internal(const Instruction& instruction) {
    if (auto kept = check_words(instruction, Form::kInternal); !kept) {
        return std::unexpected(kept.error());
    }
    Members members;
    members.add("type", Value(json_word(instruction)));
    members.add("path", Value(std::string_view(dotted(from_root(instruction).path))));
    members.add("value", instruction.value);
    members.add("oldValue", instruction.old);
    members.add_text("reason", instruction.reason);
    if (!instruction.metadata.empty()) {
        members.add("metadata", Value(instruction.metadata));
    }
    return std::move(members).done();
}

std::string write_tool(const proposal::ToolCall& call) {
    Members members;
    members.add("id", Value(call.id));
    members.add("tool", Value(call.tool));
    members.add("args", call.args);
    members.add_text("reason", call.reason);
    return std::move(members).done();
}

}  // namespace arbiter::writer::internal
