// The PostgreSQL store, which any number of servers can open at once.
//
// Readers and writers have separate connections, so neither waits for the other. When the database
// server goes away, calls retry until their timeout.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "ledger/store.h"

namespace arbiter::ledger {

struct PostgresOptions {
    // The longest time of a call with all its retries: longer than a restart or a failover.
    std::chrono::milliseconds patience = std::chrono::seconds(20);
};

// Retries like every call while the server cannot be reached.
base::Result<std::unique_ptr<Store>> open_postgres_store(std::string_view url,
                                                         Access access = Access::kCreate,
                                                         PostgresOptions options = {});
base::Result<std::int64_t> migrate_postgres_store(std::string_view url,
                                                  PostgresOptions options = {});

}  // namespace arbiter::ledger
