#include "server/chat_records.h"

#include <algorithm>
#include <utility>

#include "campaign/greeting.h"
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

namespace {

// A reply that an edit keeps.
StoredReply reply_in(const Object& action) {
    StoredReply reply{
        {}, {}, std::string(member(action, "said")), std::string(member(action, "text"))};
    reply.is_aborted = member(action, "what") == kAbortedReply;
    if (action.contains("continues")) {
        reply.continues = std::string(member(action, "continues"));
    }
    return reply;
}

}  // namespace

void add_record(chat::ReplyTree& tree, const ledger::TurnRow& row, const ledger::Record& record,
                const campaign::Display* display) {
    const std::string parent = row.parent ? row.parent->hex() : std::string();
    if (record.edit) {
        const std::string_view what = member(record.edit->action, "what");
        if (what == Session::kNewBeginning) {
            tree.add_passage(row.id.hex(), parent);
        } else if (what == kAbortedReply || what == kForeignReply) {
            StoredReply reply = reply_in(record.edit->action);
            reply.id = row.id.hex();
            reply.parent = parent;
            tree.add(reply);
        } else {
            tree.add_other(row.id.hex(), parent);
        }
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
            const auto record = campaign.story_of(row);
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

Result<> adopt(Session& session, const chat::HistoryReply& reply, engine::Instant now) {
    turn::SuppliedReply supplied;
    supplied.text = reply.text;
    supplied.said = reply.said;
    supplied.now = now;
    auto applied = session.apply(std::move(supplied));
    return applied ? Result<>() : std::unexpected(std::move(applied).error());
}

Result<> store_foreign(Session& session, const chat::HistoryReply& reply, bool is_greeting,
                       engine::Instant now) {
    if (is_greeting) {
        const auto greeted =
            campaign::begin_with_greeting(session, reply.initvars + reply.text, now);
        if (!greeted || *greeted) {
            return greeted ? Result<>() : std::unexpected(greeted.error());
        }
    }
    return chat::read_commands(reply.text).key.empty()
               ? keep_reply(session, {{}, {}, reply.said, reply.text}, now)
               : adopt(session, reply, now);
}

namespace {

// The commands of a turn that are not in its text: native calls, and those of the host.
Result<std::vector<proposal::Proposal>> unwritten_in(const ledger::Record& record) {
    auto proposals = proposal::decode(record.proposals, record.raw);
    if (!proposals) {
        return proposals;
    }
    // Older versions repeated a reply with its narrative as the text.
    if (!chat::read_commands(record.raw).key.empty()) {
        std::erase_if(*proposals, [](const proposal::Proposal& each) {
            return each.span.begin != each.span.end;
        });
    }
    for (proposal::Proposal& each : *proposals) {
        each.span = {};
    }
    return proposals;
}

Result<> repeat_part(Session& session, const ledger::Record& record, const std::string& said,
                     bool is_first, engine::Instant now) {
    if (record.edit) {
        StoredReply kept = reply_in(record.edit->action);
        kept.said = said;
        if (is_first && kept.continues) {
            kept.text = *std::exchange(kept.continues, {}) + kept.text;
        }
        return keep_reply(session, kept, now);
    }
    auto unwritten = unwritten_in(record);
    if (!unwritten) {
        return std::unexpected(std::move(unwritten).error());
    }
    turn::SuppliedReply reply;
    // Without its first part a continuation is the whole message.
    reply.text = is_first ? record.continues.value_or("") + record.raw : record.raw;
    reply.continues = is_first ? std::nullopt : record.continues;
    reply.said = said;
    reply.now = now;
    reply.proposals = *std::move(unwritten);
    auto applied = session.apply(std::move(reply));
    return applied ? Result<>() : std::unexpected(std::move(applied).error());
}

}  // namespace

Result<> repeat(Session& session, const std::vector<std::string>& parts, const std::string& said,
                engine::Instant now) {
    for (const std::string& part : parts) {
        const auto id = TurnId::from_hex(part);
        const auto record =
            id ? session.campaign().record(*id) : base::fail(ErrorCode::kTurnUnknown, {part});
        if (!record) {
            return std::unexpected(record.error());
        }
        const bool is_first = &part == &parts.front();
        auto repeated =
            repeat_part(session, *record, is_first ? said : std::string(), is_first, now);
        if (!repeated) {
            return repeated;
        }
    }
    return {};
}

Result<> keep_reply(Session& session, const StoredReply& reply, engine::Instant now) {
    Object action{{"kind", "player"},
                  {"what", reply.is_aborted ? kAbortedReply : kForeignReply},
                  {"said", std::string_view(reply.said)},
                  {"text", std::string_view(reply.text)}};
    if (reply.continues) {
        action = std::move(action).set("continues", std::string_view(*reply.continues));
    }
    return session.edit(
        [&](const engine::State& state) -> Result<table::Step> {
            return table::Step{state.document, action};
        },
        now, reply.is_aborted ? "aborted reply" : "reply of the client");
}

}  // namespace arbiter::server
