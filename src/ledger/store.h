// Store: the storage of campaigns, the same for memory, SQLite and PostgreSQL. It stores and
// returns rows; their meaning is the ledger's business.
//
// A commit is all or nothing, and durable when it returns. Turns are never changed or deleted.
// Heads move by compare-and-swap, so two writers cannot both continue from the same turn.
//
// Thread-safe. Readers never wait for writers. Callbacks may call the store.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/engine.h"
#include "ledger/record.h"

namespace arbiter::ledger {

struct CampaignRow {
    std::string id;
    std::string name;
    engine::Instant created = 0;
    std::optional<TurnId> head;
    std::optional<TurnId> undo;  // the head before a rollback that can still be undone
    friend bool operator==(const CampaignRow&, const CampaignRow&) = default;
};

// A campaign as a store object knows it without asking the database.
struct KnownCampaign {
    CampaignRow row;
    // Another number whenever something of the campaign may have been written, by any process.
    std::uint64_t version = 0;
    // The version before the last commit, if that is the only one since then and holds no other
    // turn than `added`; 0: not known.
    std::uint64_t before = 0;
    std::optional<TurnId> added = {};
};

struct TurnRow {
    TurnId id;
    std::optional<TurnId> parent;
    std::int64_t number = 0;
    engine::Instant time = 0;
    std::string bytes;  // the packed record (record_pack.h); empty in listings
    friend bool operator==(const TurnRow&, const TurnRow&) = default;
};

struct Checkpoint {
    TurnId turn;
    std::string label;
    engine::Instant time = 0;
    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// A text by its digest.
struct Blob {
    Digest digest;
    std::string bytes;  // packed (digest.h)
};

// A turn by the key of its request (record.h).
struct TurnKey {
    std::string key;
    TurnId turn;
};

// A text of the store itself, outside of all campaigns: an access token, for instance.
struct NamedText {
    std::string name;
    std::string text;  // UTF-8
    friend bool operator==(const NamedText&, const NamedText&) = default;
};

struct HeadMove {
    std::optional<TurnId> from;  // the commit fails with kHeadMoved if the head is another turn
    std::optional<TurnId> to;
    std::optional<TurnId> undo;
};

struct Keyframe {
    TurnId turn;
    std::string bytes;  // the packed state after the turn
};

// Rows that are written together. Turns, blobs and keyframes that exist are left as they are.
struct Commit {
    std::string campaign;
    std::optional<CampaignRow> create;  // a new campaign; fails with kCampaignExists
    std::vector<TurnRow> turns;         // parents before children
    std::vector<Keyframe> keyframes;
    std::vector<Blob> blobs;
    // Of these turns. A commit that moves the head of an existing campaign fails with kHeadMoved if
    // one of its keys is taken; otherwise taken keys are left as they are.
    std::vector<TurnKey> keys;
    std::optional<HeadMove> head;
    std::vector<Checkpoint> checkpoints;
    std::size_t checkpoints_max = 0;  // the oldest beyond it are dropped; 0: no limit
};

class Store {
  public:
    // The columns of a visited turn: without its bytes, or all.
    enum class Content : std::uint8_t { kHeader, kWhole };

    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default;

    virtual base::Result<std::vector<CampaignRow>> campaigns() = 0;
    // Fails with kCampaignUnknown.
    virtual base::Result<CampaignRow> campaign(std::string_view id) = 0;
    // The same, if it is certain without waiting for a disk or a server that the row is current.
    // Nothing: ask campaign(), after which it may be known.
    virtual std::optional<KnownCampaign> known(std::string_view id) = 0;

    // Commits are independent of each other: each succeeds or fails alone. Successful ones are
    // durable on return and share one sync. After any error but kHeadMoved, kCampaignExists and
    // kCampaignUnknown it is unknown whether the commit was stored: the head shows it.
    virtual std::vector<base::Result<>> commit_all(std::span<const Commit> commits) = 0;
    base::Result<> commit(const Commit& commit) { return commit_all({&commit, 1})[0]; }

