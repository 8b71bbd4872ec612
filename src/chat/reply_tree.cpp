#include "chat/reply_tree.h"

#include <algorithm>

namespace arbiter::chat {
namespace {

std::uint64_t joined(std::uint64_t left, std::uint64_t right) noexcept {
    return (left * 0x9E3779B97F4A7C15ULL + right) ^ (left >> 32U);
}

}  // namespace

SaidKeys::SaidKeys(std::string_view said) {
    const PlainText plain(said);
    if (plain.size() == 0) {
        return;
    }
    const auto& lines = plain.lines();
    whole = plain.words_key();
    first_line = plain.key(lines[0].words, plain.line_end(0));
    last_line = plain.key(lines.back().words, plain.size());
}

bool SaidKeys::matches(const SaidKeys& other) const noexcept {
    return whole == other.whole ||
           (!whole.empty() && !other.whole.empty() &&
            (last_line == other.last_line || first_line == other.first_line));
}

ReplyTree::ReplyTree() {
    nodes_.emplace_back();
}

void ReplyTree::add_other(std::string_view id, std::string_view parent) {
    const std::size_t place = find(parent).value_or(kRoot);
    if (!by_turn_.emplace(id, place).second) {
        return;
    }
    if (place == kRoot && nodes_[kRoot].id.empty()) {
        nodes_[kRoot].id = id;
    }
    nodes_[place].position = id;
}

void ReplyTree::add(const StoredReply& reply) {
    if (by_turn_.contains(reply.id)) {
        return;
    }
    const std::size_t before = find(reply.parent).value_or(kRoot);
    Node node;
    node.id = reply.id;
    node.position = reply.id;
    node.is_aborted = reply.is_aborted;
    std::string text = reply.text;
    if (reply.continues) {
        const Node& first = nodes_[before];
        text = *reply.continues + text;
        node.parent = first.parent;
        node.said = first.said;
        node.is_continuation = true;
    } else {
        node.parent = before;
        node.said = SaidKeys(reply.said);
    }
    node.messages = nodes_[node.parent].messages + (node.said.whole.empty() ? 1 : 2);
    const PlainText plain(text);
    node.text = plain.key();
    node.sketch = Sketch(plain.bytes());
    if (node.is_aborted) {
        node.partial = plain.bytes();
    }
    const std::size_t index = nodes_.size();
    nodes_.push_back(std::move(node));
    nodes_[nodes_[index].parent].children.push_back(index);
    by_turn_.emplace(reply.id, index);
    add_text(index, plain.key());
    if (plain.words_key() != plain.key()) {
        add_text(index, plain.words_key());
    }
    if (!reply.raw.empty() && reply.raw != reply.text) {
        const PlainText raw(reply.raw);
        if (raw.key() != plain.key()) {
            add_text(index, raw.key());
        }
    }
    if (!plain.lines().empty()) {
        by_first_line_[plain.key(0, plain.line_end(0)).hash].push_back(index);
    }
    const SaidKeys& said = nodes_[index].said;
    if (!said.last_line.empty()) {
        by_said_[said.last_line.hash].push_back(index);
    }
}

void ReplyTree::add_text(std::size_t index, const TextKey& key) {
    const Node& node = nodes_[index];
    by_text_[key.hash].push_back(index);
    by_parent_and_text_[joined(node.parent, key.hash)].push_back(index);
    by_said_and_text_[joined(node.said.last_line.hash, key.hash)].push_back(index);
}

std::optional<std::size_t> ReplyTree::find(std::string_view turn) const {
    const auto found = by_turn_.find(std::string(turn));
    return found != by_turn_.end() ? std::optional(found->second) : std::nullopt;
}

const ReplyTree::Nodes& ReplyTree::find_in(const Index& index, std::uint64_t key) {
    static const Nodes kNone;
    const auto found = index.find(key);
    return found != index.end() ? found->second : kNone;
}

const ReplyTree::Nodes& ReplyTree::with_text(const TextKey& text) const {
    return find_in(by_text_, text.hash);
}
const ReplyTree::Nodes& ReplyTree::with_text_below(std::size_t parent, const TextKey& text) const {
    return find_in(by_parent_and_text_, joined(parent, text.hash));
}
const ReplyTree::Nodes& ReplyTree::with_text_after(const SaidKeys& said,
                                                   const TextKey& text) const {
    return find_in(by_said_and_text_, joined(said.last_line.hash, text.hash));
}
const ReplyTree::Nodes& ReplyTree::with_said(const SaidKeys& said) const {
    return find_in(by_said_, said.last_line.hash);
}
const ReplyTree::Nodes& ReplyTree::with_first_line(const TextKey& line) const {
    return find_in(by_first_line_, line.hash);
}

}  // namespace arbiter::chat
