#include "openai/blocking_model.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

namespace arbiter::openai {
namespace {

// How soon an interrupt is noticed while nothing comes.
constexpr std::chrono::milliseconds kPollInterval{50};

// The executor of one answer: work waits here for the thread that asked.
class Inbox {
  public:
    void push(std::function<void()> work) {
        const std::scoped_lock lock(mutex_);
        if (!is_closed_) {
            waiting_.push_back(std::move(work));
            ready_.notify_one();
        }
    }
    // Drops the work that waits, and all that comes later. Work refers to the inbox, so the two
    // would keep each other.
    void close() {
        std::deque<std::function<void()>> dropped;
        const std::scoped_lock lock(mutex_);
        is_closed_ = true;
        dropped.swap(waiting_);
    }
    // The next work, or nothing after the time.
    std::function<void()> pop(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        if (!ready_.wait_for(lock, time, [this] { return !waiting_.empty(); })) {
            return {};
        }
        std::function<void()> work = std::move(waiting_.front());
        waiting_.pop_front();
        return work;
    }

  private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<std::function<void()>> waiting_;
    bool is_closed_ = false;
};

}  // namespace

base::Result<model::Reply> BlockingModel::answer(const model::Request& request,
                                                 const model::OnPiece& on_piece) {
    const auto inbox = std::make_shared<Inbox>();
    const auto close = [](Inbox* open) { open->close(); };
    const std::unique_ptr<Inbox, decltype(close)> closer(inbox.get(), close);
    std::optional<base::Result<model::Reply>> reply;
    bool is_cancelled = false;
    auto pending =
        model_.ask(request,
                   {.on_piece =
                        [&](const model::Piece& piece) {
                            is_cancelled = is_cancelled || (on_piece && !on_piece(piece));
                        },
                    .on_done = [&](base::Result<model::Reply> done) { reply = std::move(done); }},
                   [inbox](std::function<void()> work) { inbox->push(std::move(work)); });
    while (!reply) {
        if (is_cancelled || (is_cancelled_ && is_cancelled_())) {
            pending.reset();
            return base::fail(base::ErrorCode::kModelCancelled);
        }
        if (const auto work = inbox->pop(kPollInterval)) {
            work();
        }
    }
    // The last piece may have been refused together with the end.
    if (is_cancelled) {
        return base::fail(base::ErrorCode::kModelCancelled);
    }
    return *std::move(reply);
}

}  // namespace arbiter::openai
