// Descent: makes one spot of a document writable, copying only what others can see.
//
// It walks down from a value, level by level. Nodes that nobody else holds are used as they are.
// At the first shared node it starts copying: the old node is kept alive until the end, so the
// copies need not count the child on the way down, which is about to be replaced anyway. Until
// finish() or stop(), the slot it stands on may be such an uncounted ("borrowed") reference.
#pragma once

#include "value/internal/tree.h"

namespace arbiter::value::internal {

class Descent {
  public:
    explicit Descent(Value& root) noexcept : slot_(&root) {}
    Descent(const Descent&) = delete;
    Descent& operator=(const Descent&) = delete;
    ~Descent() {
        if (kept_ != nullptr) {
            release(kept_);
        }
    }

    // What stands at the current spot.
    [[nodiscard]] const Value& value() const noexcept { return *slot_; }

    // Goes into the member at `position` of the container at the current spot, and makes sure that
    // the container's height allows for `height` levels.
    void enter(std::size_t position, std::size_t height) noexcept;

    // Puts a value here. The last call.
    void finish(Value value) noexcept {
        if (borrowed_) {
            new (slot_) Value(std::move(value));
            borrowed_ = false;
        } else {
            *slot_ = std::move(value);
        }
    }

    // Ends the walk with what stands here unchanged; the slot is then an ordinary value.
    Value& stop() noexcept {
        if (borrowed_) {
            retain(Access::slot(*slot_));
            borrowed_ = false;
        }
        return *slot_;
    }

  private:
    template <typename Clone>
    Header* take(Header*& ref, std::size_t height, Clone clone) noexcept;

    Value* slot_;
    Header* kept_ = nullptr;
    bool borrowed_ = false;
};

}  // namespace arbiter::value::internal
