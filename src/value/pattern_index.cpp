#include "value/pattern_index.h"

#include <algorithm>

namespace arbiter::value {
namespace {

using StepKind = PatternStep::Kind;

// A key of digits equals the index.
std::string key_of(const Segment& segment) {
    return std::string(segment.as_key().view());
}

}  // namespace

std::uint32_t PatternIndex::step(std::uint32_t from, const PatternStep& step) {
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    std::uint32_t& to = step.kind == StepKind::kOpen ? nodes_[from].any
                                                     : nodes_[from].members[key_of(step.segment)];
    if (to != 0) {
        return to;
    }
    to = next;
    nodes_.emplace_back();
    return next;
}

void PatternIndex::add(const Pattern& pattern, Number number) {
    std::uint32_t at = 0;
    for (const PatternStep& each : pattern) {
        if (each.kind == StepKind::kBelow) {
            break;
        }
        at = step(at, each);
    }
    nodes_[at].numbers.push_back(number);
    ++size_;
}

void PatternIndex::collect(std::uint32_t node, std::vector<Number>& out) const {
    std::vector<std::uint32_t> open = {node};
    while (!open.empty()) {
        const Node& next = nodes_[open.back()];
        open.pop_back();
        out.insert(out.end(), next.numbers.begin(), next.numbers.end());
        if (next.any != 0) {
            open.push_back(next.any);
        }
        for (const auto& [key, member] : next.members) {
            open.push_back(member);
        }
    }
}

std::vector<PatternIndex::Number> PatternIndex::find(const Path& path) const {
    std::vector<Number> found;
    if (empty()) {
        return found;
    }
    std::vector<std::uint32_t> here = {0};
    std::vector<std::uint32_t> next;
    for (const Segment& segment : path) {
        if (here.empty()) {
            break;  // no pattern goes this way
        }
        const std::string key = key_of(segment);
        next.clear();
        for (const std::uint32_t each : here) {
            const Node& node = nodes_[each];
            // They are above the path.
            found.insert(found.end(), node.numbers.begin(), node.numbers.end());
            if (node.any != 0) {
                next.push_back(node.any);
            }
            if (const auto member = node.members.find(key); member != node.members.end()) {
                next.push_back(member->second);
            }
        }
        here.swap(next);
    }
    // They are at the path or below it.
    for (const std::uint32_t each : here) {
        collect(each, found);
    }
    std::ranges::sort(found);
    const auto rest = std::ranges::unique(found);
    found.erase(rest.begin(), rest.end());
    return found;
}

}  // namespace arbiter::value
