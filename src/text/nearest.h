// The name that somebody probably meant: for "did you mean …?".
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace arbiter::text {

// The candidate with the fewest edits (insert, delete, replace or swap a character) from `wanted`,
// if it is near enough to be a slip: at most a third of the longer name, and at least one edit for
// short ones. The first of equals wins. Names beyond 64
// characters are not compared, and no more than the first ten thousand.
std::optional<std::string_view> nearest(std::string_view wanted,
                                        std::span<const std::string_view> candidates);

}  // namespace arbiter::text
