// PostgresWriter: writes commits to PostgreSQL, exactly once. A batch of commits is one transaction
// and one round trip.
//
// The problem it solves: when a connection breaks after COMMIT was sent, it is unknown whether the
// server stored the transaction. Therefore
//   1. every commit writes a random number with its rows, its mark;
//   2. before a retry, the server sessions of broken connections are terminated, so that nothing
//      they were sent can still happen;
//   3. then each commit is looked up by its mark, and only those that are missing are sent again.
// A server that cannot terminate sessions is covered by a second lookup: a retry that is refused
// because the first try was stored after all counts as stored (explain_refusals()).
//
// Thread-safe.
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

// The sender of a notification about moved heads; both parts begin its payload.
struct NotifySender {
    std::string store;   // 16 hex digits, random for each open store
    std::string schema;  // 16 hex digits of the schema's name
};
// 16 random hex digits.
std::string random_name();
// The campaigns a payload names; none if it is our own, of another schema, or malformed.
std::vector<std::string> campaigns_in_payload(const NotifySender& self, std::string_view payload);
inline constexpr Statement kListen = {"listen", "LISTEN arbiter_heads"};

class PostgresWriter {
  public:
    // No call takes longer than `patience`, with all its retries.
    PostgresWriter(const Target& target, NotifySender self, std::chrono::milliseconds patience);

    // One result for each commit (Store::commit_all).
    std::vector<base::Result<>> write(std::span<const Commit> commits);
    base::Result<> drop_keyframe(std::string_view campaign, const TurnId& turn);
    // Both do nothing if there is no such campaign.
    base::Result<> rename_campaign(std::string_view campaign, std::string_view name);
    base::Result<> delete_campaign(std::string_view campaign);
    // Store::put_named_text() without its answer.
    base::Result<> put_named_text(const NamedText& text, std::optional<std::string_view> replaces);

  private:
    // A commit without a result.
    struct PendingCommit {
        const Commit* commit;
        base::Result<>* result;
        std::int64_t mark;
    };
    using PendingCommits = std::vector<PendingCommit>;

    // Server sessions whose connection broke while they were writing.
    struct UncertainSessions {
        std::vector<Connection::Session> sessions;  // not known to have ended
        bool any = false;                           // a connection broke at some time
    };

    // Retries until every commit has a result or the deadline has passed.
    void write(PendingCommits pending, UncertainSessions uncertain, Deadline until);
    // One try. Commits that got a result are removed from `pending`.
    PgResult<> try_once(Connection& connection, PendingCommits& pending, Batch::Form form,
                        UncertainSessions& uncertain, Deadline until);
    // Sends the transaction and reads which commits it allowed.
    PgResult<> send_batch(Connection& connection, PendingCommits& pending, Batch::Form form,
                          const UncertainSessions& uncertain, Deadline until);
    // Waits until the sessions have ended.
    static PgResult<> terminate(Connection& connection, const UncertainSessions& uncertain,
                                Deadline until);
    // Removes the commits that an earlier try has stored.
    static PgResult<> remove_stored(Connection& connection, PendingCommits& pending,
                                    Deadline until);
    // Gives each refused commit its error.
    static PgResult<> explain_refusals(Connection& connection, PendingCommits& refused,
                                       const UncertainSessions& uncertain, Deadline until);
    std::int64_t next_mark();
    // Runs statements that may run twice as one transaction, until it succeeds.
    using Request = std::pair<const Statement*, Arguments>;
    base::Result<> run(std::span<const Request> requests);

    Pool pool_;
    const NotifySender self_;
    const std::chrono::milliseconds patience_;
    const std::uint64_t seed_;
    std::atomic<std::uint64_t> marks_drawn_ = 0;
};

}  // namespace arbiter::ledger
