// Database: an SQLite connection with results instead of error codes. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace arbiter::ledger {

class Database;

// RAII use of a prepared statement: the destructor resets it for reuse. Bound views must be valid
// until then.
class Query {
  public:
    Query(Database& database, sqlite3_stmt* statement) noexcept
        : database_(&database), statement_(statement) {}
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    Query(Query&& from) noexcept
        : database_(from.database_),
          statement_(std::exchange(from.statement_, nullptr)),
          bound_(from.bound_) {}
    ~Query();

    // Bind the next parameter.
    Query& text(std::string_view value);
    Query& blob(std::string_view value);
    Query& number(std::int64_t value);
    Query& null();
    Query& blob_or_null(std::optional<std::string_view> value);

    // True if there is a row.
    base::Result<bool> next();
    // For statements without rows.
    base::Result<> run();

    // Columns of the row, from 0. Views are valid until the next row.
    [[nodiscard]] std::string_view bytes(int column) const;
    [[nodiscard]] std::int64_t number_at(int column) const;
    [[nodiscard]] bool is_null(int column) const;

  private:
    Database* database_;
    sqlite3_stmt* statement_;
    int bound_ = 0;
};

class Database {
  public:
    enum class Use : std::uint8_t { kRead, kWrite };
    static base::Result<std::unique_ptr<Database>> open(const std::string& file, Use use);
    explicit Database(sqlite3* handle) noexcept;
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database();

    // Prepares the statement on first use. `sql` must have static lifetime.
    base::Result<Query> query(const char* sql);
    base::Result<> run(const char* sql);
    // The number of rows the last statement changed.
    [[nodiscard]] std::int64_t changed() const noexcept;

    // The length of the write-ahead log after the last commit; write_back() moves it into the file.
    [[nodiscard]] int log_pages() const noexcept { return log_pages_; }
    base::Result<> write_back();

    // Set by an I/O error while writing. Nothing more is written then: after a failed fsync a later
    // success does not prove that the data is on disk.
    [[nodiscard]] bool is_broken() const noexcept { return !broken_.empty(); }
    [[nodiscard]] const std::string& broken() const noexcept { return broken_; }

    // The error of the last SQLite call.
    base::Error error(std::string what, int code);

  private:
    sqlite3* handle_;
    std::string broken_;
    int log_pages_ = 0;
    struct Prepared {
        const char* sql;
        sqlite3_stmt* statement;
    };
    std::vector<Prepared> prepared_;
};

}  // namespace arbiter::ledger
