// Gateway: what the chats of all clients have in common: the stored replies of campaigns as clients
// show them, the campaign that a chat belongs to, and models asked with a client's own key.
//
// The replies of a campaign are read from the ledger once; later calls read only new turns.
//
// Thread-safe. Calls may wait for the store: for worker threads.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/display.h"
#include "chat/alignment.h"
#include "ledger/store.h"
#include "model/async_model.h"
#include "net/loop.h"
#include "openai/upstream.h"

namespace arbiter::server {

// The kind of the turn log entry that keeps an aborted reply.
inline constexpr std::string_view kAbortedReply = "aborted_reply";

class Gateway {
  public:
    // `store` is borrowed.
    Gateway(ledger::Store& store, value::Object globals)
        : store_(store), globals_(std::move(globals)) {}

    // A reply of the client's history that has to become a turn.
    struct Adopted {
        std::string said;
        std::string text;
        std::string source;  // the id of the turn that is repeated; empty: none
    };
    struct Place {
        chat::History history;  // with joined messages split
        std::string turn;       // the turn that it leads to
        std::vector<Adopted> adopted;
        bool has_last = false;  // the last reply of the history was found
    };
    base::Result<Place> locate(const std::string& campaign, chat::History history,
                               const chat::AlignmentOptions& options);
    // A reply as it was sent. The ledger has it too, as it would be shown now.
    void add(const std::string& campaign, const chat::StoredReply& reply);
    // A campaign that was deleted or replaced.
    void forget(std::string_view campaign);

    // The campaign whose stored replies are in the history, or which began with the same words of
    // the player and the same system text. `sees`: which campaigns the client may know of.
    using Sees = std::function<bool(std::string_view campaign)>;
    base::Result<std::optional<std::string>> find_campaign(const chat::History& history,
                                                           std::string_view system_text,
                                                           const Sees& sees);
    base::Result<std::optional<std::string>> campaign_of_chat(std::string_view chat);
    // Keeps how a campaign that was made for a chat is found again. `chat` may be empty.
    base::Result<> remember(const std::string& campaign, std::string_view system_text,
                            std::string_view chat);

    // The upstream asked with a client's key.
    std::shared_ptr<model::AsyncModel> model_with_key(net::Loops& loops, openai::Upstream upstream,
                                                      std::string_view key);

  private:
    struct Chats {
        chat::ReplyTree tree;
        std::optional<ledger::TurnId> read;  // the last turn that is in the tree
        std::optional<campaign::Display> display;
        std::list<std::string>::iterator used;
    };
    // Campaigns whose replies are kept in memory, and that are looked through for a history.
    static constexpr std::size_t kCampaignsMax = 256;
    // Keys of clients with connections of their own.
    static constexpr std::size_t kKeysMax = 64;

    base::Result<Chats*> follow(const std::string& campaign);
    void forget_unused();

    ledger::Store& store_;
    value::Object globals_;
    std::mutex lock_;
    std::map<std::string, Chats, std::less<>> chats_;
    std::list<std::string> order_;  // of use, the newest first
    std::map<std::string, std::shared_ptr<model::AsyncModel>> models_;
};

}  // namespace arbiter::server
