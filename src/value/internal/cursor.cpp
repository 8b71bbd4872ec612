#include "value/internal/cursor.h"

#include "value/internal/tree.h"

namespace arbiter::value::internal {

void Cursor::seek() noexcept {
    if (position_ < tree_size(tree_)) {
        const Spot spot = locate(tree_, position_);
        leaf_ = spot.leaf;
        index_ = spot.index;
    }
}

void Cursor::next() noexcept {
    ++position_;
    ++index_;
    if (index_ == leaf_->size) {
        seek();
    }
}

const Value& Cursor::value() const noexcept {
    return leaf_->items()[index_];
}

const Str& Cursor::key() const noexcept {
    return leaf_->keys->names()[index_];
}

}  // namespace arbiter::value::internal
