// Goal: the state of a chat is the start state plus the commands of the selected swipe of each
// surviving reply, in order (spec HTTP.md, rule 1), whatever a client does.
//
// Method: a model of a client that keeps its messages as SillyTavern does and knows which commands
// each of them stands for, against a server that only sees the requests. The state of the server is
// the list of commands on its path. Random sends, swipes, regenerated, edited and rewritten
// replies, commands written into them, deletions of any message, branches, continuations, stops of
// each, other greetings, other speakers, quiet questions and impersonation, chats from elsewhere,
// restarts of the server, and views of the chat that are cut, injected into, prefixed, joined by
// role or as a whole, and trimmed. With and without hints, and with and without the blocks of
// replies in the text (chat.passthrough_blocks). Each case that is left out says why the requests
// do not tell it from another one. ARBITER_FULL: ten times as many chats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>

#include "chat/alignment.h"
#include "chat/client_request.h"
#include "chat/reply_commands.h"

namespace arbiter::chat {
namespace {

using prompt::Message;
using prompt::Role;

using State = std::vector<int>;  // the commands that were executed

struct ClientMessage {
    bool is_user = false;
    std::string text;
    State commands;             // of the text, as the client shows it
    bool is_rewritten = false;  // only its place tells which reply it is
    bool is_stopped = false;    // or holds a part that was
    bool is_foreign = false;    // from before the server
};
using Chat = std::vector<ClientMessage>;

constexpr std::string_view kCall = "_.set('n', ";

std::string block(int command) {
    return "\n<UpdateVariable>" + std::string(kCall) + std::to_string(command) +
           ");//x</UpdateVariable>";
}
// The commands in a text.
State commands_in(std::string_view text) {
    State found;
    for (std::size_t at = text.find(kCall); at != std::string_view::npos;
         at = text.find(kCall, at + 1)) {
        found.push_back(std::stoi(std::string(text.substr(at + kCall.size()))));
    }
    return found;
}

// The gateway without anything but alignment: turns are lists of commands.
class Server {
  public:
    explicit Server(bool passes_blocks) : passes_blocks_(passes_blocks) {
        states_["start"] = {};
        read_again();
    }

    // Knows only what a ledger keeps: the narrative, and the reply as it was written.
    void read_again() {
        tree_ = ReplyTree();
        tree_.add_other("start", "");
        for (const StoredReply& reply : stored_) {
            tree_.add(as_recorded(reply));
        }
    }

    struct Answer {
        std::string text;
        int command = 0;
        State before;  // of the chat that was sent
    };
    enum class End : std::uint8_t { kWhole, kAborted };

    Answer answer(const std::vector<Message>& messages, const std::string& text, End end,
                  std::optional<Generation> hint, const AlignmentOptions& hints) {
        History history = read_history(messages, hint);
        history = split_joined(std::move(history), tree_);
        const Alignment found = align(tree_, history, hints);
        std::string parent = tree_.node(found.node).position;
        for (const Adoption& adoption : found.adoptions) {
            parent = adopt(adoption, history.replies[adoption.reply], parent);
        }
        Answer made{text, ++commands_, states_[parent]};
        const std::string raw = text + block(made.command);
        made.text = passes_blocks_ ? raw : text;
        if (history.generation == Generation::kQuiet ||
            history.generation == Generation::kImpersonate) {
            return made;
        }
        StoredReply stored{{}, parent, history.said, end == End::kAborted ? made.text : raw};
        stored.is_aborted = end == End::kAborted;
        if (history.generation == Generation::kContinue) {
            stored.continues = history.replies.back().text;
            stored.said.clear();
        }
        store(stored, end == End::kWhole ? State{made.command} : State());
        StoredReply sent = stored_.back();
        sent.text = made.text;
        tree_.add(sent);
        return made;
    }

