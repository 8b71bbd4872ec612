#include "writer/internal/patch.h"

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
using proposal::Instruction;
using proposal::Op;
using value::Value;

// Required fields of an operation beside its path.
Fields required_of(Op op) {
    switch (op) {
        case Op::kSet:
        case Op::kTest:
        case Op::kIncrement:
            return kValue;
        case Op::kInsert:
            return kValue | kKey;
        case Op::kDelete:
        case Op::kMove:
        case Op::kCopy:
        case Op::kMerge:
        case Op::kEnsure:
        case Op::kAdd:
        case Op::kPush:
        case Op::kPull:
        case Op::kPop:
        case Op::kSplice:
        case Op::kGet:
        case Op::kCallback:
        case Op::kRestore:
        case Op::kCount:
            break;
    }
    return 0;
}

}  // namespace

Result<std::string> write_patch(const Instruction& instruction, Form form, std::string_view verb) {
    const std::string_view word = word_for(proposal::Dialect::kPatch, instruction, verb);
    if (word.empty()) {
        return unsupported(instruction, form);
    }
    const Fields required = required_of(instruction.op);
    if (auto kept = check_fields(instruction, form, 0, required); !kept) {
        return std::unexpected(kept.error());
    }
    auto place =
        form == Form::kPatch ? from_mvu(instruction, form) : Result<Place>(from_root(instruction));
    if (!place) {
        return std::unexpected(place.error());
    }
    if (instruction.op == Op::kInsert) {
        const Value& key = *instruction.key;
        if (key.is_string()) {
            place->path.emplace_back(key.as_str());
        } else if (key.is_int()) {
            place->path.emplace_back(key.as_int());
        } else {
            return fail(ErrorCode::kWriteValue,
                        {std::string(title(form)), "insert", value::preview(key)});
        }
    }
    const auto path = pointer(place->path, form);
    const auto from = pointer(place->from, form);
    if (!path || !from) {
        return std::unexpected(!path ? path.error() : from.error());
    }
    Members members;
    members.add("op", Value(word));
    if (instruction.op == Op::kMove || instruction.op == Op::kCopy) {
        members.add("from", Value(std::string_view(*from)));
    }
    members.add("path", Value(std::string_view(*path)));
    if ((required & kValue) != 0) {
        members.add("value", *instruction.value);
    }
    members.add_text("reason", instruction.reason);
    return std::move(members).done();
}

}  // namespace arbiter::writer::internal
