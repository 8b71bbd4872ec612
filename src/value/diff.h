// What changed between two versions of a document, and how to get from one to the other.
//
// A Diff is a list of changes to be made one after the other. It restores the order of members
// too: added and removed members carry their position, and a member that only moved is removed
// and added again. Finding it costs what changed when the versions share the rest.
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
    // Indexes in arrays, keys in objects; as they are when it is this change's turn.
    Path path;
    // For kAdd and kRemove: the place among the members of the container.
    std::size_t position = 0;
    Value before;  // not for kAdd
    Value after;   // not for kRemove

    friend bool operator==(const Change&, const Change&) = default;
};

using Diff = std::vector<Change>;

// Applying the result to `before` gives `after`, byte for byte. Versions that share little should
// be sealed (hash.h) first: then different parts are seen to differ at a glance on every level.
Diff diff(const Value& before, const Value& after);
// The same without sealing: for a version that was made from the other and shares with it all but
// the way to what changed.
Diff diff_of_step(const Value& before, const Value& after);

// Fails with kDiffMismatch, and no effect, on a document that does not have exactly what the
// changes replace or remove, in their places. So what was applied can always be inverted.
base::Result<Value> apply_diff(const Diff& changes, const Value& document);

// The way back.
Diff invert(const Diff& changes);

// As JSON: [{"kind":"add","path":["a",0],"position":0,"after":…}, …].
Value diff_to_value(const Diff& changes);
// The same onto a builder, for a document that holds many.
void push_diff(Builder& builder, const Diff& changes);
base::Result<Diff> diff_from_value(const Value& value);

// As JSON Patch, RFC 6902, which knows no order of members: moves are left out.
Value diff_to_patch(const Diff& changes);

}  // namespace arbiter::value
