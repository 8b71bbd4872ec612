#include "value/internal/descent.h"

#include <new>

#include "base/check.h"
#include "value/internal/trie.h"

namespace arbiter::value::internal {
namespace {

// A container's node as a reference that can be replaced; written back by the destructor.
class NodeRef {
  public:
    explicit NodeRef(Value& value) noexcept : slot_(Access::slot(value)), node(node_of(slot_)) {}
    NodeRef(const NodeRef&) = delete;
    NodeRef& operator=(const NodeRef&) = delete;
    ~NodeRef() { slot_.lo = reinterpret_cast<std::uintptr_t>(node); }

  private:
    Slot& slot_;

  public:
    Header* node;
};

}  // namespace

// The node behind `ref`, writable: itself when we alone hold it, else a copy by `clone`.
template <typename Clone>
Header* Descent::take(Header*& ref, std::size_t height, Clone clone) noexcept {
    Header* node = ref;
    if (borrowed_ || !is_unique(node)) {
        if (!borrowed_) {
            kept_ = node;
            borrowed_ = true;
        }
        ref = clone(node);
        node = ref;
    }
    if (node->height < height) {
        node->height = static_cast<std::uint16_t>(height);
    }
    return node;
}

void Descent::enter(std::size_t position, std::size_t height) noexcept {
    CHECK(is_counted(Access::slot(*slot_)));
    NodeRef top(*slot_);
    Header** ref = &top.node;
    if ((*ref)->kind == NodeKind::kBig) {
        auto* big = static_cast<Big*>(take(*ref, height, [](Header* node) -> Header* {
            auto* old = static_cast<Big*>(node);
            auto* copy = new (allocate(sizeof(Big))) Big();
            copy->tree = old->tree;  // borrowed: the way down
            copy->trie = old->trie;
            retain(static_cast<Header*>(copy->trie));
            return copy;
        }));
        ref = &big->tree;
    }
    while ((*ref)->kind == NodeKind::kInner) {
        const std::size_t index = child_at(static_cast<Inner*>(*ref), position);
        auto* inner = static_cast<Inner*>(take(*ref, height, [index](Header* node) -> Header* {
            return clone_inner(static_cast<Inner*>(node), index);
        }));
        inner->cache.reset();
        ref = &inner->children()[index].node;
    }
    auto* leaf = static_cast<Leaf*>(take(*ref, height, [position](Header* node) -> Header* {
        auto* old = static_cast<Leaf*>(node);
        return clone_leaf(old, old->size, position);
    }));
    CHECK(position < leaf->size);
    leaf->cache.reset();
    slot_ = &leaf->items()[position];
}

}  // namespace arbiter::value::internal
