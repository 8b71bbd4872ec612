#include "server/chat_export.h"

#include <algorithm>
#include <iterator>

#include "campaign/rule_texts.h"
#include "chat/chat_file.h"
#include "chat/history.h"
#include "chat/reply_commands.h"
#include "prompt/names.h"
#include "server/chat_records.h"
#include "server/chat_variables.h"
#include "value/array.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;
using chat::ReplyTree;
using ledger::TurnId;
using value::Array;
using value::Object;
using value::Value;

namespace {

// A stored reply as a message.
struct Version {
    std::string turn;
    std::vector<std::string> continued = {};  // the turns that it continues
    std::string said = {};
    std::string text = {};
    engine::Instant time = 0;
    Value variables = {};  // null: none

    [[nodiscard]] bool continues(std::string_view other) const {
        return std::ranges::find(continued, other) != continued.end();
    }
};

Result<ledger::Record> record_of(const ledger::Campaign& campaign, const std::string& turn) {
    const auto id = TurnId::from_hex(turn);
    return id ? campaign.record(*id) : base::fail(ErrorCode::kTurnUnknown, {turn});
}

Array list_in(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_array() ? found->as_array() : Array();
}

// The list with an element at an index, behind empty objects if it is too short.
Array with_element(Array list, std::size_t index, Value element) {
    while (list.size() <= index) {
        list = std::move(list).push_back(Object());
    }
    return std::move(list).set(index, std::move(element));
}

class ChatExporter {
  public:
    ChatExporter(const ledger::Campaign& campaign, const ReplyTree& tree,
                 const table::Redactor& redactor)
        : campaign_(campaign), tree_(tree), redactor_(redactor) {}

    Result<> run(const std::string& user, const std::string& character) {
        user_ = user;
        character_ = character;
        std::vector<std::size_t> line;
        for (std::size_t at = tree_.find(campaign_.head().hex()).value_or(ReplyTree::kRoot);
             at != ReplyTree::kRoot; at = tree_.node(at).parent) {
            line.push_back(at);
        }
        for (auto at = line.rbegin(); at != line.rend(); ++at) {
            if (auto added = add_place(*at); !added) {
                return added;
            }
        }
        auto tail = tail_at(line.empty() ? ReplyTree::kRoot : line.front());
        if (!tail) {
            return std::unexpected(std::move(tail).error());
        }
        std::ranges::move(*tail, std::back_inserter(messages_));
        return {};
    }

    [[nodiscard]] std::string text() const {
        const Object usual = {{"user_name", std::string_view(user_)},
                              {"character_name", std::string_view(character_)},
                              {"chat_metadata", Object()}};
        return chat::print_chat_file(header_.empty() ? usual : header_, messages_);
    }

  private:
    // The words of the player and the reply at a place of the chat.
    Result<> add_place(std::size_t node) {
        auto versions = versions_at(node);
        if (!versions) {
            return std::unexpected(std::move(versions).error());
        }
        // The lines of the file belong to all versions of the reply.
        Object lines;
        for (const std::size_t each : tree_.node(tree_.node(node).parent).children) {
            const auto kept = kept_messages(campaign_, tree_.node(each));
            if (!kept) {
                return std::unexpected(kept.error());
            }
            for (const Object& action : *kept) {
                lines = list_in(action, "swipes").empty() ? lines : action;
            }
        }
        const auto shown = std::ranges::find(*versions, tree_.node(node).id, &Version::turn);
        const auto index = static_cast<std::size_t>(shown - versions->begin());
        if (auto added = add_before(tree_.node(node).parent, lines, *shown); !added) {
            return added;
        }
        messages_.push_back(reply(lines, *versions, index));
        return {};
    }

