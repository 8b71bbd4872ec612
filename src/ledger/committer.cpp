#include "ledger/committer.h"

#include <algorithm>
#include <future>
#include <span>

namespace arbiter::ledger {

using base::Result;

Committer::Committer(Store& store, std::size_t batch_commits_max)
    : store_(store),
      batch_commits_max_(std::max<std::size_t>(batch_commits_max, 1)),
      thread_([this] { run(); }) {}

Committer::~Committer() {
    {
        const std::scoped_lock lock(lock_);
        is_ending_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Committer::commit(Commit commit, Done done) {
    {
        const std::scoped_lock lock(lock_);
        queue_.commits.push_back(std::move(commit));
        queue_.done.push_back(std::move(done));
    }
    changed_.notify_one();
}

Result<> Committer::commit(Commit commit) {
    std::promise<Result<>> promise;
    auto kept = promise.get_future();
    this->commit(std::move(commit),
                 [&promise](Result<> result) { promise.set_value(std::move(result)); });
    return kept.get();
}

void Committer::run() {
    Queue batch;
    while (true) {
        {
            std::unique_lock lock(lock_);
            changed_.wait(lock, [this] { return is_ending_ || !queue_.commits.empty(); });
            if (queue_.commits.empty()) {
                return;
            }
            std::swap(batch, queue_);
        }
        for (std::size_t at = 0; at < batch.commits.size(); at += batch_commits_max_) {
            const std::size_t count = std::min(batch_commits_max_, batch.commits.size() - at);
            auto results = store_.commit_all(std::span(batch.commits).subspan(at, count));
            for (std::size_t i = 0; i < count; ++i) {
                batch.done[at + i](std::move(results[i]));
            }
        }
        batch.commits.clear();
        batch.done.clear();
    }
}

}  // namespace arbiter::ledger
