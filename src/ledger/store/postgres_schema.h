// The tables of the PostgreSQL store and their migrations.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "ledger/store/connection.h"

namespace arbiter::ledger {

// Retries while the server starts or restarts; one that cannot be reached at all is given up after
// a few seconds. Both functions do.
//
// Creates the tables if there are none and `creates`, else fails with kStoreMissing. Fails with
// kStoreOld if they are older, with kStoreVersion if they are newer. Returns the name of their
// schema.
base::Result<std::string> prepare_schema(const Target& target, bool creates, Deadline until);

// Migrates older tables. Returns the version afterwards.
base::Result<std::int64_t> migrate_schema(const Target& target, Deadline until);

}  // namespace arbiter::ledger
