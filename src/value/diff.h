// Diff: the changes between two versions of a document.
//
// A Diff is a list of changes to apply one after the other. It also restores the order of members:
// added and removed members carry their position, and a moved member is removed and added again.
// Versions that share nodes are compared at the cost of what changed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::value {

class Builder;

struct Change {
    enum class Kind : std::uint8_t { kAdd, kRemove, kReplace };
    Kind kind;
    // Indexes in arrays, keys in objects, as of the moment when this change is applied.
    Path path;
    // For kAdd and kRemove: the position in the container.
    std::size_t position = 0;
    Value before;  // not for kAdd
    Value after;   // not for kRemove

    friend bool operator==(const Change&, const Change&) = default;
};

using Diff = std::vector<Change>;

// Applying the result to `before` gives `after`, byte for byte. Versions that share little should
// be sealed (hash.h) first: then parts that differ are recognised by their hashes on every level.
Diff diff(const Value& before, const Value& after);
// The same without sealing, for a version that was made from the other and shares all unchanged
// nodes with it.
Diff diff_of_step(const Value& before, const Value& after);

// Fails with kDiffMismatch, without effect, unless the document has exactly the values and
// positions that the changes replace or remove. So an applied diff can always be inverted.
// Nodes of a document that is moved in are changed in place.
base::Result<Value> apply_diff(const Diff& changes, Value document);

// The elements of two lists between their equal beginnings and their equal ends.
struct ChangedRun {
    std::size_t begin = 0;  // in both
    std::size_t before_end = 0;
    std::size_t after_end = 0;
};
// Both are arrays. The cost is that of diff_of_step().
ChangedRun changed_run(const Value& before, const Value& after);

// The diff from after to before.
Diff invert(const Diff& changes);

// As JSON: [{"kind":"add","path":["a",0],"position":0,"after":…}, …].
Value diff_to_value(const Diff& changes);
// The same onto a builder, for a document that contains many diffs.
void push_diff(Builder& builder, const Diff& changes);
base::Result<Diff> diff_from_value(const Value& value);

// As JSON Patch (RFC 6902), which has no order of members: moves of members are left out.
Value diff_to_patch(const Diff& changes);

}  // namespace arbiter::value
