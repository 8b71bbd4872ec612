// The store on PostgreSQL, for more than one server: any number of them may have it open.
//
// Reading and writing have connections of their own, so that neither waits for the other. When the
// server goes away, calls wait for it as long as their patience lasts, and go on as if nothing had
// been.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "ledger/store.h"

namespace arbiter::ledger {

struct PostgresOptions {
    // How long a call may take in all, with all its tries: longer than a server needs to come back
    // after a crash, or another to take its place.
    std::chrono::milliseconds patience = std::chrono::seconds(20);
};

// Does not wait for a server that is not there.
base::Result<std::unique_ptr<Store>> open_postgres_store(std::string_view url,
                                                         PostgresOptions options = {});
base::Result<std::int64_t> migrate_postgres_store(std::string_view url,
                                                  PostgresOptions options = {});

}  // namespace arbiter::ledger
