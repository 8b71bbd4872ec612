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

bool has_words(const chat::HistoryReply& reply) {
    return !reply.said.empty();
}

// Whether the first reply to a player in one of the chats answers these words.
bool has_first_words(const chat::ReplyTree& tree, const chat::SaidKeys& said) {
    const auto answers = [&](std::size_t node) {
        return tree.node(node).said.whole == said.whole && !said.whole.empty();
    };
    return std::ranges::any_of(tree.node(chat::ReplyTree::kRoot).children, [&](std::size_t first) {
        const bool is_greeting = tree.node(first).said.whole.empty();
        return answers(first) ||
               (is_greeting && std::ranges::any_of(tree.node(first).children, answers));
    });
}

}  // namespace

Gateway::ChatsPtr Gateway::find(std::string_view campaign) {
    const std::scoped_lock lock(lock_);
    const auto found = chats_.find(campaign);
    return found != chats_.end() ? found->second.chats : nullptr;
}

Gateway::ChatsPtr Gateway::find_or_keep(const std::string& campaign) {
    const std::scoped_lock lock(lock_);
    auto found = chats_.find(campaign);
    if (found == chats_.end()) {
        while (order_.size() >= kCampaignsMax) {
            chats_.erase(order_.back());
            order_.pop_back();
        }
        order_.push_front(campaign);
        found = chats_.emplace(campaign, Kept{std::make_shared<Chats>(), order_.begin()}).first;
    }
    order_.splice(order_.begin(), order_, found->second.used);
    return found->second.chats;
}

bool Gateway::follow_known(Chats& chats, const std::optional<ledger::KnownCampaign>& known) {
    if (!known || !chats.version) {
        return false;
    }
    const bool is_last = known->before == chats.version;
    if (is_last && (!known->added || chats.tree.find(known->added->hex()))) {
        chats.version = known->version;
        chats.read = known->added ? known->added : chats.read;
    }
    return known->version == chats.version;
}

Result<> Gateway::follow(const std::string& campaign, Chats& chats) {
    auto known = store_.known(campaign);
    if (follow_known(chats, known)) {
        return {};
    }
    if (!known) {
        if (const auto row = store_.campaign(campaign); !row) {
            forget(campaign);
            return std::unexpected(row.error());
        }
        // Taken before the turns are read: later ones are read the next time.
        known = store_.known(campaign);
    }
    std::optional<ledger::Campaign> opened;  // for turns that were not added when they were sent
    std::optional<base::Error> broken;
    const auto add = [&](const ledger::TurnRow& row) -> Result<> {
        if (!opened) {
            auto made = ledger::Campaign::open_without_state(store_, campaign);
            if (!made) {
                return std::unexpected(std::move(made).error());
            }
            opened = *std::move(made);
        }
        if (!chats.display) {
            if (auto display = campaign::Display::of(*opened, globals_)) {
                chats.display.emplace(*std::move(display));
            }
        }
        const auto record = opened->story_of(row);
        if (!record) {
            return std::unexpected(record.error());
        }
        add_record(chats.tree, row, *record, chats.display ? &*chats.display : nullptr);
        return {};
    };
    const auto visited = store_.visit_turns(campaign, chats.read, [&](const ledger::TurnRow& row) {
        if (!chats.tree.find(row.id.hex())) {
            if (auto added = add(row); !added) {
                broken = std::move(added).error();
                return false;
            }
        }
        chats.read = row.id;
        return true;
    });
    if (!visited || broken) {
        return std::unexpected(broken ? *std::move(broken) : visited.error());
    }
    if (known) {
        chats.version = known->version;
    }
    return {};
}

