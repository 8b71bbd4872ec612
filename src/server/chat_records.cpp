#include "server/chat_records.h"

#include <algorithm>

#include "chat/reply_commands.h"
#include "proposal/codec.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;
using campaign::Session;
using chat::StoredReply;
using ledger::TurnId;
using value::Object;

std::string_view member(const Object& action, std::string_view key) {
    const value::Value* found = action.find(key);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

void add_record(chat::ReplyTree& tree, const ledger::TurnRow& row, const ledger::Record& record,
                const campaign::Display* display) {
    const std::string parent = row.parent ? row.parent->hex() : std::string();
    if (record.edit) {
        const Object& action = record.edit->action;
        if (member(action, "what") != kAbortedReply) {
            tree.add_other(row.id.hex(), parent);
            return;
        }
        StoredReply reply{row.id.hex(), parent, std::string(member(action, "said")),
                          std::string(member(action, "text"))};
        reply.is_aborted = true;
        if (action.contains("continues")) {
            reply.continues = std::string(member(action, "continues"));
        }
        tree.add(reply);
        return;
    }
    const bool is_reply = row.parent && record.actor != engine::Actor::kPlayer;
    if (!is_reply) {
        tree.add_other(row.id.hex(), parent);
        return;
    }
    tree.add({row.id.hex(), parent, record.said,
              display != nullptr ? display->shown(record) : record.shown, record.raw, false,
              record.continues});
}

Result<chat::ReplyTree> reply_tree_of(const ledger::Campaign& campaign, const Object& globals) {
    const auto display = campaign::Display::of(campaign, globals);
    chat::ReplyTree tree;
    std::optional<base::Error> broken;
    const auto visited = campaign.store().visit_turns(
        campaign.row().id, std::nullopt, [&](const ledger::TurnRow& row) {
            const auto record = campaign.record_of(row);
            if (!record) {
                broken = record.error();
                return false;
            }
            add_record(tree, row, *record, display ? &*display : nullptr);
            return true;
        });
    if (!visited || broken) {
        return std::unexpected(broken ? *std::move(broken) : visited.error());
    }
    return tree;
}

Result<std::vector<Object>> kept_messages(const ledger::Campaign& campaign,
                                          const chat::ReplyTree::Node& node) {
    std::vector<Object> found;
    std::string turn = node.position;
    while (!turn.empty() && turn != node.id) {
        const auto id = TurnId::from_hex(turn);
        const auto record = id ? campaign.record(*id) : base::fail(ErrorCode::kTurnUnknown, {turn});
        if (!record) {
            return std::unexpected(record.error());
        }
        if (record->edit && member(record->edit->action, "what") == kChatMessages) {
            found.push_back(record->edit->action);
        }
        turn = record->parent ? record->parent->hex() : std::string();
    }
    std::ranges::reverse(found);
    return found;
}

Result<> adopt(Session& session, const AdoptedReply& adopted, engine::Instant now) {
    turn::SuppliedReply reply;
    reply.text = adopted.text;
    reply.said = adopted.said;
    reply.now = now;
    // A text with blocks has its commands in them already.
    const bool has_commands = !chat::read_commands(adopted.text).key.empty();
    std::string source = adopted.source;
    while (!source.empty()) {
        const auto id = TurnId::from_hex(source);
        auto record =
            id ? session.campaign().record(*id) : base::fail(ErrorCode::kTurnUnknown, {source});
        if (!record) {
            return std::unexpected(std::move(record).error());
        }
        if (record->edit && source == adopted.source) {
            return keep_aborted(session, {{}, {}, adopted.said, adopted.text}, now);
        }
        const bool is_aborted =
            record->edit && member(record->edit->action, "what") == kAbortedReply;
        if (has_commands || is_aborted) {
            break;  // the beginning of a continued reply may count for nothing
        }
        if (record->edit) {
            source = record->parent ? record->parent->hex() : std::string();
            continue;
        }
        auto proposals = proposal::decode(record->proposals, record->raw);
        if (!proposals) {
            return std::unexpected(std::move(proposals).error());
        }
        // A continued reply has the commands of its parts, in order.
        reply.proposals.insert(reply.proposals.begin(), proposals->begin(), proposals->end());
        source = record->continues && record->parent ? record->parent->hex() : std::string();
    }
    auto applied = session.apply(std::move(reply));
    return applied ? Result<>() : std::unexpected(std::move(applied).error());
}

Result<> keep_aborted(Session& session, const StoredReply& reply, engine::Instant now) {
    Object action{{"kind", "player"},
                  {"what", kAbortedReply},
                  {"said", std::string_view(reply.said)},
                  {"text", std::string_view(reply.text)}};
    if (reply.continues) {
        action = std::move(action).set("continues", std::string_view(*reply.continues));
    }
    return session.edit(
        [&](const engine::State& state) -> Result<table::Step> {
            return table::Step{state.document, action};
        },
        now, "aborted reply");
}

}  // namespace arbiter::server
