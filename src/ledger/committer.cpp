#include "ledger/committer.h"

#include <algorithm>
#include <future>
#include <span>

namespace arbiter::ledger {

using base::Result;

Committer::Committer(Store& store, std::size_t most)
    : store_(store), most_(std::max<std::size_t>(most, 1)), thread_([this] { run(); }) {}

Committer::~Committer() {
    {
        const std::scoped_lock lock(lock_);
        ending_ = true;
    }
    more_.notify_one();
    thread_.join();
}

void Committer::commit(Commit commit, Done done) {
    {
        const std::scoped_lock lock(lock_);
        waiting_.commits.push_back(std::move(commit));
        waiting_.done.push_back(std::move(done));
    }
    more_.notify_one();
}

Result<> Committer::commit(Commit commit) {
    std::promise<Result<>> promise;
    auto kept = promise.get_future();
    this->commit(std::move(commit),
                 [&promise](Result<> result) { promise.set_value(std::move(result)); });
    return kept.get();
}

void Committer::run() {
    Waiting now;
    while (true) {
        {
            std::unique_lock lock(lock_);
            more_.wait(lock, [this] { return ending_ || !waiting_.commits.empty(); });
            if (waiting_.commits.empty()) {
                return;
            }
            std::swap(now, waiting_);
        }
        for (std::size_t at = 0; at < now.commits.size(); at += most_) {
            const std::size_t count = std::min(most_, now.commits.size() - at);
            auto results = store_.commit_all(std::span(now.commits).subspan(at, count));
            for (std::size_t i = 0; i < count; ++i) {
                now.done[at + i](std::move(results[i]));
            }
        }
        now.commits.clear();
        now.done.clear();
    }
}

}  // namespace arbiter::ledger
