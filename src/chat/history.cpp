#include "chat/history.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "card/card_text.h"
#include "text/ascii.h"

namespace arbiter::chat {

using prompt::Message;
using prompt::Role;

namespace {

constexpr std::array<std::pair<std::string_view, Generation>, 6> kGenerations = {
    {{"normal", Generation::kNormal},
     {"swipe", Generation::kSwipe},
     {"regenerate", Generation::kRegenerate},
     {"continue", Generation::kContinue},
     {"impersonate", Generation::kImpersonate},
     {"quiet", Generation::kQuiet}}};

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), text::to_lower);
    return lower;
}

// The instructions that SillyTavern puts behind the history unless the user has changed them.
constexpr std::string_view kContinueNudges[] = {"[continue your last message",
                                                "[continue the following message"};
constexpr std::string_view kGroupNudges[] = {"[write the next reply only as"};

std::size_t find_nudge(std::string_view text, std::span<const std::string_view> nudges) {
    std::size_t found = std::string::npos;
    if (!text.contains('[')) {
        return found;
    }
    const std::string lower = lowered(text);
    for (const std::string_view nudge : nudges) {
        found = std::min(found, lower.rfind(nudge));
    }
    return found;
}
bool is_continue_nudge(std::string_view text) {
    return find_nudge(text, kContinueNudges) != std::string::npos;
}
bool is_group_nudge(std::string_view text) {
    return find_nudge(text, kGroupNudges) != std::string::npos;
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// The text without the instruction in it; clients may send it as the player's words, or join it to
// these.
std::string without_nudge(std::string_view text) {
    std::string rest(text);
    for (const std::span<const std::string_view> nudges :
         {std::span<const std::string_view>(kContinueNudges),
          std::span<const std::string_view>(kGroupNudges)}) {
        const std::size_t begin = find_nudge(rest, nudges);
        if (begin != std::string::npos) {
            rest.erase(begin, std::min(rest.find(']', begin), rest.size() - 1) + 1 - begin);
        }
    }
    return rest;
}

// A message that is nothing but an instruction.
bool is_nudge(const Message& message) {
    const std::string_view text = message.content;
    return (is_continue_nudge(text) || is_group_nudge(text)) && is_blank(without_nudge(text));
}

// The kind of a request, by the messages behind its last reply or words of the player.
Generation generation_by_shape(const std::vector<Message>& messages, std::size_t end) {
    if (end == 0 || messages[end - 1].role != Role::kAssistant) {
        return Generation::kNormal;
    }
    bool has_instruction = false;
    bool is_group = false;
    for (std::size_t i = end; i < messages.size(); ++i) {
        if (is_continue_nudge(messages[i].content)) {
            return Generation::kContinue;
        }
        is_group = is_group || is_group_nudge(messages[i].content);
        has_instruction = true;
    }
    if (is_group) {
        return Generation::kNormal;
    }
    // A reply at the very end is to be continued.
    return has_instruction ? Generation::kQuiet : Generation::kContinue;
}

}  // namespace

void join_said(std::string& said, std::string_view more) {
    said += (said.empty() || more.empty() ? "" : "\n") + std::string(more);
}

HistoryReply history_reply(std::string_view message, std::string said) {
    if (card::find_ignoring_case(message, "<initvar") == std::string_view::npos) {
        return {std::string(message), std::move(said)};
    }
    card::SplitText split = card::split_initvars(message);
    HistoryReply reply{std::move(split.rest), std::move(said)};
    for (const std::string_view each : split.initvars) {
        reply.initvars += "<initvar>" + std::string(each) + "</initvar>";
    }
    return reply;
}

std::string_view name(Generation generation) noexcept {
    return kGenerations[static_cast<std::size_t>(generation)].first;
}

std::optional<Generation> find_generation(std::string_view name) noexcept {
    const auto found = std::ranges::find(kGenerations, name, [](const auto& e) { return e.first; });
    return found != kGenerations.end() ? std::optional(found->second) : std::nullopt;
}

namespace {

// Whether a message of the model is a reply of its own. One without words is, such as a call of the
// client's tools, if the chat continued behind it. Behind words it belongs to these: clients put a
// reply's words and its calls into two messages.
bool is_reply(const std::vector<Message>& messages, std::size_t index, std::size_t end) {
    if (!messages[index].content.view().empty()) {
        return true;
    }
    std::size_t before = index;
    while (before > 0 && messages[before - 1].role == Role::kSystem) {
        --before;
    }
    return index + 1 < end && before > 0 && messages[before - 1].role != Role::kAssistant;
}

}  // namespace

