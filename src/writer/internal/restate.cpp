#include "writer/internal/restate.h"

#include <algorithm>
#include <limits>

#include "proposal/shape.h"

namespace arbiter::writer::internal {
namespace {

using proposal::Arithmetic;
using proposal::Instruction;
using proposal::MergeKind;
using proposal::Op;
using value::Value;

bool is_patch(Form form) {
    return form == Form::kPatch || form == Form::kFilament3;
}
// Whether the form adds to numbers with `increment`, not with the `add` of tavern_commands.
bool has_increment(Form form) {
    return form == Form::kMvu || is_patch(form) || form == Form::kFilament2;
}
bool has_push(Form form) {
    return form == Form::kTavern || form == Form::kJson || form == Form::kMvu ||
           form == Form::kFilament2 || form == Form::kDirect || form == Form::kInternal;
}
bool has_insert(Form form) {
    return form == Form::kMvu || is_patch(form) || form == Form::kFilament2;
}

std::optional<Value> negated(const Value& value) {
    const auto number = proposal::as_number(value);
    if (!number ||
        (number->is_int() && number->as_int() == std::numeric_limits<std::int64_t>::min())) {
        return std::nullopt;
    }
    return number->is_int() ? Value(-number->as_int()) : Value(-number->as_double());
}

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

void restate_number(Instruction& made, Form form) {
    const bool subtracts =
        made.op == Op::kIncrement && made.arithmetic == Arithmetic::kSubtract && made.value;
    if (subtracts && form != Form::kFilament2) {
        if (auto value = negated(*made.value)) {
            made.value = std::move(*value);
            made.arithmetic = Arithmetic::kAdd;
        }
    }
    const bool adds = made.op == Op::kIncrement && made.arithmetic == Arithmetic::kAdd;
    if (adds && form == Form::kTavern) {
        made.op = Op::kAdd;
    } else if (made.op == Op::kAdd && has_increment(form) && made.value &&
               proposal::as_number(*made.value)) {
        made.op = Op::kIncrement;
    }
}

void restate_insert(Instruction& made, Form form) {
    if (!made.key) {
        // An object is merged into an object and appended to a list: that depends on the document.
        if (made.value && !made.value->is_object()) {
            if (is_patch(form)) {
                made.key = Value("-");
            } else if (has_push(form) && form != Form::kMvu) {
                made.op = Op::kPush;
            }
        }
        return;
    }
    if (!made.key->is_string()) {
        return;
    }
    const std::string_view key = made.key->as_string();
    if (key == "-" && has_push(form) && !has_insert(form)) {
        made.op = Op::kPush;
        made.key.reset();
    } else if (!is_digits(key) && key != "-" && made.overwrites && !has_insert(form)) {
        made.op = Op::kSet;
        made.path.emplace_back(made.key->as_str());
        made.key.reset();
    }
}

}  // namespace

Instruction restated(const Instruction& instruction, Form form) {
    Instruction made = instruction;
    switch (instruction.op) {
        case Op::kIncrement:
        case Op::kAdd:
            restate_number(made, form);
            break;
        case Op::kInsert:
            restate_insert(made, form);
            break;
        case Op::kPush:
            if (is_patch(form)) {
                made.op = Op::kInsert;
                made.key = Value("-");
            }
            break;
        case Op::kMerge:
            if (made.merge == MergeKind::kByOptions && form != Form::kTavern && made.value &&
                !made.value->is_object()) {
                made.op = Op::kSet;
            }
            break;
        case Op::kSet:
        case Op::kEnsure:
        case Op::kPull:
        case Op::kPop:
        case Op::kSplice:
        case Op::kDelete:
        case Op::kMove:
        case Op::kCopy:
        case Op::kGet:
        case Op::kCallback:
        case Op::kTest:
        case Op::kRestore:
        case Op::kCount:
            break;
    }
    // MVU reads the old value of a call and ignores it.
    if (instruction.described == proposal::Described::kMvu &&
        (form == Form::kTavern || is_patch(form) || form == Form::kFilament2)) {
        made.old.reset();
    }
    return made;
}

}  // namespace arbiter::writer::internal
