// Pool: connections that are lent to one thread at a time, and pauses between tries.
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
    // There are never more than `most` of them at once: a server has few to give.
    Pool(Target target, std::vector<const Statement*> statements, std::size_t most)
        : target_(std::move(target)), statements_(std::move(statements)), most_(most) {}

    // A place in the pool, with a connection or none yet.
    class Lease {
      public:
        Lease(Pool& pool, std::unique_ptr<Connection> connection) noexcept
            : pool_(&pool), connection_(std::move(connection)) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Lease(Lease&& from) noexcept
            : pool_(std::exchange(from.pool_, nullptr)), connection_(std::move(from.connection_)) {}
        ~Lease();

        // Connects where there is no connection.
        Answered<Connection*> connection(Deadline until);
        // After a failure: it is used again if it can be. When it is lost, so are probably those
        // that lie idle.
        void failed(Trouble trouble, Deadline until);

      private:
        Pool* pool_;
        std::unique_ptr<Connection> connection_;
    };
    // Waits for a place.
    base::Result<Lease> take(Deadline until);

  private:
    const Target target_;
    const std::vector<const Statement*> statements_;
    const std::size_t most_;
    std::mutex lock_;
    std::condition_variable returned_;
    std::size_t lent_ = 0;
    std::vector<std::unique_ptr<Connection>> idle_;
};

// Between tries: at once, then longer and longer, and never all at the same time.
class Pauses {
  public:
    // False: it would be too late.
    bool sleep(Deadline until);

  private:
    std::chrono::milliseconds next_ = {};
};

}  // namespace arbiter::ledger
