// Connection: libpq with results instead of error codes, and a deadline for every wait.
//
// Statements are pipelined: send() queues them, and finish() waits once for all answers. They are
// prepared when the connection is opened, and data is passed only as arguments. One thread at a
// time uses a connection.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ledger/digest.h"
#include "ledger/store/target.h"

struct pg_conn;
struct pg_result;

namespace arbiter::ledger {

using Deadline = std::chrono::steady_clock::time_point;

struct Statement {
    const char* name;  // also shown in errors: what it does
    const char* sql;
};

// The state after a failure.
enum class FailureKind : std::uint8_t {
    kLost,     // the connection broke; the outcome of the last statements is unknown
    kAgain,    // nothing was done because of a conflict; a retry may succeed
    kRefused,  // nothing was done; a retry fails too
};
struct Failure {
    FailureKind kind;
    base::Error error;
};
template <typename T = void>
using PgResult = std::expected<T, Failure>;

// Arguments for $1, $2 … in order. Views must be valid until send() returns.
class Arguments {
  public:
    static constexpr std::size_t kCountMax = 16;

    Arguments& text(std::string_view value) { return bytes(value); }
    Arguments& bytes(std::string_view value) {
        // A null pointer would mean NULL.
        return add(value.empty() ? "" : value.data(), value.size());
    }
    Arguments& number(std::int64_t value);
    Arguments& digest(const Digest& value) { return bytes(value.view()); }
    Arguments& digest_or_null(const std::optional<Digest>& value) {
        return value ? digest(*value) : add(nullptr, 0);
    }

  private:
    friend class Connection;
    Arguments& add(const char* data, std::size_t size);

    int count_ = 0;
    std::array<const char*, kCountMax> values_ = {};
    std::array<int, kCountMax> lengths_ = {};
    std::array<bool, kCountMax> is_number_ = {};
    std::array<std::array<char, 8>, kCountMax> numbers_ = {};
};

// An array argument, for statements about many rows.
class List {
  public:
    enum class Of : std::uint8_t { kText, kBytes, kNumbers };
    // `bytes`: the expected size, if known.
    explicit List(Of what, std::size_t bytes = 0);

    void add(std::string_view bytes);
    void add(std::int64_t number);
    void add(const std::optional<Digest>& digest);
    // Valid until the next add().
    [[nodiscard]] std::string_view bytes();

  private:
    std::string bytes_;
    std::uint32_t count_ = 0;
};

// The rows of an answer. They are not trusted: a value of a wrong type is kCorrupt.
class Rows {
  public:
    Rows(const Statement& statement, pg_result* result) : statement_(&statement), result_(result) {}

    [[nodiscard]] int size() const;
    // The command tag, such as "COMMIT".
    [[nodiscard]] std::string_view done() const;
    [[nodiscard]] bool is_null(int row, int column) const;
    // Valid as long as these rows.
    [[nodiscard]] std::string_view bytes(int row, int column) const;
    [[nodiscard]] base::Result<std::int64_t> number(int row, int column) const;
    [[nodiscard]] base::Result<Digest> digest(int row, int column) const;
    [[nodiscard]] base::Result<std::optional<Digest>> digest_or_null(int row, int column) const;

  private:
    [[nodiscard]] std::unexpected<base::Error> corrupt(int column, std::string_view wanted) const;

    struct Clear {
        void operator()(pg_result* result) const;
    };
    const Statement* statement_;
    std::unique_ptr<pg_result, Clear> result_;
};

class Connection {
  public:
    // Connects and prepares all statements that will be sent. Tries all places of the target; none
    // of them, silent, takes the time of the others.
    static PgResult<std::unique_ptr<Connection>> open(const Target& target,
                                                      std::span<const Statement* const> statements,
                                                      Deadline until);
    explicit Connection(pg_conn* handle) noexcept : handle_(handle) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    // Statements must have static lifetime. Errors are returned by finish().
    void send(const Statement& statement, const Arguments& arguments = {});
    // The answers to all sent statements, which are one transaction unless they contain BEGIN.
    PgResult<std::vector<Rows>> finish(Deadline until);
    // The same; after a failure `answers` holds those before it.
    PgResult<> finish(std::vector<Rows>& answers, Deadline until);
    // Runs several statements without arguments. `sql` must be a constant.
    PgResult<> run_script(const char* name, const char* sql, Deadline until);

    // Waits for notifications and returns their payloads; none at the deadline.
    PgResult<std::vector<std::string>> notifications(Deadline until);

    // The server process of this connection, which may outlive it.
    struct Session {
        std::int64_t process = 0;
        std::int64_t since = 0;
        friend bool operator==(const Session&, const Session&) = default;
    };
    [[nodiscard]] Session session() const noexcept { return session_; }
    // Empty if the schema does not exist.
    [[nodiscard]] const std::string& schema() const noexcept { return schema_; }
    [[nodiscard]] const std::string& encoding() const noexcept { return encoding_; }
    // True if one statement may touch many campaigns. Not with Citus, which spreads campaigns over
    // machines.
    [[nodiscard]] bool supports_lists() const noexcept { return supports_lists_; }
    // After a failure: brings the connection back to a clean state. False if that is impossible.
    bool settle(Deadline until);

  private:
    static PgResult<std::unique_ptr<Connection>> open_at(
        const Target& target, const Target::Place& place,
        std::span<const Statement* const> statements, Deadline until);
    PgResult<> connect(Deadline until);
    PgResult<> wait(bool write, Deadline until);
    // The next result; null at the end of a statement.
    PgResult<pg_result*> next(Deadline until);
    Failure lost(std::string_view what);
    [[nodiscard]] Failure refused_connection() const;
    Failure failure_of(const pg_result* result, const char* what);

    pg_conn* handle_;
    std::vector<const Statement*> sent_;
    bool send_failed_ = false;
    Session session_;
    std::string schema_;
    std::string encoding_;
    bool supports_lists_ = false;
};

}  // namespace arbiter::ledger
