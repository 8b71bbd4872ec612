// Store: where turns are kept. Small, and the same for memory, SQLite and PostgreSQL: rows go in
// and come out; what they mean is the ledger's business.
//
// Turns are never changed and never deleted by anything but thinning. A commit is all or nothing,
// and durable when it returns. Heads move by comparing and swapping, so that two writers cannot
// both go on from the same turn.
//
// Any thread may call any of it. Those who read never wait for those who write.
#pragma once

#include <chrono>
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
    std::optional<TurnId> undo;  // where the head was before a rollback that can still be undone
    friend bool operator==(const CampaignRow&, const CampaignRow&) = default;
};

struct TurnRow {
    TurnId id;
    std::optional<TurnId> parent;
    std::int64_t number = 0;
    engine::Instant time = 0;
    std::string bytes;  // the packed record; empty in listings
    friend bool operator==(const TurnRow&, const TurnRow&) = default;
};

struct Checkpoint {
    TurnId turn;
    std::string label;
    engine::Instant time = 0;
    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

struct Blob {
    Digest digest;
    std::string bytes;
};

// Moves a head from what it must be to what it becomes.
struct HeadMove {
    std::optional<TurnId> from;
    std::optional<TurnId> to;
    std::optional<TurnId> undo;
};

struct Keyframe {
    TurnId turn;
    std::string bytes;  // the packed state after the turn
};

// What is written together. Turns, blobs and keyframes that are there already are left as they are.
struct Commit {
    std::string campaign;
    std::optional<CampaignRow> create;  // a new campaign; fails with kCampaignExists
    std::vector<TurnRow> turns;
    std::vector<Keyframe> keyframes;
    std::vector<Blob> blobs;
    std::optional<HeadMove> head;
    std::vector<Checkpoint> checkpoints;
    std::size_t checkpoints_max = 0;  // older ones go when there are more; 0: all stay
};

class Store {
  public:
    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default;

    virtual base::Result<std::vector<CampaignRow>> campaigns() = 0;
    virtual base::Result<CampaignRow> campaign(std::string_view id) = 0;  // kCampaignUnknown

    // Each is all or nothing and does not depend on how the others fare; those that succeed are
    // durable when it returns, and share the waiting for the disk. Fails with kHeadMoved when the
    // head is not where it must be. With any other error it may be open whether a commit was kept:
    // the head tells.
    virtual std::vector<base::Result<>> commit_all(std::span<const Commit> commits) = 0;
    base::Result<> commit(const Commit& commit) { return commit_all({&commit, 1})[0]; }

    virtual base::Result<std::optional<TurnRow>> turn(std::string_view campaign,
                                                      const TurnId& id) = 0;
    // All turns of a campaign without their bytes, in the order in which they were kept.
    virtual base::Result<std::vector<TurnRow>> turns(std::string_view campaign) = 0;
    // The same with their bytes, one after the other, until `each` gives false; those behind
    // `after` where there is such a turn.
    virtual base::Result<> visit_turns(std::string_view campaign,
                                       const std::optional<TurnId>& after,
                                       const std::function<bool(const TurnRow&)>& each) = 0;
    virtual base::Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                              const TurnId& turn) = 0;
    virtual base::Result<std::vector<TurnId>> keyframes(std::string_view campaign) = 0;
    virtual base::Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) = 0;
    virtual base::Result<std::optional<std::string>> blob(std::string_view campaign,
                                                          const Digest& digest) = 0;
    virtual base::Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) = 0;

    // Campaigns whose heads somebody else moved since the last call, which need not be all; waits
    // for one at most as long as this. What the first call gives are those from then on. When it
    // may have missed some, those that did not move are among them too.
    virtual base::Result<std::vector<std::string>> moved(std::chrono::milliseconds wait) = 0;

    // Looks at everything the store itself can check; what is wrong with it, or nothing.
    virtual base::Result<std::vector<std::string>> check() = 0;
};

// memory: | sqlite:FILE | postgres://…. A file that is not there is made, and so are the tables of
// an empty database. Fails with kStoreOld where migrate_store() has to be called first.
base::Result<std::unique_ptr<Store>> open_store(std::string_view url);
// Brings what an older version made up to date; gives the version of its form.
base::Result<std::int64_t> migrate_store(std::string_view url);

std::unique_ptr<Store> make_memory_store();
struct SqliteOptions {
    // Of the log, before it is written back into the file: 16 MB.
    int log_pages = 4096;
};
base::Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& file,
                                                       const SqliteOptions& options = {});
// The version of the form that open_sqlite_store() leaves behind.
std::int64_t sqlite_version() noexcept;

}  // namespace arbiter::ledger