    // The replies in the same place; a continued one is written as a whole.
    Result<std::vector<Version>> versions_at(std::size_t node) {
        std::vector<Version> versions;
        for (const std::size_t each : tree_.node(tree_.node(node).parent).children) {
            const bool is_shown = each == node;
            if (tree_.node(each).is_aborted && !is_shown) {
                continue;
            }
            auto version = read_version(each);
            if (!version) {
                return std::unexpected(std::move(version).error());
            }
            std::erase_if(versions, [&](const Version& before) {
                return before.turn != tree_.node(node).id && version->continues(before.turn);
            });
            versions.push_back(*std::move(version));
        }
        return versions;
    }

    Result<Version> read_version(std::size_t node) {
        Version version{tree_.node(node).id};
        if (auto read = read_variables(tree_.node(node).position, version); !read) {
            return std::unexpected(std::move(read).error());
        }
        for (std::string turn = version.turn; !turn.empty();) {
            const auto record = record_of(campaign_, turn);
            if (!record) {
                return std::unexpected(record.error());
            }
            const Object action = record->edit ? record->edit->action : Object();
            const std::string part = record->edit ? std::string(member(action, "text"))
                                                  : chat::without_thinking(record->raw);
            version.text = part + version.text;
            version.time = record->time;
            version.said = record->edit ? std::string(member(action, "said")) : record->said;
            const bool continues = record->continues || action.contains("continues");
            turn.clear();
            if (continues && record->parent) {
                const auto first = tree_.find(record->parent->hex());
                turn = tree_.node(first.value_or(ReplyTree::kRoot)).id;
                version.continued.push_back(turn);
            }
        }
        version.text = redactor_.text(version.text).str();
        version.said = redactor_.text(version.said).str();
        return version;
    }

    Result<> read_variables(const std::string& turn, Version& version) {
        const auto id = TurnId::from_hex(turn);
        const auto state =
            id ? campaign_.state_at(*id) : base::fail(ErrorCode::kTurnUnknown, {turn});
        if (!state) {
            return std::unexpected(state.error());
        }
        if (const Value* found = value::find_member(&state->document, kVariables)) {
            const value::Path path = {kVariables};
            version.variables = Object{{kVariables, redactor_.value_at(path, *found).get()}};
        }
        return {};
    }

    // The messages before a reply: those of the file, or the words of the player.
    Result<> add_before(std::size_t parent, const Object& lines, const Version& version) {
        take_header(lines);
        const Array written = list_in(lines, "messages");
        for (std::size_t i = 0; i + 1 < written.size(); ++i) {
            messages_.push_back(redacted(written[i]));
        }
        if (!written.empty() || version.said.empty()) {
            return {};
        }
        auto tail = tail_at(parent);
        if (!tail) {
            return std::unexpected(std::move(tail).error());
        }
        std::string said;
        for (const Object& each : *tail) {
            const chat::FileMessage message = chat::file_message(each);
            chat::join_said(said, message.is_user ? message.text : std::string());
        }
        if (said == version.said) {
            std::ranges::move(*tail, std::back_inserter(messages_));
        } else {
            messages_.push_back(message(user_, true, version.said, version.time));
        }
        return {};
    }

    Object reply(const Object& lines, const std::vector<Version>& versions, std::size_t shown) {
        const Array written = list_in(lines, "messages");
        if (written.empty()) {
            Object made = message(character_, false, versions[shown].text, versions[shown].time);
            return with_versions(std::move(made), {}, versions, shown);
        }
        std::vector<std::string> turns;
        for (const Value& each : list_in(lines, "swipes")) {
            turns.emplace_back(each.is_string() ? each.as_string() : std::string_view());
        }
        return with_versions(redacted(written[written.size() - 1]), turns, versions, shown);
    }

