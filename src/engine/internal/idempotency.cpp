#include "engine/internal/idempotency.h"

#include "proposal/operations.h"
#include "value/hash.h"

namespace arbiter::engine::internal {

using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kKeys = "idempotency";

Object keys_in(const Object& meta) {
    const Value* keys = meta.find(kKeys);
    return keys != nullptr && keys->is_object() ? keys->as_object() : Object();
}

// The path as it was written, since [-1] means another element after the first time; with indexes
// as keys of digits, which address the same element.
std::string full_key(const Work& work) {
    Path asked = work.verdict.path;
    for (value::Segment& segment : asked) {
        segment = value::Segment(segment.as_key());
    }
    return detail_of(asked) + "\n" + work.text_option("idempotencyKey", "");
}

// Operation and value, to distinguish a repeated command from another one under the same key.
Value command_of(const Work& work) {
    const Value value = work.instruction.value.value_or(Value());
    return Object{{"op", proposal::name(work.instruction.op)},
                  {"value", static_cast<std::int64_t>(value::fingerprint_of(value).loose >> 1)}};
}

}  // namespace

Seen find_key(const Work& work) {
    if (work.option("idempotencyKey") == nullptr) {
        return Seen::kNew;
    }
    const Object keys = keys_in(work.meta);
    const Value* remembered = keys.find(full_key(work));
    if (remembered == nullptr) {
        return Seen::kNew;
    }
    return *remembered == command_of(work) ? Seen::kSame : Seen::kDifferent;
}

void remember_key(Work& work) {
    if (work.option("idempotencyKey") == nullptr) {
        return;
    }
    Object keys = keys_in(work.meta).set(value::Str(full_key(work)), command_of(work));
    while (keys.size() > work.policy.marks_max) {
        // A copy: the key must outlive the entry that is erased.
        const value::Str oldest = keys.at(0).key;
        keys = std::move(keys).erase(oldest);
    }
    work.meta = std::move(work.meta).set(kKeys, std::move(keys));
}

}  // namespace arbiter::engine::internal
