// Connection: libpq with values instead of error codes, and with an end to every wait.
//
// All work is a pipeline: statements are sent one after the other, and finish() waits once for all
// their answers. Statements are prepared when the connection is made and take their data as
// arguments; there is no other way to send any. One connection, one thread.
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

struct pg_conn;
struct pg_result;

namespace arbiter::ledger {

using Deadline = std::chrono::steady_clock::time_point;

struct Statement {
    const char* name;  // in errors too: what it does
    const char* sql;
};

// What a failure leaves behind.
enum class Trouble : std::uint8_t {
    kLost,     // the connection is gone, and it is open what became of the last statements
    kAgain,    // nothing was done because of somebody else's work; it may go the next time
    kRefused,  // nothing was done, and trying again is no use
};
struct Failure {
    Trouble trouble;
    base::Error error;
};
template <typename T = void>
using Answered = std::expected<T, Failure>;

// In the order of $1, $2 … Texts and bytes must live until they are sent.
class Arguments {
  public:
    static constexpr std::size_t kMost = 16;

    Arguments& text(std::string_view value) { return bytes(value); }
    Arguments& bytes(std::string_view value) {
        // A pointer even for no bytes: without one it would be null.
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
    std::array<const char*, kMost> values_ = {};
    std::array<int, kMost> lengths_ = {};
    std::array<bool, kMost> is_number_ = {};
    std::array<std::array<char, 8>, kMost> numbers_ = {};
};

// An array as one argument, for statements that are about many rows.
class List {
  public:
    enum class Of : std::uint8_t { kText, kBytes, kNumbers };
    // `bytes` is how much there will be, where it is known.
    explicit List(Of what, std::size_t bytes = 0);

    void add(std::string_view bytes);
    void add(std::int64_t number);
    void add(const std::optional<Digest>& digest);
    // Until the next one is added.
    [[nodiscard]] std::string_view bytes();

  private:
    std::string bytes_;
    std::uint32_t count_ = 0;
};

// What a statement gave. Nothing in it is trusted: whatever has not the form that it should have is
// kCorrupt.
class Rows {
  public:
    Rows(const Statement& statement, pg_result* result) : statement_(&statement), result_(result) {}

    [[nodiscard]] int size() const;
    // What the server says that it did: "COMMIT".
    [[nodiscard]] std::string_view done() const;
    [[nodiscard]] bool is_null(int row, int column) const;
    // Views live as long as these rows.
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

// Where the server is. A database may hold several stores, each in a schema of its own: that of the
// url's search_path, else `arbiter`.
struct Target {
    std::string url;
    bool names_schema = false;
};
// kStoreUrl when it cannot be read.
base::Result<Target> read_target(std::string_view url);

class Connection {
  public:
    // Connects, and prepares all statements that will be sent.
    static Answered<std::unique_ptr<Connection>> open(const Target& target,
                                                      std::span<const Statement* const> statements,
                                                      Deadline until);
    explicit Connection(pg_conn* handle) noexcept : handle_(handle) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    // Statements live as long as the program. What goes wrong is told by finish().
    void send(const Statement& statement, const Arguments& arguments = {});
    // The answers to all that was sent; without a transaction of their own they are one.
    Answered<std::vector<Rows>> finish(Deadline until);
    // The same; after a failure `answers` has those that came before it.
    Answered<> finish(std::vector<Rows>& answers, Deadline until);
    // Several statements that take no arguments; `sql` is part of the program.
    Answered<> run_script(const char* name, const char* sql, Deadline until);

    // Waits for what others call (NOTIFY) and gives the payloads.
    Answered<std::vector<std::string>> calls(Deadline until);

    // The server's process for this connection, which may outlive it.
    struct Session {
        std::int64_t process = 0;
        std::int64_t since = 0;
        friend bool operator==(const Session&, const Session&) = default;
    };
    [[nodiscard]] Session session() const noexcept { return session_; }
    // Empty when the schema is not there.
    [[nodiscard]] const std::string& schema() const noexcept { return schema_; }
    [[nodiscard]] const std::string& encoding() const noexcept { return encoding_; }
    // Whether a statement may be about many campaigns; where they are spread over machines by Citus
    // each is about one.
    [[nodiscard]] bool takes_lists() const noexcept { return takes_lists_; }
    // After a failure: whether statements can be sent again as if nothing had been.
    bool settle(Deadline until);

  private:
    Answered<> connect(Deadline until);
    Answered<> wait(bool write, Deadline until);
    // The next result of what was sent, none at the end of a statement's.
    Answered<pg_result*> next(Deadline until);
    Failure lost(std::string_view what);
    Failure failure_of(const pg_result* result, const char* what);

    pg_conn* handle_;
    std::vector<const Statement*> sent_;
    bool send_failed_ = false;
    Session session_;
    std::string schema_;
    std::string encoding_;
    bool takes_lists_ = false;
};

}  // namespace arbiter::ledger
