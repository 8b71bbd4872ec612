// Pool: a bounded pool of connections, and the backoff between retries. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "ledger/store/connection.h"

namespace arbiter::ledger {

class Pool {
  public:
    // At most `connections_max` connections exist at once: a server has few.
    Pool(Target target, std::vector<const Statement*> statements, std::size_t connections_max)
        : target_(std::move(target)),
          statements_(std::move(statements)),
          connections_max_(connections_max) {}

    // The right to use one connection, which may not be open yet. Returned by the destructor.
    class Lease {
      public:
        Lease(Pool& pool, std::unique_ptr<Connection> connection) noexcept
            : pool_(&pool), connection_(std::move(connection)) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Lease(Lease&& from) noexcept
            : pool_(std::exchange(from.pool_, nullptr)), connection_(std::move(from.connection_)) {}
        ~Lease();

        // Opens the connection if necessary.
        PgResult<Connection*> connection(Deadline until);
        // Call after a failure. Closes the connection unless it can be used again; if it was lost,
        // idle connections are closed too, since they probably are as well.
        void failed(FailureKind kind, Deadline until);

      private:
        Pool* pool_;
        std::unique_ptr<Connection> connection_;
    };
    // Waits for a free connection. Fails with kStoreFailed at the deadline.
    base::Result<Lease> take(Deadline until);

  private:
    const Target target_;
    const std::vector<const Statement*> statements_;
    const std::size_t connections_max_;
    std::mutex lock_;
    std::condition_variable returned_;
    std::size_t lent_ = 0;
    std::vector<std::unique_ptr<Connection>> idle_;
};

// Pauses between retries: none first, then growing, with random jitter.
class Backoff {
  public:
    // False, without sleeping, if the pause would end after the deadline.
    bool sleep(Deadline until);

  private:
    std::chrono::milliseconds next_ = {};
};

}  // namespace arbiter::ledger
