// Paths: comparing them, resolving them against a document, and following elements that move.
#pragma once

#include <cstddef>

#include "value/path.h"

namespace arbiter::engine::internal {

// Whether `path` equals `prefix` or is below it.
bool begins_with(const value::Path& path, const value::Path& prefix) noexcept;
// The path with its last segment replaced. Requires a non-empty path.
value::Path with_last(value::Path path, value::Segment segment);
// The path of a member of the container at `parent`.
value::Path child_of(const value::Path& parent, value::Segment member);
// Whether two paths have the same segments when an index equals the key of its digits.
bool is_same_address(const value::Path& a, const value::Path& b) noexcept;
// The path with keys of digits turned into indexes wherever the document has an array.
value::Path canonical(value::Path path, const value::Value& document);
// As `canonical`, with negative indexes resolved against the length of their array too.
value::Path absolute(value::Path path, const value::Value& document);
// Whether some index of the path is negative.
bool counts_from_the_end(const value::Path& path) noexcept;

// A splice of an array: from index `at` on, `removed` elements were replaced by `inserted` new
// ones.
struct Shift {
    value::Path list;
    std::size_t at;
    std::size_t removed;
    std::size_t inserted;
};
// Rewrites a canonical path so that it addresses the same element after the splice. Returns false,
// with the path unspecified, if that element was removed.
bool follow(value::Path& path, const Shift& shift);

}  // namespace arbiter::engine::internal