  private:
    // The texts of turns are as they were written.
    static StoredReply as_recorded(StoredReply reply) {
        if (!reply.is_aborted) {
            reply.raw = reply.text;
            reply.text = read_commands(reply.raw).narrative;
        }
        return reply;
    }
    std::string adopt(const Adoption& adoption, const HistoryReply& reply, std::string parent) {
        if (!adoption.source) {
            return record({{}, parent, reply.said, reply.text}, commands_in(reply.text));
        }
        std::string said = reply.said;
        for (const std::size_t part : tree_.parts_of(*adoption.source)) {
            const std::string id = tree_.node(part).id;
            StoredReply repeated = *std::ranges::find(stored_, id, &StoredReply::id);
            repeated.parent = parent;
            repeated.said = std::exchange(said, {});
            parent = record(std::move(repeated), own_[id]);
        }
        return parent;
    }
    // Stores a turn that was not sent to the client.
    std::string record(StoredReply reply, const State& commands) {
        store(std::move(reply), commands);
        tree_.add(as_recorded(stored_.back()));
        return stored_.back().id;
    }
    void store(StoredReply reply, const State& commands) {
        reply.id = "t" + std::to_string(stored_.size());
        own_[reply.id] = commands;
        states_[reply.id] = states_[reply.parent];
        states_[reply.id].insert(states_[reply.id].end(), commands.begin(), commands.end());
        stored_.push_back(std::move(reply));
    }

