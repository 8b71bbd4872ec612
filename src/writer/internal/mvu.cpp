#include "writer/internal/mvu.h"

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
using proposal::Op;
using value::Value;

constexpr Form kForm = Form::kMvu;

// Required and optional arguments of a call beside the path.
struct Arguments {
    Fields required = 0;
    Fields optional = 0;
};
Arguments arguments_of(Op op) {
    switch (op) {
        case Op::kSet:
        case Op::kMerge:
            return {kValue, kOld};
        case Op::kInsert:
            return {kValue, kKey};
        case Op::kIncrement:
        case Op::kPush:
        case Op::kCallback:
            return {kValue};
        case Op::kDelete:
            return {0, kKey};
        case Op::kMove:
        case Op::kGet:
        case Op::kEnsure:
        case Op::kAdd:
        case Op::kPull:
        case Op::kPop:
        case Op::kSplice:
        case Op::kCopy:
        case Op::kTest:
        case Op::kRestore:
        case Op::kCount:
            break;
    }
    return {};
}

// The arguments of a callback behind its name, which is the path.
void append_arguments(std::string& out, const Value& value) {
    if (!value.is_array()) {
        out += ", " + literal(value);
        return;
    }
    for (const Value& argument : value.as_array()) {
        out += ", " + literal(argument);
    }
}

// Whether JSON instructions lack the call, so that it is not a translation of one.
bool is_own(const Instruction& instruction) {
    return instruction.mount == proposal::Mount::kMvu || instruction.op == Op::kIncrement ||
           instruction.op == Op::kInsert || instruction.op == Op::kMove ||
           (instruction.op == Op::kDelete && instruction.key);
}

}  // namespace

Result<std::string> write_mvu(const Instruction& instruction, std::string_view verb) {
    // Translators of JSON instructions write `delete`.
    const bool foreign_delete = instruction.op == Op::kDelete && !instruction.key && verb.empty();
    const std::string_view word =
        foreign_delete ? "delete" : word_for(Dialect::kMvu, instruction, verb);
    if (word.empty()) {
        return unsupported(instruction, kForm);
    }
    const Arguments call = arguments_of(instruction.op);
    if (auto kept = check_fields(instruction, kForm, call.optional, call.required); !kept) {
        return std::unexpected(kept.error());
    }
    const auto place = from_mvu(instruction, kForm);
    if (!place) {
        return std::unexpected(place.error());
    }
    const auto path = lenient_dotted(place->path, kForm);
    const auto from = lenient_dotted(place->from, kForm);
    if (!path || !from) {
        return std::unexpected(!path ? path.error() : from.error());
    }
    std::string out = "_." + std::string(word) + "(";
    if (instruction.op == Op::kMove) {
        out += quoted(*from) + ", ";
    }
    out += quoted(*path);
    if (instruction.op == Op::kCallback) {
        // The path is the name of a function.
        if (place->path.size() != 1 || place->path[0].is_index()) {
            return fail(ErrorCode::kWritePath, {std::string(title(kForm)), *path});
        }
        append_arguments(out, *instruction.value);
    } else {
        if ((call.optional & kOld) != 0) {
            out += ", " + (instruction.old ? literal(*instruction.old) : "undefined");
        }
        if (instruction.key) {
            out += ", " + literal(*instruction.key);
        }
        if ((call.required & kValue) != 0) {
            out += ", " + literal(*instruction.value);
        }
    }
    out += ");";
    // A translated instruction gives its reason with an assignment only; MVU's own calls keep it.
    const bool translated = verb.empty() && instruction.op != Op::kSet && !is_own(instruction);
    if (const std::string reason = one_line(instruction.reason); !reason.empty() && !translated) {
        out += " // " + reason;
    }
    return out;
}

}  // namespace arbiter::writer::internal
