// The tables of the PostgreSQL store and their migrations.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "ledger/store/connection.h"

namespace arbiter::ledger {

// Creates the tables if there are none. Fails with kStoreOld if they are older, with kStoreVersion
// if they are newer. Returns the name of their schema.
base::Result<std::string> prepare_schema(const Target& target, Deadline until);

// Migrates older tables. Returns the version afterwards.
base::Result<std::int64_t> migrate_schema(const Target& target, Deadline until);

}  // namespace arbiter::ledger
