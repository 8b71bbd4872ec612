#include "ledger/store/postgres_pool.h"

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// For one attempt to connect; then it is retried.
constexpr milliseconds kConnectMax(5000);
// The longest pause is the longest delay after the server is back.
constexpr milliseconds kPauseFirst(10);
constexpr milliseconds kPauseMax(500);

}  // namespace

Pool::Lease::~Lease() {
    if (pool_ == nullptr) {
        return;
    }
    {
        const std::scoped_lock lock(pool_->lock_);
        --pool_->lent_;
        if (connection_) {
            pool_->idle_.push_back(std::move(connection_));
        }
    }
    pool_->returned_.notify_one();
}

PgResult<Connection*> Pool::Lease::connection(Deadline until) {
    if (!connection_) {
        auto made = Connection::open(pool_->target_, pool_->statements_,
                                     std::min<Deadline>(until, Clock::now() + kConnectMax));
        if (!made) {
            return std::unexpected(std::move(made).error());
        }
        connection_ = *std::move(made);
    }
    return connection_.get();
}

void Pool::Lease::failed(FailureKind kind, Deadline until) {
    if (kind != FailureKind::kLost && connection_ && connection_->settle(until)) {
        return;
    }
    connection_.reset();
    if (kind == FailureKind::kLost) {
        std::vector<std::unique_ptr<Connection>> others;
        const std::scoped_lock lock(pool_->lock_);
        std::swap(others, pool_->idle_);
    }
}

Result<Pool::Lease> Pool::take(Deadline until) {
    std::unique_lock lock(lock_);
    if (!returned_.wait_until(lock, until, [this] { return lent_ < connections_max_; })) {
        return base::fail(ErrorCode::kStoreFailed,
                          {"reach the server", "all connections are busy"});
    }
    ++lent_;
    std::unique_ptr<Connection> connection;
    if (!idle_.empty()) {
        connection = std::move(idle_.back());
        idle_.pop_back();
    }
    return Lease(*this, std::move(connection));
}

bool Backoff::sleep(Deadline until) {
    const milliseconds longest = std::exchange(
        next_, next_ == milliseconds() ? kPauseFirst : std::min(next_ * 2, kPauseMax));
    thread_local std::minstd_rand random(std::random_device{}());
    const auto pause =
        longest / 2 + milliseconds(random() % static_cast<unsigned>(longest.count() / 2 + 1));
    const Deadline now = Clock::now();
    if (now + pause >= until) {
        return false;
    }
    std::this_thread::sleep_for(pause);
    return true;
}

}  // namespace arbiter::ledger
