// Goal: the state of a chat is the start state plus the commands of the selected swipe of each
// surviving reply, in order (spec HTTP.md, rule 1), whatever a client does.
//
// Method: a model of a client that keeps its messages as SillyTavern does and knows which commands
// each of them stands for, against a server that only sees the requests. The state of the server is
// the list of commands on its path. Random sends, swipes, edits, rewritten replies, deletions,
// branches, continuations, stops, and views of the chat that are cut, injected into, prefixed,
// joined and trimmed.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "chat/alignment.h"

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
};
using Chat = std::vector<ClientMessage>;

// The gateway without anything but alignment: turns are lists of commands.
class Server {
  public:
    Server() {
        tree_.add_other("start", "");
        states_["start"] = {};
    }

    struct Answer {
        std::string turn;
        std::string text;
        int command = 0;
        State before;  // of the chat that was sent
    };
    enum class End : std::uint8_t { kWhole, kAborted };

    Answer answer(const std::vector<Message>& messages, const std::string& text, End end,
                  std::optional<Generation> hint, const AlignmentOptions& hints) {
        const History history = split_joined(read_history(messages, hint), tree_);
        const Alignment found = align(tree_, history, hints);
        std::string parent = tree_.node(found.node).position;
        for (const Adoption& adoption : found.adoptions) {
            parent = adopt(adoption, parent);
        }
        Answer made{fresh(), text, 0, states_[parent]};
        if (history.generation == Generation::kQuiet ||
            history.generation == Generation::kImpersonate) {
            return made;
        }
        StoredReply stored{made.turn, parent, history.said, text};
        stored.is_aborted = end == End::kAborted;
        if (history.generation == Generation::kContinue) {
            stored.continues = history.replies.back().text;
            stored.said.clear();
        }
        states_[made.turn] = states_[parent];
        if (end == End::kWhole) {
            made.command = ++commands_;
            states_[made.turn].push_back(made.command);
        }
        tree_.add(stored);
        return made;
    }

  private:
    std::string fresh() { return "t" + std::to_string(++turns_); }
    std::string adopt(const Adoption& adoption, const std::string& parent) {
        const std::string turn = fresh();
        states_[turn] = states_[parent];
        if (adoption.source) {
            // All commands of the message: a continued reply has those of its parts.
            const State& source = states_[tree_.node(*adoption.source).id];
            const std::size_t known =
                states_[tree_.node(tree_.node(*adoption.source).parent).position].size();
            states_[turn].insert(states_[turn].end(),
                                 source.begin() + static_cast<std::ptrdiff_t>(known), source.end());
        }
        tree_.add({turn, parent, adoption.said, adoption.text});
        return turn;
    }

    ReplyTree tree_;
    std::map<std::string, State> states_;
    int turns_ = 0;
    int commands_ = 0;
};

class Client {
  public:
    explicit Client(unsigned seed) : random_(seed) {
        has_names_ = chance(4);
        joins_roles_ = !has_names_ && chance(5);
        has_hints_ = chance(3);
        if (chance(2)) {
            chats_[0].push_back({false, "Welcome to " + words(6), {}});
        }
    }

    // One act of the player, and a request that tells the server about it.
    void act() {
        const unsigned what = pick(12);
        log_ += " " + std::to_string(what);
        switch (what) {
            case 0:
            case 1:
            case 2:
                return send(Server::End::kWhole);
            case 3:
                return swipe();
            case 4:
                return edit();
            case 5:
                return rewrite();
            case 6:
                return remove_last();
            case 7:
                return branch();
            case 8:
                return continue_last();
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

    // The chat as it is sent: cut, with messages of the client in it, named, joined, trimmed.
    std::vector<Message> view() {
        Chat sent = chat();
        std::size_t cut = 0;
        const auto is_reply = [](const ClientMessage& m) { return !m.is_user; };
        // The client shows at least two replies as the model wrote them.
        if (std::ranges::count_if(sent, is_reply) > 3 && chance(3)) {
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

    Server::Answer request(std::vector<Message> messages, Generation generation,
                           Server::End end = Server::End::kWhole) {
        AlignmentOptions options;
        const auto hint = has_hints_ ? std::optional(generation) : std::nullopt;
        auto answer = server_.answer(messages, words(8), end, hint, options);
        EXPECT_EQ(answer.before, state_of(chat())) << log_;
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
        } else {
            message.commands = {answer.command};
        }
        chat().push_back(message);
    }
    bool ends_in_answer() {
        return chat().size() >= 2 && !chat().back().is_user && chat()[chat().size() - 2].is_user;
    }
    void swipe() {
        if (!ends_in_answer()) {
            return;
        }
        const ClientMessage old = chat().back();
        chat().pop_back();
        reply(Server::End::kWhole, Generation::kSwipe);
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
        const std::size_t space = message.text.find(' ', message.text.size() / 2);
        if (space != std::string::npos && message.text.size() > 40) {
            message.text.insert(space, " very");
        }
    }
    // By its place a rewritten reply is the newest one there, or the parent of the next one. The
    // next request shows it, so that no other change hides which one it was.
    void rewrite() {
        if (!ends_in_answer() || chat().back().is_rewritten ||
            (chat().size() > 2 && chat()[chat().size() - 3].is_rewritten)) {
            return;
        }
        if (chance(2)) {
            swipe_is_newest_ = false;
            swipe();
            if (!swipe_is_newest_) {
                return;
            }
            rewrite(chat().back());
        } else if (chat().size() >= 5 && !chat()[chat().size() - 3].is_user &&
                   chat()[chat().size() - 4].is_user) {
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
    void branch() {
        if (chats_.size() < 4 && !chat().empty() && chance(2)) {
            Chat copy(chat().begin(),
                      chat().begin() + pick(static_cast<unsigned>(chat().size())) + 1);
            trim(copy);
            chats_.push_back(std::move(copy));
        }
        selected_ = pick(static_cast<unsigned>(chats_.size()));
    }
    void continue_last() {
        if (!ends_in_answer()) {
            return;
        }
        auto messages = view();
        messages.push_back(
            {Role::kSystem,
             value::Str("[Continue your last message without repeating its original content.]")});
        const auto answer = request(std::move(messages), Generation::kContinue);
        chat().back().text += " " + answer.text;
        chat().back().commands.push_back(answer.command);
    }
    void ask_quietly() {
        if (chat().empty() || chat().back().is_user) {
            return;
        }
        auto messages = view();
        messages.push_back({Role::kSystem, value::Str("Summarise the story so far.")});
        request(std::move(messages), Generation::kQuiet);
    }

    std::mt19937 random_;
    Server server_;
    std::vector<Chat> chats_ = {{}};
    std::size_t selected_ = 0;
    bool has_names_ = false;
    bool joins_roles_ = false;
    bool has_hints_ = false;
    bool swipe_is_newest_ = false;
    std::string log_;
};

TEST(ChatModel, TheStateFollowsTheSurvivingReplies) {
    for (unsigned seed = 1; seed <= 2000 && !::testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Client client(seed);
        for (int i = 0; i < 16 && !::testing::Test::HasFailure(); ++i) {
            client.act();
        }
    }
}

}  // namespace
}  // namespace arbiter::chat
