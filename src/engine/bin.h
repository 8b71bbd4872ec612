// Bin: what was soft-deleted or ran out, and the way back to its place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"

namespace arbiter::engine {

// A record of a recycle bin, which is a list of them or an object of them by id.
struct Binned {
    value::Path place;  // where it was
    value::Value value;
    std::string id;  // of the operation that deleted it; "" where the record has none
    std::string deleted_at;
    std::string reason;
    value::Path record;  // where in the document the record is
};

// What is in a bin, oldest first; members that are no records are left out.
std::vector<Binned> list_bin(const value::Value& document, const value::Path& bin);

// The proposal that puts something back: by the id of its deletion, or the newest that was deleted
// at a path. Nothing where the bin has no such thing. The model may not propose it; a place that is
// occupied is `target_exists`, a list makes room.
std::optional<proposal::Proposal> propose_restore(const value::Value& document,
                                                  const value::Path& bin, std::string_view what);

}  // namespace arbiter::engine
