#include "server/chat_import.h"

#include <algorithm>
#include <utility>

#include "campaign/rule_texts.h"
#include "chat/history.h"
#include "chat/reply_tree.h"
#include "prompt/names.h"
#include "server/chat_records.h"
#include "server/chat_variables.h"
#include "value/array.h"

namespace arbiter::server {

using base::Result;
using campaign::Session;
using chat::FileMessage;
using ledger::TurnId;
using value::Array;
using value::Object;
using value::Value;

namespace {

class ChatImporter {
  public:
    ChatImporter(Session& session, chat::ReplyTree tree, prompt::MacroWorld names,
                 engine::Instant now)
        : session_(session), tree_(std::move(tree)), names_(std::move(names)), now_(now) {}

    Result<ChatImport> run(const chat::ChatFile& file, const TurnId& root) {
        if (auto moved = go_to(root.hex()); !moved) {
            return std::unexpected(std::move(moved).error());
        }
        header_ = file.header;
        for (const FileMessage& message : file.messages) {
            lines_ = std::move(lines_).push_back(message.whole);
            // A message without words is not a reply: its generation has failed.
            if (message.is_hidden || (!message.is_user && message.text.empty())) {
                continue;
            }
            if (message.is_user) {
                chat::join_said(said_, message.text);
            } else if (auto taken = take(message); !taken) {
                return std::unexpected(std::move(taken).error());
            }
        }
        if (!lines_.empty()) {
            if (auto kept = keep_lines({}); !kept) {
                return std::unexpected(std::move(kept).error());
            }
        }
        return made_;
    }

  private:
    [[nodiscard]] std::string head() const { return session_.campaign().head().hex(); }

    Result<> go_to(const std::string& turn) {
        const auto id = TurnId::from_hex(turn);
        return !id || session_.campaign().head() == *id ? Result<>() : session_.go_to(*id);
    }

    // A reply with all its versions. The campaign continues from the one that is shown.
    Result<> take(const FileMessage& message) {
        const std::string parent = head();
        std::string shown;  // the turn of the version that is shown
        Array turns;
        for (std::size_t i = 0; i < message.swipes.size(); ++i) {
            const bool is_shown = i == message.swipe;
            auto moved = go_to(parent);
            auto taken = moved ? take_version(text_of(message, i), message.variables[i])
                               : std::unexpected(std::move(moved).error());
            if (!taken) {
                return std::unexpected(std::move(taken).error());
            }
            turns = std::move(turns).push_back(std::string_view(*taken));
            shown = is_shown ? head() : shown;
            ++(is_shown ? made_.replies : made_.swipes);
        }
        is_first_ = false;
        said_.clear();
        auto moved = go_to(shown);
        return moved ? keep_lines(std::move(turns)) : moved;
    }

    // Greetings that are not shown keep their macros in the file.
    std::string text_of(const FileMessage& message, std::size_t version) {
        if (version == message.swipe) {
            return chat::history_reply(message.text, {}).text;
        }
        const std::string text = chat::history_reply(message.swipes[version], {}).text;
        return is_first_ ? prompt::expand_macros(text, names_, "greeting").text : text;
    }

    // Returns the turn of the reply; the head is there, or at an edit behind it.
    Result<std::string> take_version(const std::string& text, const Value& variables) {
        const std::string parent = head();
        const chat::PlainText plain(text);
        const auto& same =
            tree_.with_text_below(tree_.find(parent).value_or(chat::ReplyTree::kRoot), plain.key());
        if (!same.empty()) {
            ++made_.known;
            const chat::ReplyTree::Node& node = tree_.node(same.back());
            auto moved = go_to(node.position);
            return moved ? Result<std::string>(node.id) : std::unexpected(std::move(moved).error());
        }
        if (auto adopted = adopt(session_, {text, said_}, now_); !adopted) {
            return std::unexpected(std::move(adopted).error());
        }
        std::string turn = head();
        tree_.add({turn, parent, said_, text});
        auto corrected = take_variables(variables);
        return corrected ? Result<std::string>(std::move(turn))
                         : std::unexpected(std::move(corrected).error());
    }

    // The state that the file has for a reply wins: its text may have lost commands since.
    Result<> take_variables(const Value& variables) {
        const Value* recorded = value::find_member(&variables, kVariables);
        const engine::State present = session_.campaign().state();
        if (recorded == nullptr || !recorded->is_object()) {
            return {};
        }
        const std::shared_ptr<const campaign::SharedWorld> world = session_.world();
        const engine::State after =
            with_variables(present, *recorded, world->world().profile.policy.locks_structure);
        if (after.document == present.document) {
            return {};
        }
        ++made_.states;
        const std::string before = head();
        auto edited = session_.edit(
            [&](const engine::State&) -> Result<table::Step> {
                return table::Step{after.document,
                                   {{"kind", "player"}, {"what", "imported_variables"}},
                                   after.meta};
            },
            now_, "imported variables");
        tree_.add_other(head(), before);
        return edited;
    }

    // Keeps the lines of the file since the reply before, unless an earlier import did.
    Result<> keep_lines(Array turns) {
        Object action{{"kind", "player"},
                      {"what", kChatMessages},
                      {"messages", std::exchange(lines_, {})},
                      {"swipes", std::move(turns)}};
        const std::size_t place = tree_.find(head()).value_or(chat::ReplyTree::kRoot);
        const auto known = kept_messages(session_.campaign(), tree_.node(place));
        if (!known) {
            return std::unexpected(known.error());
        }
        const bool is_kept = std::ranges::any_of(*known, [&](const Object& each) {
            return *each.find("messages") == *action.find("messages");
        });
        if (is_kept) {
            return {};
        }
        if (!header_.empty()) {
            action = std::move(action).set("header", std::exchange(header_, {}));
        }
        const std::string before = head();
        auto kept = session_.edit(
            [&](const engine::State& state) -> Result<table::Step> {
                return table::Step{state.document, action};
            },
            now_, "imported chat");
        tree_.add_other(head(), before);
        return kept;
    }

    Session& session_;
    chat::ReplyTree tree_;
    prompt::MacroWorld names_;  // for the macros of greetings
    engine::Instant now_;
    ChatImport made_;
    Object header_;     // until it is kept
    Array lines_;       // of the file, since the last reply
    std::string said_;  // by the player since then
    bool is_first_ = true;
};

}  // namespace

Result<ChatImport> import_chat(Session& session, const chat::ChatFile& file, engine::Instant now) {
    const ledger::Campaign campaign = session.campaign();
    const auto line = campaign.line_to(campaign.head());
    const auto card = campaign::card_of(campaign);
    auto tree = reply_tree_of(campaign, session.options().globals);
    if (!line || !card || !tree) {
        return std::unexpected(!line ? line.error() : !card ? card.error() : tree.error());
    }
    const std::string user = prompt::user_name(campaign.state().document, session.settings());
    ChatImporter importer(session, *std::move(tree),
                          prompt::macro_world(*card ? &**card : nullptr, user), now);
    auto made = importer.run(file, line->front());
    if (!made) {
        (void)session.go_to(campaign.head());
    }
    return made;
}

}  // namespace arbiter::server
