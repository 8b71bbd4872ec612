// Descent: makes one spot of a document writable, copying only shared nodes.
//
// It walks down from a value, level by level. Unshared nodes are used in place; from the first
// shared node on, nodes are copied. The old node is kept alive until the end, so the copies need
// not count the child on the path, which is replaced anyway. Until finish() or stop(), the current
// slot may be such an uncounted ("borrowed") reference.
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

    // The value at the current spot.
    [[nodiscard]] const Value& value() const noexcept { return *slot_; }

    // Goes into the member at `position` of the container at the current spot, and makes sure that
    // the container's height allows for `height` levels.
    void enter(std::size_t position, std::size_t height) noexcept;

    // Replaces the value at the spot. Must be the last call.
    void finish(Value value) noexcept {
        if (borrowed_) {
            new (slot_) Value(std::move(value));
            borrowed_ = false;
        } else {
            *slot_ = std::move(value);
        }
    }

    // Ends the walk without a change; the slot is then an ordinary value.
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
