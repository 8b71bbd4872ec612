// Walks two trees side by side and visits only what they do not share.
//
// Versions of one document share all nodes but the changed ones, so comparing them by the address
// of nodes costs what changed. All functions are also right for trees that share nothing.
#pragma once

#include <array>

#include "base/check.h"
#include "value/internal/tree.h"

namespace arbiter::value::internal {

inline Header* tree_of(const Value& container) noexcept {
    return order_tree(node_of(Access::slot(container)));
}

enum class Direction : bool { kForward, kBackward };

// A place in a tree: the subtrees still to come, the next one first.
template <Direction kDirection = Direction::kForward>
class Subtrees {
  public:
    explicit Subtrees(const Header* tree) noexcept {
        if (tree != nullptr) {
            push(tree);
        }
    }
    [[nodiscard]] bool done() const noexcept { return depth_ == 0; }
    [[nodiscard]] const Header* node() const noexcept { return stack_[depth_ - 1].node; }
    [[nodiscard]] unsigned level() const noexcept { return level_of(node()); }
    // The order id that the next subtree begins with.
    [[nodiscard]] OrderId first_id() const noexcept {
        if (node()->kind == NodeKind::kInner) {
            return static_cast<const Inner*>(node())->children()[0].first_id;
        }
        const Keys* keys = static_cast<const Leaf*>(node())->keys;
        return keys != nullptr && keys->has_ids ? keys->ids()[0] : 0;
    }
    // Goes from an inner node to its nearest child.
    void descend() noexcept { push(child(static_cast<const Inner*>(node()), 0)); }
    // Goes past the next subtree.
    void skip() noexcept {
        --depth_;
        while (depth_ > 0) {
            Frame& parent = stack_[depth_ - 1];
            const auto* inner = static_cast<const Inner*>(parent.node);
            if (++parent.child < inner->size) {
                push(child(inner, parent.child));
                return;
            }
            --depth_;
        }
    }

  private:
    struct Frame {
        const Header* node;
        std::size_t child;
    };
    static const Header* child(const Inner* inner, std::size_t i) noexcept {
        return inner->children()[kDirection == Direction::kForward ? i : inner->size - 1 - i].node;
    }
    void push(const Header* node) noexcept {
        CHECK(depth_ < stack_.size());
        stack_[depth_++] = {node, 0};
    }
    // A node has at least half of kNodeMax children on average, so this is beyond any memory.
    std::array<Frame, 24> stack_;
    std::size_t depth_ = 0;
};

// Calls visit(left leaf, right leaf) for the leaves of two objects that are not shared, in order;
// one of the two is nullptr where the other side has no leaf at the same place. Between them it
// calls pass(subtree) for what is shared. Stops and returns false as soon as visit does.
template <typename Visit, typename Pass>
bool walk_unshared_leaves(const Header* a, const Header* b, Visit visit, Pass pass) {
    Subtrees<> left(a);
    Subtrees<> right(b);
    while (!left.done() || !right.done()) {
        if (!left.done() && !right.done() && left.node() == right.node()) {
            pass(left.node());
            left.skip();
            right.skip();
            continue;
        }
        // Ids say which side is behind; sides that begin alike are opened from the higher level.
        const bool take_left =
            right.done() || (!left.done() && left.first_id() <= right.first_id());
        const bool take_right =
            left.done() || (!right.done() && right.first_id() <= left.first_id());
        const bool left_inner = take_left && left.level() > 0;
        const bool right_inner = take_right && right.level() > 0;
        if (left_inner || right_inner) {
            const bool both = left_inner && right_inner && left.level() == right.level();
            if (left_inner && (both || !right_inner || left.level() > right.level())) {
                left.descend();
            }
            if (right_inner && (both || !left_inner || right.level() > left.level())) {
                right.descend();
            }
            continue;
        }
        const auto* left_leaf = take_left ? static_cast<const Leaf*>(left.node()) : nullptr;
        const auto* right_leaf = take_right ? static_cast<const Leaf*>(right.node()) : nullptr;
        if (!visit(left_leaf, right_leaf)) {
            return false;
        }
        if (take_left) {
            left.skip();
        }
        if (take_right) {
            right.skip();
        }
    }
    return true;
}

// One side of a pair: a value, with its key where the leaf has keys.
struct Spotted {
    const Leaf* leaf;
    std::size_t index;
    [[nodiscard]] const Value& value() const noexcept { return leaf->items()[index]; }
    [[nodiscard]] const Str& key() const noexcept { return leaf->keys->names()[index]; }
};

// Calls visit(n, x, y) for the n-th pairs of two trees, counted from the front or from the back up
// to the end of the shorter, that are not in shared leaves. Stops and returns false with visit.
template <Direction kDirection, typename Visit>
bool for_each_unshared(const Header* a, const Header* b, Visit visit) {
    Subtrees<kDirection> left(a);
    Subtrees<kDirection> right(b);
    std::size_t n = 0;
    // Values of the current leaf that were already paired.
    std::size_t left_used = 0;
    std::size_t right_used = 0;
    const auto spot = [](const Leaf* leaf, std::size_t used) {
        return Spotted{leaf, kDirection == Direction::kForward ? used : leaf->size - 1 - used};
    };
    while (!left.done() && !right.done()) {
        if (left_used == 0 && right_used == 0 && left.node() == right.node()) {
            n += tree_size(left.node());
            left.skip();
            right.skip();
            continue;
        }
        if (left.level() > 0 || right.level() > 0) {
            const unsigned left_level = left.level();
            const unsigned right_level = right.level();
            if (left_level >= right_level) {
                left.descend();
            }
            if (right_level >= left_level) {
                right.descend();
            }
            continue;
        }
        const auto* x = static_cast<const Leaf*>(left.node());
        const auto* y = static_cast<const Leaf*>(right.node());
        while (left_used < x->size && right_used < y->size) {
            if (!visit(n++, spot(x, left_used++), spot(y, right_used++))) {
                return false;
            }
        }
        if (left_used == x->size) {
            left.skip();
            left_used = 0;
        }
        if (right_used == y->size) {
            right.skip();
            right_used = 0;
        }
    }
    return true;
}

}  // namespace arbiter::value::internal