    // Adds the versions that are not in the message yet; `turns` are those of its own.
    Object with_versions(Object made, const std::vector<std::string>& turns,
                         const std::vector<Version>& versions, std::size_t shown) {
        const chat::FileMessage file = chat::file_message(made);
        Array swipes;
        Array info = list_in(made, "swipe_info");
        Array variables;
        for (std::size_t i = 0; i < turns.size() && i < file.swipes.size(); ++i) {
            swipes = std::move(swipes).push_back(std::string_view(file.swipes[i]));
            variables = std::move(variables).push_back(file.variables[i]);
        }
        std::size_t chosen = 0;
        bool is_changed = false;
        for (std::size_t i = 0; i < versions.size(); ++i) {
            const Version& version = versions[i];
            const auto known = std::ranges::find_if(turns, [&](const std::string& turn) {
                return turn == version.turn || version.continues(turn);
            });
            const auto place = static_cast<std::size_t>(known - turns.begin());
            const std::size_t index = known != turns.end() ? place : swipes.size();
            chosen = i == shown ? index : chosen;
            if (known != turns.end() && *known == version.turn) {
                continue;
            }
            is_changed = true;
            // A continued version takes the place of its beginning.
            swipes = with_element(std::move(swipes), index, std::string_view(version.text));
            variables = with_element(std::move(variables), index, version.variables);
            info = with_element(
                std::move(info), index,
                Object{{"send_date", std::string_view(engine::print_instant(version.time))},
                       {"extra", Object()}});
        }
        if (!is_changed && chosen == file.swipe) {
            return made;
        }
        const bool has_variables =
            std::ranges::any_of(variables, [](const Value& each) { return !each.is_null(); });
        made = std::move(made)
                   .set("mes", std::string_view(versions[shown].text))
                   .set("swipes", std::move(swipes))
                   .set("swipe_id", static_cast<std::int64_t>(chosen))
                   .set("swipe_info", std::move(info));
        return has_variables ? std::move(made).set("variables", std::move(variables)) : made;
    }

    // Messages of the file behind a reply that no reply of the file follows.
    Result<std::vector<Object>> tail_at(std::size_t node) {
        const auto kept = kept_messages(campaign_, tree_.node(node));
        if (!kept) {
            return std::unexpected(kept.error());
        }
        std::vector<Object> tail;
        for (const Object& action : *kept) {
            if (!list_in(action, "swipes").empty()) {
                continue;
            }
            take_header(action);
            for (const Value& each : list_in(action, "messages")) {
                tail.push_back(redacted(each));
            }
        }
        return tail;
    }

    void take_header(const Object& action) {
        if (const Value* header = action.find("header"); header != nullptr && header_.empty()) {
            header_ = redacted(*header);
        }
    }
    [[nodiscard]] Object redacted(const Value& written) const {
        const Value shown = redactor_.value(written).get();
        return shown.is_object() ? shown.as_object() : Object();
    }
    static Object message(const std::string& name, bool is_user, const std::string& text,
                          engine::Instant time) {
        return {{"name", std::string_view(name)},
                {"is_user", is_user},
                {"is_system", false},
                {"send_date", std::string_view(engine::print_instant(time))},
                {"mes", std::string_view(text)},
                {"extra", Object()}};
    }

    const ledger::Campaign& campaign_;
    const ReplyTree& tree_;
    const table::Redactor& redactor_;
    std::string user_;
    std::string character_;
    Object header_;
    std::vector<Object> messages_;
};

}  // namespace

Result<std::string> export_chat(const campaign::Session& session, const table::Redactor& redactor) {
    const ledger::Campaign campaign = session.campaign();
    const auto card = campaign::card_of(campaign);
    const auto tree = reply_tree_of(campaign, session.options().globals);
    if (!card || !tree) {
        return std::unexpected(!card ? card.error() : tree.error());
    }
    ChatExporter exporter(campaign, *tree, redactor);
    const std::string user = prompt::user_name(campaign.state().document, session.settings());
    auto written = exporter.run(user, *card ? (*card)->name : campaign.row().name);
    return written ? Result<std::string>(exporter.text())
                   : std::unexpected(std::move(written).error());
}

}  // namespace arbiter::server
