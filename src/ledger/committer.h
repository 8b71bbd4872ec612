// Committer: group commit for many campaigns. Commits that arrive while the store is writing are
// written together by the next call, so the cost of a sync is shared the more, the busier a server
// is. It is used by the server; commands commit directly.
//
// Thread-safe.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "ledger/store.h"

namespace arbiter::ledger {

class Committer {
  public:
    // Called on the committer's thread, once for each commit, when it is durable or has failed.
    using Done = std::function<void(base::Result<>)>;

    // Commits written together by default. A larger batch costs less in total, but its first commit
    // waits longer.
    static constexpr std::size_t kBatchCommitsMax = 256;

    explicit Committer(Store& store, std::size_t batch_commits_max = kBatchCommitsMax);
    Committer(const Committer&) = delete;
    Committer& operator=(const Committer&) = delete;
    // Writes all pending commits first.
    ~Committer();

    // Commits in the order of the calls.
    void commit(Commit commit, Done done);
    // Waits for the result. Must not be called from a Done.
    base::Result<> commit(Commit commit);

  private:
    struct Queue {
        std::vector<Commit> commits;
        std::vector<Done> done;
    };
    void run();

    Store& store_;
    const std::size_t batch_commits_max_;
    std::mutex lock_;
    std::condition_variable changed_;
    Queue queue_;
    bool is_ending_ = false;
    std::thread thread_;
};

}  // namespace arbiter::ledger
