// Bin: the recycle bin of soft-deleted and expired nodes, and restoring from it.
//
// A bin is an array of records, or an object of records by operation id, somewhere in the document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"

namespace arbiter::engine {

struct BinRecord {
    value::Path place;  // of the node, before it was deleted
    value::Value value;
    std::string id;  // of the operation that deleted it; may be empty
    std::string deleted_at;
    std::string reason;
    value::Path record;  // of this record in the document
};

// The records of a bin, oldest first. Members that are not records are left out; a missing bin is
// empty.
std::vector<BinRecord> list_bin(const value::Value& document, const value::Path& bin);

// A proposal that restores a node. `what` is the id of the deleting operation, or a path, which
// means the newest record of that path. Returns nothing if the bin has no such record.
// Applying it fails with target_exists if an object has the member again; an array inserts. The
// model may not restore.
std::optional<proposal::Proposal> propose_restore(const value::Value& document,
                                                  const value::Path& bin, std::string_view what);

}  // namespace arbiter::engine