    bool passes_blocks_;
    ReplyTree tree_;
    std::vector<StoredReply> stored_;
    std::map<std::string, State> own_;     // the commands of each turn
    std::map<std::string, State> states_;  // after each turn
    int commands_ = 0;
};

class Client {
  public:
    explicit Client(unsigned seed) : random_(seed), server_(chance(3)) {
        has_names_ = chance(4);
        joins_all_ = chance(8);
        joins_roles_ = !joins_all_ && !has_names_ && chance(5);
        injects_words_ = !joins_all_ && chance(5);
        has_hints_ = chance(3);
        log_ = std::string(has_names_ ? "names " : "") + (joins_all_ ? "one message " : "") +
               (joins_roles_ ? "joined roles " : "") + (injects_words_ ? "notes " : "") +
               (has_hints_ ? "hints " : "");
        if (chance(2)) {
            for (unsigned i = 0; i < 3; ++i) {
                ClientMessage greeting{false, words(8), {}};
                // Commands of a reply that is not known are not found in one text.
                if (!joins_all_ && chance(2)) {
                    greeting.commands = {200'000 + static_cast<int>(seed * 10 + i)};
                    greeting.text += block(greeting.commands[0]);
                }
                greetings_.push_back(greeting);
            }
            chats_[0].push_back(greetings_[0]);
        }
        // A chat from before the server. Replies are found in one text only if they are known.
        for (unsigned i = 0; !joins_all_ && chance(4) && i < 3; ++i) {
            const int command = 100'000 + static_cast<int>(seed * 10 + i);
            chats_[0].push_back({true, words(3), {}});
            chats_[0].push_back({false, words(8) + block(command), {command}});
            chats_[0].back().is_foreign = true;
        }
    }

    // One act of the player, and a request that tells the server about it.
    void act() {
        const unsigned what = pick(19);
        log_ += " " + std::to_string(what);
        // In one text, only the stored texts tell replies from other words.
        const bool is_changing =
            what == 4 || what == 5 || what == 9 || what == 11 || what == 14 || what == 18;
        if (joins_all_ && is_changing) {
            return send(Server::End::kWhole);
        }
        switch (what) {
            case 0:
            case 1:
            case 2:
                return send(Server::End::kWhole);
            case 3:
                return swipe(Server::End::kWhole, Generation::kSwipe);
            case 12:
                return swipe(Server::End::kWhole, Generation::kRegenerate);
            case 13:
                return server_.read_again();
            case 14:
                return chance(2) ? swipe(Server::End::kAborted, Generation::kSwipe)
                                 : continue_last(Server::End::kAborted);
            case 15:
                return let_another_speak();
            case 16:
                return choose_greeting();
            case 17:
                return remove_one();
            case 18:
                return write_commands();
            case 4:
                return edit();
            case 5:
                return rewrite();
            case 6:
                return remove_last();
            case 7:
                return branch();
            case 8:
                return continue_last(Server::End::kWhole);
            case 9:
                return send(Server::End::kAborted);
            case 10:
                return remove_inside();
            default:
                return ask_quietly();
        }
    }
    [[nodiscard]] const std::string& log() const { return log_; }

  private:
    unsigned pick(unsigned count) { return std::uniform_int_distribution(0U, count - 1)(random_); }
    bool chance(unsigned of) { return pick(of) == 0; }
    std::string words(unsigned count) {
        static const std::vector<std::string> kWords = {
            "amber", "bridge", "candle", "distant", "ember",    "forest", "garnet",  "harbour",
            "ivory", "jagged", "kettle", "lantern", "meadow",   "north",  "orchard", "pebble",
            "quiet", "river",  "silver", "thunder", "umbrella", "velvet", "willow",  "yonder"};
        std::string text;
        for (unsigned i = 0; i < count; ++i) {
            text += (i == 0 ? "" : " ") + kWords[pick(static_cast<unsigned>(kWords.size()))] +
                    std::to_string(pick(1000));
        }
        return text + ".";
    }
    Chat& chat() { return chats_[selected_]; }
    static State state_of(const Chat& chat) {
        State state;
        for (const ClientMessage& each : chat) {
            state.insert(state.end(), each.commands.begin(), each.commands.end());
        }
        return state;
    }

    static std::string shown(const Chat& chat) {
        std::string text;
        for (const ClientMessage& each : chat) {
            text += (each.is_user ? "\n  > " : "\n  ") + each.text;
            for (const int command : each.commands) {
                text += " #" + std::to_string(command);
            }
            text += each.is_rewritten ? " rewritten" : "";
            text += each.is_stopped ? " stopped" : "";
            text += each.is_foreign ? " foreign" : "";
        }
        return text;
    }

    // The chat as it is sent: cut, with messages of the client in it, named, joined, trimmed.
    std::vector<Message> view() {
        Chat sent = chat();
        std::size_t cut = 0;
        const auto is_reply = [](const ClientMessage& m) { return !m.is_user; };
        // Of one reply alone, a changed one has nothing to be found by. A beginning that the server
        // has never seen cannot count.
        if (is_cut_ && is_known_ && std::ranges::count_if(sent, is_reply) > 3 && sent.size() > 5 &&
            chance(3)) {
            cut = pick(static_cast<unsigned>(sent.size() - 5));
            while (cut > 0 && std::count_if(sent.begin() + static_cast<std::ptrdiff_t>(cut),
                                            sent.end(), is_reply) < 2) {
                --cut;
            }
        }
        std::vector<Message> messages = {{Role::kSystem, value::Str("You are the narrator.")}};
        for (std::size_t i = cut; i < sent.size(); ++i) {
            if (chance(8)) {
                messages.push_back({Role::kSystem, value::Str("[Lore] " + words(5))});
            }
            // A note at a depth, in the role that the user has chosen for it.
            if (injects_words_ && sent[i].is_user && chance(4)) {
                messages.push_back({Role::kUser, value::Str("[Note: " + words(4) + "]")});
            }
            std::string text = sent[i].text + (chance(6) ? "\n" : "");
            if (has_names_) {
                text = (sent[i].is_user ? "Bob: " : "Alice: ") + text;
            }
            const Role role = sent[i].is_user ? Role::kUser : Role::kAssistant;
            if (joins_roles_ && messages.back().role == role) {
                text = std::string(messages.back().content.view()) + "\n\n" + text;
                messages.pop_back();
            }
            messages.push_back({role, value::Str(text)});
        }
        return messages;
    }

    // Everything as one message of the user, as strict model servers want it.
    static std::vector<Message> joined(const std::vector<Message>& messages) {
        std::string all;
        for (const Message& each : messages) {
            all += (all.empty() ? "" : "\n\n") + std::string(each.content.view());
        }
        return {{Role::kUser, value::Str(all)}};
    }

    Server::Answer request(std::vector<Message> messages, Generation generation,
                           Server::End end = Server::End::kWhole) {
        if (joins_all_) {
            messages = joined(messages);
        }
        AlignmentOptions options;
        options.reads_commands = true;
        const auto hint = has_hints_ ? std::optional(generation) : std::nullopt;
        if (has_hints_) {
            Hints hints;
            const bool replaces =
                generation == Generation::kSwipe || generation == Generation::kRegenerate;
            hints.message = chat().size() - (replaces ? 0 : 1);
            options.messages = messages_before(hints, generation);
        }
        auto answer = server_.answer(messages, words(8), end, hint, options);
        is_known_ = is_known_ ||
                    (generation != Generation::kQuiet && generation != Generation::kImpersonate);
        EXPECT_EQ(answer.before, state_of(chat())) << log_ << shown(chat());
        return answer;
    }

    void send(Server::End end) {
        chat().push_back({true, words(3), {}});
        reply(end, Generation::kNormal);
    }
    void reply(Server::End end, Generation generation) {
        const auto answer = request(view(), generation, end);
        ClientMessage message{false, answer.text, {}};
        if (end == Server::End::kAborted) {
            // The client may have read less than was sent.
            message.text.resize(message.text.size() - pick(20));
            message.is_stopped = true;
        } else {
            message.commands = {answer.command};
        }
        chat().push_back(message);
    }
    bool ends_in_answer() {
        return chat().size() >= 2 && !chat().back().is_user && chat()[chat().size() - 2].is_user;
    }
    void swipe(Server::End end, Generation generation) {
        if (!ends_in_answer()) {
            return;
        }
        const ClientMessage old = chat().back();
        chat().pop_back();
        reply(end, generation);
        swipe_is_newest_ = !chance(3);
        if (!swipe_is_newest_) {
            chat().back() = old;  // swiped back
        }
    }
    void edit() {
        if (chat().empty()) {
            return;
        }
        ClientMessage& message = chat()[pick(static_cast<unsigned>(chat().size()))];
        const std::size_t end = std::min(message.text.find('\n'), message.text.size());
        const std::size_t space = message.text.find(' ', end / 2);
        if (space < end && end > 40) {
            message.text.insert(space, " very");
        }
    }
    // By its place a rewritten reply is the newest one there (rule 5), or the parent of the next
    // one. The next request shows it, so that no other change hides which one it was.
    void rewrite() {
        if (!ends_in_answer() || chat().back().is_rewritten ||
            (chat().size() > 2 && chat()[chat().size() - 3].is_rewritten)) {
            return;
        }
        if (chance(2)) {
            swipe_is_newest_ = false;
            swipe(Server::End::kWhole, Generation::kSwipe);
            if (!swipe_is_newest_) {
                return;
            }
            rewrite(chat().back());
        } else if (chat().size() >= 5 && !chat()[chat().size() - 3].is_user &&
                   !chat()[chat().size() - 3].is_foreign && chat()[chat().size() - 4].is_user) {
            rewrite(chat()[chat().size() - 3]);
        }
        send(Server::End::kWhole);
    }
    void rewrite(ClientMessage& message) {
        message.text = "Rewritten " + words(9);
        message.is_rewritten = true;
    }
    // A chat ends in a reply; in one that only the next reply could tell apart, it does not.
    static void trim(Chat& chat) {
        while (!chat.empty() && (chat.back().is_user || chat.back().is_rewritten)) {
            chat.pop_back();
        }
    }
    void remove_last() {
        const std::size_t count = std::min<std::size_t>(pick(3) + 1, chat().size());
        chat().resize(chat().size() - count);
        trim(chat());
    }
    // A question and its answer.
    void remove_inside() {
        if (chat().size() < 7) {
            return;
        }
        const std::size_t at = chat().size() - 4;
        if (!chat().back().is_rewritten && !chat()[at - 1].is_rewritten && chat()[at].is_user &&
            !chat()[at + 1].is_user && !chat()[at - 1].is_user && chat()[at + 2].is_user) {
            chat().erase(chat().begin() + static_cast<std::ptrdiff_t>(at),
                         chat().begin() + static_cast<std::ptrdiff_t>(at) + 2);
            send(Server::End::kWhole);
        }
    }
    // A rewritten reply has only its place, between the replies before and behind it.
    bool touches_rewritten(std::size_t at) {
        const auto is_reply = [](const ClientMessage& m) { return !m.is_user; };
        const auto middle = chat().begin() + static_cast<std::ptrdiff_t>(at);
        const auto next = std::find_if(middle + 1, chat().end(), is_reply);
        const auto before = std::find_if(std::reverse_iterator(middle), chat().rend(), is_reply);
        return (next != chat().end() && next->is_rewritten) ||
               (before != chat().rend() && before->is_rewritten);
    }
    // Any message. Without a reply before it, the rest is the same as a chat that is cut there. Two
    // chats that differ only in what is cut off cannot be told apart either: nothing is cut from
    // now on.
    void remove_one() {
        const auto first = std::ranges::find_if(chat(), [&](const ClientMessage& m) {
            return !m.is_user && (!joins_all_ || !m.commands.empty());
        });
        const auto rest = static_cast<std::size_t>(chat().end() - first);
        if (rest < 4) {
            return;
        }
        is_cut_ = false;
        const std::size_t at = chat().size() - rest + 1 + pick(static_cast<unsigned>(rest - 2));
        if (touches_rewritten(at)) {
            return;
        }
        // Replies that follow each other become one message, in which a changed one is not found.
        if (joins_roles_ && chat()[at].is_user) {
            return;
        }
        chat().erase(chat().begin() + static_cast<std::ptrdiff_t>(at));
        send(Server::End::kWhole);
    }
    // Another greeting of the card, and a new beginning.
    void choose_greeting() {
        if (greetings_.empty()) {
            return;
        }
        chat() = {greetings_[pick(3)]};
        if (chance(4)) {
            // Made by the model in place of the card's.
            chat().clear();
            reply(Server::End::kWhole, Generation::kRegenerate);
        }
        send(Server::End::kWhole);
    }
    // Commands in a text count in place of those that the reply had.
    void write_commands() {
        const std::size_t at = pick(static_cast<unsigned>(chat().size() + 1));
        // The server has seen the reply without them: else that is its edited text.
        if (!is_known_ || at >= chat().size() || chat()[at].is_user || chat()[at].is_rewritten ||
            touches_rewritten(at)) {
            return;
        }
        // With the same words, only commands that a client need not show would tell them apart.
        const int command = 400'000 + static_cast<int>(pick(100'000));
        chat()[at].text = chat()[at].text.substr(0, chat()[at].text.find('\n')) + " Indeed " +
                          std::to_string(command) + "." + block(command);
        chat()[at].commands = {command};
        is_cut_ = false;
        send(Server::End::kWhole);
    }
    void branch() {
        if (chats_.size() < 4 && !chat().empty() && chance(2)) {
            Chat copy(chat().begin(),
                      chat().begin() + pick(static_cast<unsigned>(chat().size())) + 1);
            trim(copy);
            chats_.push_back(std::move(copy));
        }
        selected_ = pick(static_cast<unsigned>(chats_.size()));
    }
    void continue_last(Server::End end) {
        // In one text, a greeting is not found, since it is not known.
        if (chat().empty() || chat().back().is_user ||
            (joins_all_ && chat().back().commands.empty())) {
            return;
        }
        auto messages = view();
        messages.push_back(
            {Role::kSystem,
             value::Str("[Continue your last message without repeating its original content.]")});
        const auto answer = request(std::move(messages), Generation::kContinue, end);
        chat().back().text += " " + answer.text;
        if (end == Server::End::kWhole) {
            chat().back().commands.push_back(answer.command);
        } else {
            chat().back().is_stopped = true;
        }
    }
    // In a group, the next speaker is asked for by an instruction.
    void let_another_speak() {
        // Replies that follow each other become one message, in which a changed one is not found.
        if (joins_roles_ || chat().empty() || chat().back().is_user || chat().back().is_rewritten) {
            return;
        }
        auto messages = view();
        messages.push_back({Role::kSystem, value::Str("[Write the next reply only as Carol.]")});
        const auto answer = request(std::move(messages), Generation::kNormal);
        chat().push_back({false, answer.text, {answer.command}});
    }
    void ask_quietly() {
        if (chat().empty() || chat().back().is_user) {
            return;
        }
        auto messages = view();
        const bool impersonates = chance(2);
        messages.push_back(
            {Role::kSystem, value::Str(impersonates ? "Write what the player says next."
                                                    : "Summarise the story so far.")});
        request(std::move(messages), impersonates ? Generation::kImpersonate : Generation::kQuiet);
    }

    std::mt19937 random_;
    Server server_;
    std::vector<Chat> chats_ = {{}};
    std::vector<ClientMessage> greetings_;  // of the card
    std::size_t selected_ = 0;
    bool has_names_ = false;
    bool joins_roles_ = false;
    bool joins_all_ = false;
    bool injects_words_ = false;  // in the role of the player
    bool has_hints_ = false;
    bool is_cut_ = true;     // in some of its requests
    bool is_known_ = false;  // the server has seen the beginning
    bool swipe_is_newest_ = false;
    std::string log_;
};

TEST(ChatModel, TheStateFollowsTheSurvivingReplies) {
    const unsigned count = std::getenv("ARBITER_FULL") != nullptr ? 30'000 : 3'000;
    for (unsigned seed = 1; seed <= count && !::testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Client client(seed);
        for (int i = 0; i < 16 && !::testing::Test::HasFailure(); ++i) {
            client.act();
        }
    }
}

}  // namespace
}  // namespace arbiter::chat
