#include "server/gateway.h"

#include <algorithm>

#include "ledger/campaign.h"
#include "openai/endpoint.h"

namespace arbiter::server {

using base::Result;
using chat::History;
using chat::StoredReply;

namespace {

constexpr std::string_view kOfText = "chat/text/";  // and the digest, '/', the campaign
constexpr std::string_view kOfId = "chat/id/";      // and the digest of the id

std::string text_prefix(std::string_view system_text) {
    return std::string(kOfText) + ledger::sha256(system_text).hex() + "/";
}
std::string id_name(std::string_view chat) {
    return std::string(kOfId) + ledger::sha256(chat).hex();
}

std::string_view member(const value::Object& action, std::string_view key) {
    const value::Value* found = action.find(key);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

void add_record(chat::ReplyTree& tree, const ledger::TurnRow& row, const ledger::Record& record,
                const campaign::Display* display) {
    const std::string parent = row.parent ? row.parent->hex() : std::string();
    if (record.edit) {
        const value::Object& action = record.edit->action;
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

}  // namespace

Result<Gateway::Chats*> Gateway::follow(const std::string& campaign) {
    auto found = chats_.find(campaign);
    if (found == chats_.end()) {
        forget_unused();
        order_.push_front(campaign);
        found = chats_.emplace(campaign, Chats()).first;
        found->second.used = order_.begin();
    }
    Chats& chats = found->second;
    order_.splice(order_.begin(), order_, chats.used);
    const auto opened = ledger::Campaign::open_without_state(store_, campaign);
    if (!opened) {
        order_.erase(chats.used);
        chats_.erase(found);
        return std::unexpected(opened.error());
    }
    std::optional<base::Error> broken;
    const auto visited = store_.visit_turns(campaign, chats.read, [&](const ledger::TurnRow& row) {
        if (!chats.display) {
            if (auto display = campaign::Display::of(*opened, globals_)) {
                chats.display.emplace(*std::move(display));
            }
        }
        const auto record = opened->record_of(row);
        if (!record) {
            broken = record.error();
            return false;
        }
        add_record(chats.tree, row, *record, chats.display ? &*chats.display : nullptr);
        chats.read = row.id;
        return true;
    });
    if (!visited || broken) {
        return std::unexpected(broken ? *std::move(broken) : visited.error());
    }
    return &chats;
}

void Gateway::forget_unused() {
    while (order_.size() >= kCampaignsMax) {
        chats_.erase(order_.back());
        order_.pop_back();
    }
}

Result<Gateway::Place> Gateway::locate(const std::string& campaign, History history,
                                       const chat::AlignmentOptions& options) {
    const std::scoped_lock lock(lock_);
    const auto chats = follow(campaign);
    if (!chats) {
        return std::unexpected(chats.error());
    }
    const chat::ReplyTree& tree = (*chats)->tree;
    Place place;
    place.history = chat::split_joined(std::move(history), tree);
    chat::Alignment found = chat::align(tree, place.history, options);
    place.turn = tree.node(found.node).position;
    place.has_last = found.has_last;
    for (chat::Adoption& each : found.adoptions) {
        place.adopted.push_back({std::move(each.said), std::move(each.text),
                                 each.source ? tree.node(*each.source).id : std::string()});
    }
    return place;
}

void Gateway::add(const std::string& campaign, const StoredReply& reply) {
    const std::scoped_lock lock(lock_);
    if (const auto found = chats_.find(campaign); found != chats_.end()) {
        found->second.tree.add(reply);
    }
}

void Gateway::forget(std::string_view campaign) {
    const std::scoped_lock lock(lock_);
    if (const auto found = chats_.find(campaign); found != chats_.end()) {
        order_.erase(found->second.used);
        chats_.erase(found);
    }
}

Result<std::optional<std::string>> Gateway::find_campaign(const History& history,
                                                          std::string_view system_text,
                                                          const Sees& sees) {
    const std::scoped_lock lock(lock_);
    std::optional<std::string> best;
    if (history.replies.empty()) {
        // The first words of a chat, asked for again.
        const auto named = store_.named_texts(text_prefix(system_text));
        if (!named) {
            return std::unexpected(named.error());
        }
        const chat::SaidKeys said(history.said);
        std::size_t newest = 0;
        for (const ledger::NamedText& each : *named) {
            const auto chats = sees(each.text) ? follow(each.text) : Result<Chats*>(nullptr);
            if (!chats || *chats == nullptr) {
                continue;
            }
            const chat::ReplyTree& tree = (*chats)->tree;
            for (const std::size_t child : tree.node(chat::ReplyTree::kRoot).children) {
                if (tree.node(child).said.whole == said.whole && tree.size() > newest) {
                    newest = tree.size();
                    best = each.text;
                }
            }
        }
        if (best) {
            return best;
        }
    }
    auto rows = store_.campaigns();
    if (!rows) {
        return std::unexpected(rows.error());
    }
    std::ranges::sort(*rows, std::greater(), &ledger::CampaignRow::created);
    double score = 0;
    for (std::size_t i = 0; i < std::min(rows->size(), kCampaignsMax); ++i) {
        const std::string& id = (*rows)[i].id;
        const auto chats = sees(id) ? follow(id) : Result<Chats*>(nullptr);
        if (!chats || *chats == nullptr) {
            continue;
        }
        const History split = chat::split_joined(history, (*chats)->tree);
        const chat::Alignment found = chat::align((*chats)->tree, split);
        // A newer campaign wins only by more evidence than nothing.
        if (found.is_certain && found.score > score) {
            score = found.score;
            best = id;
        }
    }
    return best;
}

Result<std::optional<std::string>> Gateway::campaign_of_chat(std::string_view chat) {
    const std::string name = id_name(chat);
    const auto named = store_.named_texts(name);
    if (!named) {
        return std::unexpected(named.error());
    }
    return named->empty() ? std::nullopt : std::optional(named->front().text);
}

Result<> Gateway::remember(const std::string& campaign, std::string_view system_text,
                           std::string_view chat) {
    auto stored = store_.put_named_text({text_prefix(system_text) + campaign, campaign}, {});
    if (stored && !chat.empty()) {
        stored = store_.put_named_text({id_name(chat), campaign}, {});
    }
    return stored ? Result<>() : std::unexpected(stored.error());
}

std::shared_ptr<model::AsyncModel> Gateway::model_with_key(net::Loops& loops,
                                                           openai::Upstream upstream,
                                                           std::string_view key) {
    const std::scoped_lock lock(lock_);
    const std::string name =
        ledger::sha256(upstream.address + "\n" + upstream.model + "\n" + std::string(key)).hex();
    if (const auto found = models_.find(name); found != models_.end()) {
        return found->second;
    }
    if (models_.size() >= kKeysMax) {
        models_.clear();
    }
    upstream.key = base::Secret(std::string(key));
    return models_[name] = std::make_shared<openai::Endpoint>(loops, std::move(upstream));
}

}  // namespace arbiter::server
