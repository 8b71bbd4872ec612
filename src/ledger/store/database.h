// Database: SQLite with values instead of error codes. One connection, one thread.
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

// A prepared statement while it runs; gone, it is ready for the next. Texts and bytes that it is
// given must live until then.
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

    // In the order of the question marks.
    Query& text(std::string_view value);
    Query& blob(std::string_view value);
    Query& number(std::int64_t value);
    Query& null();
    Query& blob_or_null(std::optional<std::string_view> value);

    // True: a row stands ready.
    base::Result<bool> next();
    // For statements that give no rows.
    base::Result<> run();

    // Columns of the row, from 0. Views live until the next row.
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

    // Statements are prepared once; `sql` must live as long as the program.
    base::Result<Query> query(const char* sql);
    base::Result<> run(const char* sql);
    // Rows that the last statement changed.
    [[nodiscard]] std::int64_t changed() const noexcept;

    // The length of the log after the last commit, and writing it back into the file.
    [[nodiscard]] int log_pages() const noexcept { return log_pages_; }
    base::Result<> write_back();

    // Once a write to the disk has failed in a way that leaves it open what is there, nothing more
    // is written: what a later sync says would be no proof.
    [[nodiscard]] bool is_broken() const noexcept { return !broken_.empty(); }
    [[nodiscard]] const std::string& broken() const noexcept { return broken_; }

    // The error of the last call.
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