Result<Gateway::Place> Gateway::locate(const std::string& campaign, const std::string& head,
                                       bool is_current, History history,
                                       const chat::AlignmentOptions& options) {
    const ChatsPtr chats = find_or_keep(campaign);
    const std::scoped_lock lock(chats->lock);
    if (!is_current || !chats->tree.find(head)) {
        if (auto followed = follow(campaign, *chats); !followed) {
            return std::unexpected(std::move(followed).error());
        }
    }
    const chat::ReplyTree& tree = chats->tree;
    Place place;
    place.history = chat::split_joined(std::move(history), tree);
    const chat::Alignment found = chat::align(tree, place.history, options);
    place.turn = tree.node(found.node).position;
    place.has_last = found.has_last;
    place.is_beginning = found.node == chat::ReplyTree::kRoot;
    for (const chat::Adoption& each : found.adoptions) {
        AdoptedReply& adopted = place.adopted.emplace_back(each.reply);
        for (const std::size_t part :
             each.source ? tree.parts_of(*each.source) : chat::ReplyTree::Nodes()) {
            adopted.parts.push_back(tree.node(part).id);
        }
    }
    if (const auto at = tree.find(head); at && place.adopted.empty()) {
        const chat::ReplyTree::Node& node = tree.node(*at);
        place.replaces_head = *at != chat::ReplyTree::kRoot &&
                              (node.id == head || node.position == head) && !node.is_aborted &&
                              node.parent == found.node &&
                              node.said.whole == chat::SaidKeys(place.history.said).whole;
    }
    return place;
}

void Gateway::catch_up(const std::string& campaign) {
    if (const ChatsPtr chats = find(campaign)) {
        const std::scoped_lock lock(chats->lock);
        (void)follow(campaign, *chats);  // locate() reports it
    }
}

void Gateway::note_start(const std::string& campaign, std::chrono::nanoseconds took) {
    if (const ChatsPtr chats = find(campaign)) {
        // A loop does not wait for others that read the campaign.
        if (const std::unique_lock lock(chats->lock, std::try_to_lock); lock) {
            chats->start = took;
        }
    }
}

bool Gateway::is_quick(std::string_view campaign, const ledger::TurnId& head) {
    // Shorter than the time in which another thread takes over and hands the request back.
    constexpr std::chrono::microseconds kQuickStart{500};
    const ChatsPtr chats = find(campaign);
    const auto known = chats ? store_.known(campaign) : std::nullopt;
    if (!known || known->row.head != head) {
        return false;
    }
    const std::unique_lock lock(chats->lock, std::try_to_lock);
    return lock && follow_known(*chats, known) && chats->start && *chats->start < kQuickStart;
}

void Gateway::add(const std::string& campaign, const StoredReply& reply) {
    if (const ChatsPtr chats = find(campaign)) {
        auto known = store_.known(campaign);
        const std::scoped_lock lock(chats->lock);
        chats->tree.add(reply);
        (void)follow_known(*chats, known);
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
    std::optional<std::string> best;
    // Calls `use` with the replies of a campaign, if the client may know of it and it can be read.
    const auto look_at = [&](const std::string& id, const auto& use) {
        if (sees(id)) {
            const ChatsPtr chats = find_or_keep(id);
            const std::scoped_lock lock(chats->lock);
            if (follow(id, *chats)) {
                use(chats->tree);
            }
        }
    };
    if (std::ranges::none_of(history.replies, &has_words)) {
        // The first words of a chat, asked for again. A greeting tells nothing: every chat of a
        // card begins with one.
        const auto named = store_.named_texts(text_prefix(system_text));
        if (!named) {
            return std::unexpected(named.error());
        }
        const chat::SaidKeys said(history.said);
        std::size_t newest = 0;
        for (const ledger::NamedText& each : *named) {
            look_at(each.text, [&](const chat::ReplyTree& tree) {
                if (has_first_words(tree, said) && tree.size() > newest) {
                    newest = tree.size();
                    best = each.text;
                }
            });
        }
        return best;
    }
    auto rows = store_.campaigns();
    if (!rows) {
        return std::unexpected(rows.error());
    }
    std::ranges::sort(*rows, std::greater(), &ledger::CampaignRow::created);
    double score = 0;
    for (std::size_t i = 0; i < std::min(rows->size(), kCampaignsMax); ++i) {
        const std::string& id = (*rows)[i].id;
        look_at(id, [&](const chat::ReplyTree& tree) {
            const History split = chat::split_joined(history, tree);
            const chat::Alignment found = chat::align(tree, split);
            // A newer campaign wins only by more evidence than nothing.
            if (found.is_certain && found.score > score) {
                score = found.score;
                best = id;
            }
        });
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