    // Nothing if it does not exist.
    virtual base::Result<std::optional<TurnRow>> turn(std::string_view campaign,
                                                      const TurnId& id) = 0;
    // The turn that was stored under a key. Nothing if there is none.
    virtual base::Result<std::optional<TurnId>> turn_of_key(std::string_view campaign,
                                                            std::string_view key) = 0;
    // All turns of a campaign without their bytes, in the order in which they were stored.
    virtual base::Result<std::vector<TurnRow>> turns(std::string_view campaign) = 0;
    virtual base::Result<std::size_t> turn_count(std::string_view campaign) = 0;
    // Visits turns with their bytes in that order until `each` returns false: those stored after
    // the turn `after`, or all if there is no such turn.
    virtual base::Result<> visit_turns(std::string_view campaign,
                                       const std::optional<TurnId>& after,
                                       const std::function<bool(const TurnRow&)>& each) = 0;
    // Visits a turn and its ancestors, newest first, until `each` returns false. Costs what is
    // visited. Ends without an error where a turn is missing.
    virtual base::Result<> visit_ancestors(std::string_view campaign, const TurnId& from,
                                           Content content,
                                           const std::function<bool(const TurnRow&)>& each) = 0;
    // The ids of turns from `first` to `last`, in order of ids, at most `limit`.
    virtual base::Result<std::vector<TurnId>> turn_ids_between(std::string_view campaign,
                                                               const TurnId& first,
                                                               const TurnId& last,
                                                               std::size_t limit) = 0;
    // Nothing if the turn has no keyframe.
    virtual base::Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                              const TurnId& turn) = 0;
    // The turns that have one.
    virtual base::Result<std::vector<TurnId>> keyframes(std::string_view campaign) = 0;
    virtual base::Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) = 0;
    virtual base::Result<std::optional<std::string>> blob(std::string_view campaign,
                                                          const Digest& digest) = 0;
    virtual base::Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) = 0;

    // Changes the name that people see. Fails with kCampaignUnknown.
    virtual base::Result<> rename_campaign(std::string_view id, std::string_view name) = 0;
    // Deletes a campaign with all its turns. Rule texts that other campaigns may use stay. Fails
    // with kCampaignUnknown.
    virtual base::Result<> delete_campaign(std::string_view id) = 0;
    // The named texts whose names begin with `prefix`, in the order of their names as bytes.
    virtual base::Result<std::vector<NamedText>> named_texts(std::string_view prefix) = 0;
    // Stores a text by compare-and-swap: it takes the place of `replaces` under its name; nothing:
    // the name must be free. Returns whether it is the stored one now; if so, it is durable.
    virtual base::Result<bool> put_named_text(const NamedText& text,
                                              std::optional<std::string_view> replaces) = 0;

    // Copies the whole store as it is now into a new file, while others read and write. The file
    // appears when it is complete and synced. Fails with kStoreNoBackup if the database has tools
    // of its own.
    virtual base::Result<> backup(const std::string& file) = 0;

    // Campaigns whose heads other processes moved since the last call; waits up to `wait` for the
    // first. The first call starts watching. May name campaigns that did not move, after a lost
    // connection for instance, but misses none.
    virtual base::Result<std::vector<std::string>> moved(std::chrono::milliseconds wait) = 0;

    // Checks what the store itself can check. Returns the problems found, each as kCorrupt.
    virtual base::Result<std::vector<base::Error>> check() = 0;
};

enum class Access : std::uint8_t {
    kRead,     // nothing is written or created; also works where nothing can be written
    kSalvage,  // the same, and a damaged log is read as far as it is intact
    kWrite,    // the store must exist
    kCreate,   // a missing file and the tables of an empty database are created
};
// Opens memory:, sqlite:FILE or postgres://…. Fails with kStoreMissing, kStoreForeign and others
// if there is no store, without having changed anything; with kStoreOld when migrate_store() must
// be called first.
base::Result<std::unique_ptr<Store>> open_store(std::string_view url,
                                                Access access = Access::kCreate);
// Brings the tables of an older version up to date. Returns the version of the schema.
base::Result<std::int64_t> migrate_store(std::string_view url);

}  // namespace arbiter::ledger
