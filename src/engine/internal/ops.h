// Ops: runs the operation of an instruction; and helpers that several operations share.
#pragma once

#include <optional>

#include "engine/internal/work.h"
#include "value/merge.h"

namespace arbiter::engine::internal {

// Carries out work.instruction.op. Returns false, with the verdict's problem set, if it failed.
bool run_operation(Work& work);
// Whether the operation may change the document.
bool is_write(Op op) noexcept;

// A value to write, without the keys that only the engine may write: __version, and structure rules
// where the policy locks the structure. Warns if there were versions.
value::Value sanitized(Work& work, const value::Value& value);

// The option mergeStrategy: "deep", "shallow", else replace.
value::Merge merge_named(std::string_view strategy) noexcept;

// A key as the index of an array element: a number from 0 up or, with `digits_too`, a string of
// digits. Fractions are cut off; numbers above 10^9 become 10^9, which no array has.
std::optional<std::size_t> whole_index(const value::Value& key, bool digits_too);
// Whether two elements count as equal: by the fields of the option uniqueBy, else by content.
bool is_same_element(const Work& work, const value::Value& a, const value::Value& b);

}  // namespace arbiter::engine::internal
