// Committer: writes for many campaigns at once. Commits that come while the disk is busy are
// written together by the next one, so that the more there is to do, the less each waits for the
// disk.
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

    // How many commits at most are written together: so long the first of them may have to wait.
    static constexpr std::size_t kMost = 256;

    explicit Committer(Store& store, std::size_t most = kMost);
    Committer(const Committer&) = delete;
    Committer& operator=(const Committer&) = delete;
    // Writes what it was given before it goes.
    ~Committer();

    // In the order in which they come. Any thread.
    void commit(Commit commit, Done done);
    // Waits; not from a Done.
    base::Result<> commit(Commit commit);

  private:
    struct Waiting {
        std::vector<Commit> commits;
        std::vector<Done> done;
    };
    void run();

    Store& store_;
    const std::size_t most_;
    std::mutex lock_;
    std::condition_variable more_;
    Waiting waiting_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace arbiter::ledger
