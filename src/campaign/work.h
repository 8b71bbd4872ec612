// Work: the right to change a session. One holder at a time; unlike a lock it may be released by
// another thread, because a turn waits for the model and the store on no thread at all.
#pragma once

#include <atomic>
#include <optional>
#include <utility>

namespace arbiter::campaign {

class WorkPlace {
  public:
    class Holder {
      public:
        explicit Holder(WorkPlace& place) : place_(&place) {}
        Holder(Holder&& other) noexcept : place_(std::exchange(other.place_, nullptr)) {}
        Holder& operator=(Holder&&) = delete;
        ~Holder() {
            if (place_ != nullptr) {
                place_->is_taken_.store(false, std::memory_order_release);
            }
        }

      private:
        WorkPlace* place_;
    };

    // Never waits. Nothing if it is taken.
    std::optional<Holder> try_take() {
        if (is_taken_.exchange(true, std::memory_order_acquire)) {
            return std::nullopt;
        }
        return std::optional<Holder>(std::in_place, *this);
    }

  private:
    std::atomic<bool> is_taken_ = false;
};
using Work = WorkPlace::Holder;

}  // namespace arbiter::campaign
