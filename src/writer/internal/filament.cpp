#include "writer/internal/filament.h"

#include "value/array.h"
#include "value/preview.h"
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
using proposal::Op;
using value::Array;
using value::Object;
using value::Value;

constexpr Form kForm = Form::kFilament2;

// {"start","deleteCount","items"} as a list of arguments; "" if the value has another form.
std::string splice_arguments(const Value& value) {
    if (!value.is_object()) {
        return "";
    }
    const Object& fields = value.as_object();
    const Value* start = fields.find("start");
    const Value* count = fields.find("deleteCount");
    const Value* items = fields.find("items");
    const std::size_t known = 1U + (count != nullptr ? 1U : 0U) + (items != nullptr ? 1U : 0U);
    if (start == nullptr || !start->is_int() || (count != nullptr && !count->is_int()) ||
        (items != nullptr && !items->is_array()) || fields.size() != known) {
        return "";
    }
    std::string out = "," + json_text(*start);
    if (count != nullptr) {
        out += "," + json_text(*count);
    }
    if (items != nullptr) {
        // New elements follow the count.
        if (count == nullptr && !items->as_array().empty()) {
            return "";
        }
        for (const Value& item : items->as_array()) {
            out += "," + json_text(item);
        }
    }
    return out;
}

}  // namespace

Result<std::string> write_filament(const Instruction& instruction, std::string_view verb) {
    const std::string_view opcode = word_for(Dialect::kFilament, instruction, verb);
    if (opcode.empty()) {
        return unsupported(instruction, kForm);
    }
    const bool has_value = instruction.op != Op::kPop && instruction.op != Op::kDelete;
    const Fields required = (has_value ? kValue : 0U) | (instruction.op == Op::kInsert ? kKey : 0U);
    const Fields optional = instruction.op == Op::kIncrement ? kArithmetic
                            : instruction.op == Op::kDelete  ? kKey
                                                             : 0U;
    if (auto kept = check_fields(instruction, kForm, optional, required); !kept) {
        return std::unexpected(kept.error());
    }
    const auto path = lenient_dotted(from_root(instruction).path, kForm);
    if (!path) {
        return path;
    }
    std::string out =
        "[" + json_text(Value(opcode)) + "," + json_text(Value(std::string_view(*path)));
    if (instruction.op == Op::kSplice) {
        const std::string arguments = splice_arguments(*instruction.value);
        if (arguments.empty()) {
            return fail(ErrorCode::kWriteValue,
                        {std::string(title(kForm)), "splice", value::preview(*instruction.value)});
        }
        return out + arguments + "]";
    }
    if (instruction.key) {
        out += "," + json_text(*instruction.key);
    }
    if (has_value) {
        out += "," + json_text(*instruction.value);
    }
    return out + "]";
}

}  // namespace arbiter::writer::internal