History read_history(const std::vector<Message>& messages, std::optional<Generation> hint) {
    std::size_t end = messages.size();
    while (end > 0 && (messages[end - 1].role == Role::kSystem || is_nudge(messages[end - 1]))) {
        --end;
    }
    History history;
    history.generation = hint ? *hint : generation_by_shape(messages, end);
    history.asks_to_continue =
        history.generation == Generation::kContinue && (hint || end < messages.size());
    for (std::size_t i = 0; i < end; ++i) {
        const Message& message = messages[i];
        if (message.role == Role::kUser && i + 1 == end) {
            history.asks_to_continue =
                history.asks_to_continue || is_continue_nudge(message.content);
            join_said(history.said, without_nudge(message.content));
        } else if (message.role == Role::kUser) {
            join_said(history.said, message.content);
        } else if (message.role == Role::kAssistant && is_reply(messages, i, end)) {
            history.replies.push_back(
                history_reply(message.content, std::exchange(history.said, {})));
        }
    }
    return history;
}

namespace {

// More would be texts that everything begins with.
constexpr std::size_t kSameFirstLineMax = 16;

struct Piece {
    std::size_t first_line = 0;
    std::size_t end_line = 0;
};

// The stored reply that begins at a line and ends before another one, or at the end.
std::optional<Piece> piece_at(const PlainText& plain, std::size_t line, const ReplyTree& tree) {
    const auto& lines = plain.lines();
    for (const std::size_t begin : {lines[line].begin, lines[line].words}) {
        const auto& same = tree.with_first_line(plain.key(begin, plain.line_end(line)));
        for (std::size_t i = 0; i < std::min(same.size(), kSameFirstLineMax); ++i) {
            const ReplyTree::Node& node = tree.node(same[same.size() - 1 - i]);
            for (const TextKey& text : {node.with_blocks, node.text}) {
                const std::size_t end = begin + text.size;
                if (text.empty() || end > plain.size() || plain.key(begin, end) != text) {
                    continue;
                }
                const auto next = std::ranges::lower_bound(lines, end, {}, &PlainText::Line::begin);
                const auto end_line = static_cast<std::size_t>(next - lines.begin());
                if (end == plain.size() ||
                    (end_line < lines.size() && lines[end_line].begin == end)) {
                    return Piece{line, end_line};
                }
            }
        }
    }
    return std::nullopt;
}

// Appends the replies found in `text` to the history. Text between them becomes the player's words.
void split(std::string_view text, const ReplyTree& tree, History& history, bool is_said) {
    const PlainText plain(text);
    const auto& lines = plain.lines();
    const auto source = [&](std::size_t line) {
        return line < lines.size() ? lines[line].source : text.size();
    };
    std::size_t rest = 0;  // the first line behind the last reply that was found
    for (std::size_t line = 0; line < lines.size();) {
        const auto piece = piece_at(plain, line, tree);
        if (!piece) {
            ++line;
            continue;
        }
        if (is_said) {
            join_said(history.said, text.substr(source(rest), source(line) - source(rest)));
        }
        const std::size_t begin = source(line);
        history.replies.push_back({std::string(text.substr(begin, source(piece->end_line) - begin)),
                                   std::exchange(history.said, {})});
        line = piece->end_line;
        rest = line;
    }
    if (is_said) {
        join_said(history.said, text.substr(source(rest)));
    }
}

}  // namespace

History split_joined(History history, const ReplyTree& tree) {
    History made;
    made.generation = history.generation;
    made.asks_to_continue = history.asks_to_continue;
    for (HistoryReply& reply : history.replies) {
        const PlainText plain(reply.text);
        const bool is_known =
            !tree.with_text(plain.key()).empty() || !tree.with_text(plain.words_key()).empty();
        const std::size_t before = made.replies.size();
        if (!is_known) {
            made.said = reply.said;
            split(reply.text, tree, made, false);
            made.said.clear();
        }
        // One reply with something around it is edited, not joined.
        if (made.replies.size() < before + 2) {
            made.replies.resize(before);
            made.replies.push_back(std::move(reply));
        }
    }
    if (history.replies.empty()) {
        split(history.said, tree, made, true);
        if (history.asks_to_continue && !made.replies.empty() && is_blank(made.said)) {
            made.generation = Generation::kContinue;
        }
    } else {
        made.said = std::move(history.said);
    }
    return made;
}

}  // namespace arbiter::chat
