// The nearest name, for "did you mean …?". Pure.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace arbiter::text {

// The candidate with the fewest edits (insert, delete, replace or swap a character) from `wanted`,
// if it is near enough to be a typing error: at most a third of the longer name, but one edit is
// always allowed. The first of equally near candidates wins. Names longer than 64 characters and
// candidates beyond the first ten thousand are not compared.
std::optional<std::string_view> nearest(std::string_view wanted,
                                        std::span<const std::string_view> candidates);

}  // namespace arbiter::text
