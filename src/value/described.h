// Described values: pairs [value, "description"], the leaves of documents that explain themselves
// to the model. Some dialects read and write through the pair to its first element.
#pragma once

#include <string_view>

#include "value/value.h"

namespace arbiter::value {

// The root of the table's own data (table/layout.h), which has no described values: two flags of a
// character are a list of two texts.
inline constexpr std::string_view kUndescribedRoot = "campaign";

// An array of exactly two elements: the second is a string, the first is not an array. An array of
// two strings qualifies; where that must stay a plain list, the caller has to check for it.
bool is_described(const Value& value) noexcept;

// The first element of a described value; any other value itself. Borrowed from `value`.
const Value& undescribed(const Value& value) noexcept;

}  // namespace arbiter::value
