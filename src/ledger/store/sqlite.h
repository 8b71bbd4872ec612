// The SQLite store: one file in WAL mode, synced at every commit.
//
// One connection writes, under a lock. Others read; each sees the last commit before it began and
// never waits. The file is looked at before SQLite opens it (store_file.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ledger/store.h"

namespace arbiter::ledger {

struct SqliteOptions {
    // Pages of the write-ahead log before it is written back into the file: 16 MB. More makes
    // commits cheaper and opening after a crash slower.
    int log_pages = 4096;
};
// Unless it only reads, migrates an older file. Fails with kStoreVersion if it is newer.
base::Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& file,
                                                       Access access = Access::kCreate,
                                                       const SqliteOptions& options = {});
// The schema version that open_sqlite_store() writes.
std::int64_t sqlite_version() noexcept;

}  // namespace arbiter::ledger
