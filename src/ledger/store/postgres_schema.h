// The tables of the PostgreSQL store, and how they came to be.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "ledger/store/connection.h"

namespace arbiter::ledger {

// Makes the tables where there are none. Fails with kStoreOld when there are older ones, with
// kStoreVersion when there are newer. Gives the name of the schema that they are in.
base::Result<std::string> prepare_schema(const Target& target, Deadline until);

// Brings older tables up to date; gives the version that there is then.
base::Result<std::int64_t> migrate_schema(const Target& target, Deadline until);

}  // namespace arbiter::ledger
