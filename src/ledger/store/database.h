// Database: an SQLite connection with results instead of error codes. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

struct sqlite3;
struct sqlite3_file;
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
    enum class Use : std::uint8_t {
        kCreate,     // the file may be missing
        kFill,       // a new file for copy_to()
        kWrite,      // the file must exist, here and below
        kRead,       // never writes pages, but may tidy up files beside it
        kReadOnly,   // writes nothing into the file or its log
        kImmutable,  // needs no files beside it; only if there is no log
    };
    static base::Result<std::unique_ptr<Database>> open(const std::string& file, Use use);
    // Reads the content of a file (store_file.h), which is shared by connections.
    static base::Result<std::unique_ptr<Database>> open_image(
        const std::string& file, std::shared_ptr<const std::string> image);
    Database(sqlite3* handle, std::string file) noexcept;
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
    // For a log that another process left behind, whose last sync may have failed: later syncs say
    // nothing about pages that the kernel takes for clean since then. Writes the log's own bytes
    // again, syncs them, and writes the log back.
    base::Result<> renew_log();
    // Within a transaction: appends zeros to a log that is about to grow. Overwriting costs half as
    // much as appending, which the file system must note down at every sync. Errors are ignored.
    void reserve_log();

    // The commits of all connections, of this and other processes, as the index of the log counts
    // them. Costs no system call. Nothing if there is no log.
    struct LogState {
        std::uint32_t commits = 0;
        std::array<std::uint32_t, 2> sum = {};   // of all frames
        std::array<std::uint32_t, 2> salt = {};  // another one when the log begins anew
        friend bool operator==(const LogState&, const LogState&) = default;
    };
    [[nodiscard]] std::optional<LogState> log_state();
    // The commits of this connection that changed something: others are not in the log.
    [[nodiscard]] std::uint32_t commits() const noexcept { return commits_; }

    // Copies all pages into a database that is new.
    base::Result<> copy_to(Database& to);

    // Set by an I/O error while writing. Nothing more is written then: after a failed fsync a later
    // success does not prove that the data is on disk.
    [[nodiscard]] bool is_broken() const noexcept { return !broken_.empty(); }
    [[nodiscard]] const std::string& broken() const noexcept { return broken_; }

    // The error of the last SQLite call, which ran `sql`; nullptr: it opened the file.
    base::Error error(const char* sql, int code);

  private:
    base::Result<> set_up(Use use);
    [[nodiscard]] sqlite3_file* log_file() const;

    sqlite3* handle_;
    std::string file_;
    std::shared_ptr<const std::string> image_;
    std::string broken_;
    const std::uint32_t* log_index_ = nullptr;  // in memory that processes share
    int log_pages_ = 0;
    std::uint32_t commits_ = 0;
    struct Prepared {
        const char* sql;
        sqlite3_stmt* statement;
    };
    std::vector<Prepared> prepared_;
};

}  // namespace arbiter::ledger
