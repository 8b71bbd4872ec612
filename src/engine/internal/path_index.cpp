#include "engine/internal/path_index.h"

#include <algorithm>

#include "base/check.h"

namespace arbiter::engine::internal {

using value::Path;
using value::Segment;

namespace {

std::string key_of(const Segment& segment) {
    return std::string(segment.as_key().view());
}

}  // namespace

void PathIndex::add(const Path& path, Number number) {
    std::uint32_t at = 0;
    ++nodes_[at].below;
    for (const Segment& segment : path) {
        const auto next = static_cast<std::uint32_t>(nodes_.size());
        const auto [found, is_new] = nodes_[at].members.try_emplace(key_of(segment), next);
        at = found->second;
        if (is_new) {
            nodes_.emplace_back();
        }
        ++nodes_[at].below;
    }
    nodes_[at].numbers.push_back(number);
}

void PathIndex::remove(const Path& path, Number number) {
    std::uint32_t at = 0;
    --nodes_[at].below;
    for (const Segment& segment : path) {
        at = nodes_[at].members.at(key_of(segment));
        --nodes_[at].below;
    }
    std::vector<Number>& numbers = nodes_[at].numbers;
    const auto found = std::ranges::find(numbers, number);
    CHECK(found != numbers.end());
    numbers.erase(found);
}

const PathIndex::Node* PathIndex::node_at(const Path& path) const {
    const Node* node = nodes_.data();
    for (const Segment& segment : path) {
        const auto next = node->members.find(key_of(segment));
        if (next == node->members.end()) {
            return nullptr;
        }
        node = &nodes_[next->second];
    }
    return node;
}

void PathIndex::collect(const Node& node, std::vector<Number>& out) const {
    out.insert(out.end(), node.numbers.begin(), node.numbers.end());
    for (const auto& [key, member] : node.members) {
        if (nodes_[member].below > 0) {
            collect(nodes_[member], out);
        }
    }
}

void PathIndex::find_below(const Path& path, std::vector<Number>& out) const {
    if (const Node* node = node_at(path); node != nullptr && node->below > 0) {
        collect(*node, out);
    }
}

bool PathIndex::has_above(const Path& path) const {
    const Node* node = nodes_.data();
    for (const Segment& segment : path) {
        if (!node->numbers.empty()) {
            return true;
        }
        const auto next = node->members.find(key_of(segment));
        if (next == node->members.end()) {
            return false;
        }
        node = &nodes_[next->second];
    }
    return !node->numbers.empty();
}

bool PathIndex::has_at(const Path& path) const {
    const Node* node = node_at(path);
    return node != nullptr && !node->numbers.empty();
}

}  // namespace arbiter::engine::internal
