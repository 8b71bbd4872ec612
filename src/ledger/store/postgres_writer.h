// Writes commits to PostgreSQL: a batch is one transaction and one round trip.
//
// A commit is never done twice and never forgotten, whenever a connection breaks: each carries a
// mark in what it writes, and a commit whose answer got lost is looked for by it before it is tried
// again. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ledger/store.h"
#include "ledger/store/postgres_batch.h"
#include "ledger/store/postgres_pool.h"

namespace arbiter::ledger {

// Who calls, and about which schema: the beginning of a NOTIFY's payload.
struct Caller {
    std::string store;   // 16 hex digits, drawn for each store
    std::string schema;  // 16 hex digits of its name
};
std::string draw_name();
// The campaigns that a payload names, when it is about the same schema and of another store.
std::vector<std::string> campaigns_called(const Caller& self, std::string_view payload);
inline constexpr Statement kListen = {"listen", "LISTEN arbiter_heads"};

class PostgresWriter {
  public:
    PostgresWriter(const Target& target, Caller self, std::chrono::milliseconds patience);

    std::vector<base::Result<>> write(std::span<const Commit> commits);
    base::Result<> drop_keyframe(std::string_view campaign, const TurnId& turn);

  private:
    // A commit that has no result yet.
    struct Open {
        const Commit* commit;
        base::Result<>* result;
        std::int64_t mark;
    };
    using Opens = std::vector<Open>;
    // What was left behind by connections that broke while they were writing.
    struct Doubt {
        std::vector<Connection::Session> sessions;
        bool ever = false;
    };

    void write(Opens open, Doubt doubt, Deadline until);
    // Settles what it can; what stays open is still in `open` afterwards.
    Answered<> attempt(Connection& connection, Opens& open, Batch::Form form, Doubt& doubt,
                       Deadline until);
    Answered<> send_off(Connection& connection, Opens& open, Batch::Form form, const Doubt& doubt,
                        Deadline until);
    static Answered<> end_sessions(Connection& connection, Doubt& doubt, Deadline until);
    static Answered<> look_again(Connection& connection, Opens& open, Deadline until);
    static Answered<> explain(Connection& connection, Opens& refused, const Doubt& doubt,
                              Deadline until);
    std::int64_t next_mark();

    Pool pool_;
    const Caller self_;
    const std::chrono::milliseconds patience_;
    const std::uint64_t seed_;
    std::atomic<std::uint64_t> drawn_ = 0;
};

}  // namespace arbiter::ledger
