// Idempotency marks: which commands were seen before.
#include "engine/internal/work.h"
#include "proposal/operations.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::engine::internal {

using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kMarks = "idempotency";

Object marks_of(const Object& meta) {
    const Value* marks = meta.find(kMarks);
    return marks != nullptr && marks->is_object() ? marks->as_object() : Object();
}

// By the path as it was asked for: what [-1] means changes with the first time. Keys of digits and
// indexes are one.
std::string mark_key(const Work& work) {
    Path asked = work.verdict.path;
    for (value::Segment& segment : asked) {
        segment = value::Segment(segment.as_key());
    }
    return shown(asked) + "\n" + work.text_option("idempotencyKey", "");
}

// What was asked for, to tell the same command from another with the same key.
Value mark_of(const Work& work) {
    const Value value = work.instruction.value.value_or(Value());
    return Object{{"op", proposal::name(work.instruction.op)},
                  {"value", static_cast<std::int64_t>(value::fingerprint_of(value).loose >> 1)}};
}

}  // namespace

Seen find_mark(const Work& work) {
    if (work.option("idempotencyKey") == nullptr) {
        return Seen::kNew;
    }
    const Object marks = marks_of(work.meta);
    const Value* mark = marks.find(mark_key(work));
    if (mark == nullptr) {
        return Seen::kNew;
    }
    return *mark == mark_of(work) ? Seen::kSame : Seen::kDifferent;
}

void keep_mark(Work& work) {
    if (work.option("idempotencyKey") == nullptr) {
        return;
    }
    Object marks = marks_of(work.meta).set(value::Str(mark_key(work)), mark_of(work));
    while (marks.size() > work.policy.marks_max) {
        marks = std::move(marks).erase(marks.at(0).key);
    }
    work.meta = std::move(work.meta).set(kMarks, std::move(marks));
}

}  // namespace arbiter::engine::internal
