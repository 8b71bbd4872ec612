// Many campaigns at once: each hands in its next turn when the one before is acknowledged.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "base/check.h"
#include "bench/measure.h"
#include "ledger/committer.h"

namespace arbiter::bench {

// How long it takes, in nanoseconds, until all of `turns[campaign]` from number `first` on are
// kept.
inline double time_of_all(ledger::Store& store, std::vector<std::vector<ledger::Commit>> turns,
                          std::size_t first) {
    ledger::Committer committer(store);
    std::mutex lock;
    std::condition_variable all_done;
    std::size_t left = turns.size();
    std::function<void(std::size_t, std::size_t)> hand_in = [&](std::size_t i, std::size_t round) {
        committer.commit(std::move(turns[i][round]), [&, i, round](base::Result<> kept) {
            CHECK(kept.has_value());
            if (round + 1 < turns[i].size()) {
                hand_in(i, round + 1);
                return;
            }
            const std::scoped_lock locked(lock);
            if (--left == 0) {
                all_done.notify_one();
            }
        });
    };
    const double start = now_ns();
    for (std::size_t i = 0; i < turns.size(); ++i) {
        hand_in(i, first);
    }
    std::unique_lock locked(lock);
    all_done.wait(locked, [&] { return left == 0; });
    return now_ns() - start;
}

}  // namespace arbiter::bench
