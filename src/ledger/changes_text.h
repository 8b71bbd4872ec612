// The text of changes in a record.
#pragma once

#include <string>

#include "value/diff.h"

namespace arbiter::ledger {

// Appends the JSON of value::diff_to_value(), without a document in between.
void append_changes(std::string& out, const value::Diff& changes);

}  // namespace arbiter::ledger
