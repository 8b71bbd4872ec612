// ReplyTree: the replies that a campaign stores, as a client shows them, with the indexes by which
// they are found in a client's history.
//
// A node is a reply. Its parent is the reply before it in the chat: a continued reply is one
// message there, so a continuation is a sibling of the reply that it continues, with the text of
// both. Node kRoot is the beginning of the chat. Nodes are numbered in the order in which they were
// stored.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chat/likeness.h"
#include "chat/plain_text.h"

namespace arbiter::chat {

// A stored turn that is a reply.
struct StoredReply {
    std::string id;
    std::string parent;    // the turn before it, a reply or not
    std::string said;      // the player's words before it
    std::string text;      // as the client was sent it; of a continuation only its own part
    std::string raw = {};  // as the model or a client wrote it; empty: as `text`
    bool is_aborted = false;
    // Of a continuation: the text that it continues, as the client had it.
    std::optional<std::string> continues = {};
};

// The keys by which the words before a reply are recognised: a client may add to them in front or
// behind.
struct SaidKeys {
    SaidKeys() = default;
    explicit SaidKeys(std::string_view said);
    TextKey whole;
    TextKey first_line;
    TextKey last_line;
    [[nodiscard]] bool matches(const SaidKeys& other) const noexcept;
};

class ReplyTree {
  public:
    static constexpr std::size_t kRoot = 0;

    struct Node {
        std::string id;        // empty: the root of a chat without a stored turn
        std::string position;  // the newest turn at this place: the reply, or an edit after it
        std::size_t parent = kRoot;
        std::size_t messages = 0;  // of the chat up to it, if it has no others
        bool is_aborted = false;
        std::optional<std::size_t> continued = {};  // of a continuation: the reply before it
        TextKey text;
        TextKey with_blocks;  // of the text with its commands in it; empty: it has none
        TextKey commands;     // of the reply as it was written (reply_commands.h)
        // Of a continuation: in its text as it was sent. A client that is not sent commands may
        // have some in the first part.
        TextKey shown_commands = {};
        SaidKeys said;
        Sketch sketch;        // of the narrative
        std::string partial;  // of an aborted reply, and its continuations: the plain text
        std::size_t continued_bytes = 0;    // of it, that are not its own
        std::vector<std::size_t> children;  // in the order in which they were stored
    };

    ReplyTree();

    // Replies and other turns are added after their parents; turns that are known are ignored.
    void add(const StoredReply& reply);
    // A turn that is not a reply, such as an edit: the same place of the chat as its parent.
    void add_other(std::string_view id, std::string_view parent);
    // An edit that only the turns behind it belong to, such as the start of another greeting.
    void add_passage(std::string_view id, std::string_view parent);

    [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
    [[nodiscard]] const Node& node(std::size_t index) const { return nodes_[index]; }
    // The place that a turn belongs to; nothing if the turn is not known.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view turn) const;
    // The replies whose texts are the message of this one, in order: several if it was continued.
    [[nodiscard]] std::vector<std::size_t> parts_of(std::size_t index) const;

    // Nodes in the order in which they were stored.
    using Nodes = std::vector<std::size_t>;
    [[nodiscard]] const Nodes& with_text(const TextKey& text) const;
    [[nodiscard]] const Nodes& with_text_below(std::size_t parent, const TextKey& text) const;
    [[nodiscard]] const Nodes& with_text_after(const SaidKeys& said, const TextKey& text) const;
    [[nodiscard]] const Nodes& with_said(const SaidKeys& said) const;
    [[nodiscard]] const Nodes& with_first_line(const TextKey& line) const;

  private:
    using Index = std::unordered_map<std::uint64_t, Nodes>;
    void add_text(std::size_t index, const PlainText& plain);
    void add_key(std::size_t index, const TextKey& key);
    void add_first_line(std::size_t index, const PlainText& plain);
    [[nodiscard]] static const Nodes& find_in(const Index& index, std::uint64_t key);

    std::vector<Node> nodes_;
    std::unordered_map<std::string, std::size_t> by_turn_;
    Index by_text_;
    Index by_parent_and_text_;
    Index by_said_and_text_;
    Index by_said_;
    Index by_first_line_;
};

}  // namespace arbiter::chat
