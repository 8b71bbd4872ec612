#include "ledger/store/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <vector>

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

// The longest wait for another writing process.
constexpr int kBusyMilliseconds = 5000;

}  // namespace

// ---- queries

Query::~Query() {
    if (statement_ != nullptr) {
        sqlite3_reset(statement_);
        sqlite3_clear_bindings(statement_);
    }
}

Query& Query::text(std::string_view value) {
    sqlite3_bind_text64(statement_, ++bound_, value.data(), value.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
    return *this;
}
Query& Query::blob(std::string_view value) {
    // A null pointer would mean NULL.
    sqlite3_bind_blob64(statement_, ++bound_, value.empty() ? "" : value.data(), value.size(),
                        SQLITE_STATIC);
    return *this;
}
Query& Query::number(std::int64_t value) {
    sqlite3_bind_int64(statement_, ++bound_, value);
    return *this;
}
Query& Query::null() {
    sqlite3_bind_null(statement_, ++bound_);
    return *this;
}
Query& Query::blob_or_null(std::optional<std::string_view> value) {
    return value ? blob(*value) : null();
}

Result<bool> Query::next() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) {
        return true;
    }
    if (code == SQLITE_DONE) {
        return false;
    }
    return std::unexpected(database_->error(sqlite3_sql(statement_), code));
}
Result<> Query::run() {
    auto row = next();
    if (!row) {
        return std::unexpected(std::move(row).error());
    }
    return {};
}

std::string_view Query::bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return data == nullptr
               ? std::string_view()
               : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
}
std::int64_t Query::number_at(int column) const {
    return sqlite3_column_int64(statement_, column);
}
bool Query::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

// ---- the database

Database::Database(sqlite3* handle) noexcept : handle_(handle) {
    if (handle_ != nullptr) {
        // Replaces automatic write-back, whose errors would look like errors of the commit.
        sqlite3_wal_hook(
            handle_,
            [](void* self, sqlite3*, const char*, int pages) {
                static_cast<Database*>(self)->log_pages_ = pages;
                return SQLITE_OK;
            },
            this);
    }
}

Result<std::unique_ptr<Database>> Database::open(const std::string& file, Use use) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(
        file.c_str(), &handle,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
        nullptr);
    auto database = std::make_unique<Database>(handle);
    if (code != SQLITE_OK) {
        return std::unexpected(database->error("open " + file, code));
    }
    sqlite3_busy_timeout(handle, kBusyMilliseconds);
    // The file is not trusted: nothing in it may be executed.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    for (const char* sql :
         {// Holds three usual turns. Of a new file; others keep theirs.
          "PRAGMA page_size=8192", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
          "PRAGMA cell_size_check=ON", "PRAGMA foreign_keys=OFF",
          // The log is truncated to this after it grew larger.
          "PRAGMA journal_size_limit=67108864",
          use == Use::kRead ? "PRAGMA query_only=ON" : "PRAGMA query_only=OFF"}) {
        if (auto done = database->run(sql); !done) {
            return std::unexpected(std::move(done).error());
        }
    }
    return database;
}

Database::~Database() {
    for (const Prepared& each : prepared_) {
        sqlite3_finalize(each.statement);
    }
    sqlite3_close(handle_);
}

base::Error Database::error(std::string what, int code) {
    const std::string words = handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory";
    // The first word: "INSERT", "COMMIT" …
    what = what.starts_with("open ") ? what : what.substr(0, what.find(' '));
    switch (code & 0xFF) {
        case SQLITE_FULL:
            return base::Error(ErrorCode::kStoreFull, {what});
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return base::Error(ErrorCode::kCorrupt, {"the file", words});
        case SQLITE_IOERR:
            if (broken_.empty() && code != SQLITE_IOERR_SHORT_READ && code != SQLITE_IOERR_READ) {
                broken_ = words;
                // Closing must not write the log back either.
                sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
            }
            return base::Error(ErrorCode::kStoreFailed, {what, words});
        default:
            return base::Error(ErrorCode::kStoreFailed, {what, words});
    }
}

Result<Query> Database::query(const char* sql) {
    const auto known = std::ranges::find(prepared_, sql, &Prepared::sql);
    if (known != prepared_.end()) {
        return Query(*this, known->statement);
    }
    sqlite3_stmt* statement = nullptr;
    const int code =
        sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) {
        return std::unexpected(error(sql, code));
    }
    prepared_.push_back({sql, statement});
    return Query(*this, statement);
}

Result<> Database::run(const char* sql) {
    const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        return std::unexpected(error(sql, code));
    }
    return {};
}

std::int64_t Database::changed() const noexcept {
    return sqlite3_changes64(handle_);
}

Result<> Database::write_back() {
    int left = 0;
    int moved = 0;
    const int code =
        sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, &left, &moved);
    if (code != SQLITE_OK) {
        return std::unexpected(error("checkpoint", code));
    }
    log_pages_ = left - moved;
    return {};
}

}  // namespace arbiter::ledger
