// Gateway: what the chats of all clients have in common: the stored replies of campaigns as clients
// show them, the campaign that a chat belongs to, and models asked with a client's own key.
//
// The replies of a campaign are read from the ledger once; later calls read only new turns, and
// none of the store if it is known that there are none (Store::known).
//
// Thread-safe. Calls may wait for the store: for worker threads, unless is_quick().
#pragma once

#include <chrono>
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
#include "server/chat_records.h"

namespace arbiter::server {

class Gateway {
  public:
    // `store` is borrowed.
    Gateway(ledger::Store& store, value::Object globals)
        : store_(store), globals_(std::move(globals)) {}

    // A reply of the history that has to be stored.
    struct AdoptedReply {
        std::size_t reply = 0;
        std::vector<std::string> parts = {};  // the turns that are repeated; empty: none is
    };
    struct Place {
        chat::History history;              // with joined messages split
        std::string turn;                   // the turn that it leads to
        std::vector<AdoptedReply> adopted;  // behind it, in order
        bool is_beginning = false;          // the turn is before all replies
        bool has_last = false;              // the last reply of the history was found
        bool replaces_head = false;         // the head answers the same words in the same place
    };
    // `head`: of the campaign. `is_current`: is_quick() has just said so, so nothing is read if the
    // head is known.
    base::Result<Place> locate(const std::string& campaign, const std::string& head,
                               bool is_current, chat::History history,
                               const chat::AlignmentOptions& options);
    // Reads new turns now, so that the next locate() finds them known. The reply of add() is.
    void catch_up(const std::string& campaign);

    // ---- turns that may begin on an event loop
    // How long the last turn of a campaign took to begin, until its model was asked.
    void note_start(const std::string& campaign, std::chrono::nanoseconds took);
    // Whether the next one will most likely begin at once, and without waiting for the store: all
    // turns are known, and a session at `head` is where the campaign is.
    [[nodiscard]] bool is_quick(std::string_view campaign, const ledger::TurnId& head);

    // A reply as it was sent. The ledger has it too, as it would be shown now, and need not be
    // asked for it.
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
        std::mutex lock;
        chat::ReplyTree tree;
        std::optional<ledger::TurnId> read;  // the last turn that is in the tree
        std::optional<std::uint64_t>
            version;  // of the campaign: all turns up to it are in the tree
        std::optional<campaign::Display> display;
        std::optional<std::chrono::nanoseconds> start;  // of the last turn
    };
    using ChatsPtr = std::shared_ptr<Chats>;
    struct Kept {
        ChatsPtr chats;
        std::list<std::string>::iterator used;
    };
    // Campaigns whose replies are kept in memory, and that are looked through for a history.
    static constexpr std::size_t kCampaignsMax = 256;
    // Keys of clients with connections of their own.
    static constexpr std::size_t kKeysMax = 64;

    // The chats of a campaign; nullptr: they are not kept.
    ChatsPtr find(std::string_view campaign);
    ChatsPtr find_or_keep(const std::string& campaign);
    // Under the lock of the chats.
    base::Result<> follow(const std::string& campaign, Chats& chats);
    // Whether all turns are in the tree, by what is known without asking the store: nothing was
    // written since they were, or one turn, which add() has added.
    static bool follow_known(Chats& chats, const std::optional<ledger::KnownCampaign>& known);

    ledger::Store& store_;
    value::Object globals_;
    std::mutex lock_;
    std::map<std::string, Kept, std::less<>> chats_;
    std::list<std::string> order_;  // of use, the newest first
    std::map<std::string, std::shared_ptr<model::AsyncModel>> models_;
};

}  // namespace arbiter::server
