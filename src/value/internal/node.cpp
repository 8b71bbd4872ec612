#include "value/internal/node.h"

#include <cstdlib>
#include <memory>

#include "base/check.h"
#include "value/internal/tree.h"
#include "value/internal/trie.h"

namespace arbiter::value::internal {

void* allocate(std::size_t bytes) noexcept {
    void* memory = std::malloc(bytes);
    CHECK(memory != nullptr);
    return memory;
}

void deallocate(void* memory) noexcept {
    std::free(memory);
}

void destroy(Header* node) noexcept {
    switch (node->kind) {
        case NodeKind::kText:
            break;
        case NodeKind::kKeys: {
            auto* keys = static_cast<Keys*>(node);
            std::destroy_n(keys->names(), keys->size);
            break;
        }
        case NodeKind::kLeaf: {
            auto* leaf = static_cast<Leaf*>(node);
            if (leaf->keys != nullptr) {
                release(leaf->keys);
            }
            std::destroy_n(leaf->items(), leaf->size);
            break;
        }
        case NodeKind::kInner: {
            auto* inner = static_cast<Inner*>(node);
            for (std::size_t i = 0; i < inner->size; ++i) {
                release(inner->children()[i].node);
            }
            break;
        }
        case NodeKind::kBig: {
            auto* big = static_cast<Big*>(node);
            release(big->tree);
            release(big->trie);
            break;
        }
        case NodeKind::kTrie:
            trie_release_children(static_cast<Trie*>(node));
            break;
    }
    deallocate(node);
}

}  // namespace arbiter::value::internal
