#include "chat/reply_tree.h"

#include <algorithm>

#include "chat/reply_commands.h"
#include "reader/blanks.h"

namespace arbiter::chat {
namespace {

std::uint64_t joined(std::uint64_t left, std::uint64_t right) noexcept {
    return (left * 0x9E3779B97F4A7C15ULL + right) ^ (left >> 32U);
}

// The texts by which a client may know a reply, each if it differs from those before it.
struct ReplyTexts {
    // `has_stopped`: a part of it was. Then a block may be open where the next part begins.
    ReplyTexts(const StoredReply& reply, bool has_stopped)
        : shown(reply.continues.value_or("") + reply.text) {
        const std::string first = reply.continues.value_or("");
        const std::string text = first + reply.text;
        const std::string written = first + (reply.raw.empty() ? reply.text : reply.raw);
        ReplyCommands read = read_commands(written);
        commands = read.key;
        if (reply.continues) {
            shown_commands = read_commands(text).key;
        }
        if (has_stopped) {
            sketch = Sketch(PlainText(read.narrative).bytes());
        } else if (!reply.raw.empty()) {
            // The ledger has the narrative as it was shown.
            read.narrative = read_commands(first).narrative + reply.text;
        }
        if (!has_stopped && read.narrative != text) {
            narrative.emplace(read.narrative);
        }
        if (!has_stopped) {
            sketch = Sketch((narrative ? *narrative : shown).bytes());
        }
        if (written != text) {
            raw.emplace(written);
        }
        // A client that is sent the blocks of a reply is not sent its thinking.
        if (!commands.empty()) {
            with_blocks.emplace(read.has_thinking ? without_thinking(written) : written);
        }
    }

    PlainText shown;
    std::optional<PlainText> narrative;
    std::optional<PlainText> raw;
    std::optional<PlainText> with_blocks;
    TextKey commands;
    TextKey shown_commands;
    Sketch sketch;
};

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

void ReplyTree::add_passage(std::string_view id, std::string_view parent) {
    by_turn_.emplace(id, find(parent).value_or(kRoot));
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
    if (reply.continues) {
        const Node& first = nodes_[before];
        node.parent = first.parent;
        node.said = first.said;
        node.continued = before != kRoot ? std::optional(before) : std::nullopt;
    } else {
        node.parent = before;
        node.said = SaidKeys(reply.said);
    }
    node.messages = nodes_[node.parent].messages + (node.said.whole.empty() ? 1 : 2);
    const bool has_stopped =
        reply.is_aborted || (reply.continues && !nodes_[before].partial.empty());
    const ReplyTexts texts(reply, has_stopped);
    const PlainText& plain = texts.shown;
    node.text = plain.key();
    node.commands = texts.commands;
    node.shown_commands = texts.shown_commands;
    node.with_blocks = texts.with_blocks ? texts.with_blocks->key() : TextKey();
    node.sketch = texts.sketch;
    if (has_stopped) {
        node.partial = (texts.raw ? *texts.raw : plain).bytes();
        node.continued_bytes = PlainText(reply.continues.value_or("")).size();
    }
    const std::size_t index = nodes_.size();
    nodes_.push_back(std::move(node));
    nodes_[nodes_[index].parent].children.push_back(index);
    by_turn_.emplace(reply.id, index);
    add_text(index, plain);
    for (const auto* other : {&texts.narrative, &texts.raw, &texts.with_blocks}) {
        if (*other) {
            add_text(index, **other);
        }
    }
    add_first_line(index, plain);
    if (reply.continues) {
        // The client decides whether the parts are on one line.
        add_first_line(index, PlainText(std::string(reader::trim(*reply.continues)) +
                                        std::string(reader::trim(reply.text))));
    }
    const SaidKeys& said = nodes_[index].said;
    if (!said.last_line.empty()) {
        by_said_[said.last_line.hash].push_back(index);
    }
}

void ReplyTree::add_text(std::size_t index, const PlainText& plain) {
    add_key(index, plain.key());
    if (plain.words_key() != plain.key()) {
        add_key(index, plain.words_key());
    }
}

void ReplyTree::add_first_line(std::size_t index, const PlainText& plain) {
    if (!plain.lines().empty()) {
        Nodes& same = by_first_line_[plain.key(0, plain.line_end(0)).hash];
        if (same.empty() || same.back() != index) {
            same.push_back(index);
        }
    }
}

void ReplyTree::add_key(std::size_t index, const TextKey& key) {
    const Node& node = nodes_[index];
    Nodes& same = by_text_[key.hash];
    if (!same.empty() && same.back() == index) {
        return;
    }
    same.push_back(index);
    by_parent_and_text_[joined(node.parent, key.hash)].push_back(index);
    by_said_and_text_[joined(node.said.last_line.hash, key.hash)].push_back(index);
}

std::optional<std::size_t> ReplyTree::find(std::string_view turn) const {
    const auto found = by_turn_.find(std::string(turn));
    return found != by_turn_.end() ? std::optional(found->second) : std::nullopt;
}

std::vector<std::size_t> ReplyTree::parts_of(std::size_t index) const {
    std::vector<std::size_t> parts = {index};
    while (const auto before = nodes_[parts.back()].continued) {
        parts.push_back(*before);
    }
    std::ranges::reverse(parts);
    return parts;
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
