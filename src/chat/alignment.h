// align(): the stored reply that a client's history ends in.
//
// A client sends its whole chat with each request, cut at the head, with messages of its own in
// between, edited, and without a name. The replies in it are followed through the tree of stored
// ones; every possible path is scored by its evidence (the reply's text, the words before it), the
// best path wins, and of equal ones that of the newest reply.
//
// Linear in the size of the history: paths, candidates and comparisons of each reply are limited.
// Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "chat/history.h"
#include "chat/reply_tree.h"

namespace arbiter::chat {

struct AlignmentOptions {
    // Reads the commands in texts that are not stored. A reply that is not stored and holds some
    // is replayed; an edited one with other commands in its text than its own has these instead.
    bool reads_commands = false;
    // ---- hints
    std::optional<std::size_t> messages = {};  // of the chat, up to the last reply in the history
    std::optional<std::size_t> swipe = {};     // of the last reply, from 1
};

// A reply of the history that has to be stored before the chat continues.
struct Adoption {
    std::size_t reply = 0;                   // of the history
    std::optional<std::size_t> source = {};  // the stored reply that is repeated in this place
};

struct Alignment {
    std::size_t node = ReplyTree::kRoot;  // from which the chat continues, after the adoptions
    std::vector<Adoption> adoptions;
    std::size_t found = 0;    // replies of the history that are stored, edited ones included
    bool is_certain = false;  // one of them was found by its text
    bool has_last = false;    // the last reply of the history is one of them, or adopted
    double score = 0;         // of the evidence; comparable between trees
};

Alignment align(const ReplyTree& tree, const History& history,
                const AlignmentOptions& options = {});

}  // namespace arbiter::chat
