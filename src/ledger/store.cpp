#include "ledger/store.h"

#include "ledger/store/memory.h"
#include "ledger/store/postgres.h"
#include "ledger/store/sqlite.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::string_view kMemory = "memory:";
constexpr std::string_view kSqlite = "sqlite:";

bool is_sqlite(std::string_view url) {
    return url.starts_with(kSqlite) && url.size() > kSqlite.size();
}
bool is_postgres(std::string_view url) {
    return url.starts_with("postgres://") || url.starts_with("postgresql://");
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(std::string_view url, Access access) {
    if (url == kMemory) {
        return make_memory_store();
    }
    if (is_sqlite(url)) {
        return open_sqlite_store(std::string(url.substr(kSqlite.size())), access);
    }
    if (is_postgres(url)) {
        return open_postgres_store(url, access);
    }
    return base::fail(ErrorCode::kStoreUrl, {std::string(url)});
}

Result<std::int64_t> migrate_store(std::string_view url) {
    if (is_postgres(url)) {
        return migrate_postgres_store(url);
    }
    // The other stores migrate when they are opened.
    if (auto store = open_store(url, Access::kWrite); !store) {
        return std::unexpected(std::move(store).error());
    }
    return url == kMemory ? 1 : sqlite_version();
}

}  // namespace arbiter::ledger
