// The SQLite store: one file in WAL mode, synced at every commit.
//
// One connection writes, under a lock. Others read; each sees the last commit before it began and
// never waits.
#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "ledger/store.h"
#include "ledger/store/database.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

// One step for each version of the schema. Steps are never changed; a new version adds one.
// `campaigns.place` stands for the campaign in the other tables.
constexpr const char* kSteps[] = {
    R"sql(
CREATE TABLE campaigns (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created INTEGER NOT NULL,
    head BLOB, undo BLOB) STRICT;
CREATE TABLE turns (
    seq INTEGER PRIMARY KEY, campaign INTEGER NOT NULL, id BLOB NOT NULL, parent BLOB,
    number INTEGER NOT NULL, time INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX turns_by_id ON turns (campaign, id);
CREATE TABLE keyframes (
    seq INTEGER PRIMARY KEY, campaign INTEGER NOT NULL, turn BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX keyframes_by_turn ON keyframes (campaign, turn);
CREATE TABLE blobs (digest BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE checkpoints (
    seq INTEGER PRIMARY KEY, campaign INTEGER NOT NULL, turn BLOB NOT NULL, label TEXT NOT NULL,
    time INTEGER NOT NULL) STRICT;
CREATE INDEX checkpoints_by_campaign ON checkpoints (campaign);
PRAGMA user_version = 1;
)sql"};
constexpr auto kSchemaVersion = static_cast<std::int64_t>(std::size(kSteps));

// A turn and its ancestors, newest first. SQLite produces the rows one by one, so a query that ends
// early costs what was read.
constexpr const char* kAncestorHeaders =
    "WITH RECURSIVE line (id, parent, number, time) AS (SELECT id, parent, number, time "
    "FROM turns WHERE campaign = (SELECT place FROM campaigns WHERE id = ?1) AND id = ?2 "
    "UNION ALL SELECT t.id, t.parent, t.number, t.time FROM line JOIN turns t ON "
    "t.campaign = (SELECT place FROM campaigns WHERE id = ?1) AND t.id = line.parent) "
    "SELECT id, parent, number, time FROM line";
constexpr const char* kAncestors =
    "WITH RECURSIVE line (seq, id, parent, number, time) AS (SELECT seq, id, parent, number, time "
    "FROM turns WHERE campaign = (SELECT place FROM campaigns WHERE id = ?1) AND id = ?2 "
    "UNION ALL SELECT t.seq, t.id, t.parent, t.number, t.time FROM line JOIN turns t ON "
    "t.campaign = (SELECT place FROM campaigns WHERE id = ?1) AND t.id = line.parent) "
    "SELECT id, parent, number, time, (SELECT bytes FROM turns t WHERE t.seq = line.seq) FROM line";

std::optional<std::string_view> view_of(const std::optional<TurnId>& id) {
    return id ? std::optional(id->view()) : std::nullopt;
}
std::optional<TurnId> id_at(const Query& query, int column) {
    return query.is_null(column) ? std::nullopt : Digest::from_bytes(query.bytes(column));
}

CampaignRow campaign_of(const Query& query) {
    return {std::string(query.bytes(0)), std::string(query.bytes(1)), query.number_at(2),
            id_at(query, 3), id_at(query, 4)};
}
TurnRow header_of(const Query& query) {
    return {id_at(query, 0).value_or(TurnId()),
            id_at(query, 1),
            query.number_at(2),
            query.number_at(3),
            {}};
}

TurnRow whole_turn_of(const Query& query) {
    TurnRow row = header_of(query);
    row.bytes = query.bytes(4);
    return row;
}

// All rows of a query; `set` binds its parameters, `make` converts a row.
template <typename Row, typename Set, typename Make>
Result<std::vector<Row>> rows(Database& database, const char* sql, Set set, Make make) {
    auto query = database.query(sql);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    set(*query);
    std::vector<Row> all;
    while (true) {
        const auto row = query->next();
        if (!row) {
            return std::unexpected(row.error());
        }
        if (!*row) {
            return all;
        }
        all.push_back(make(*query));
    }
}
template <typename Row, typename Set, typename Make>
Result<std::optional<Row>> first(Database& database, const char* sql, Set set, Make make) {
    auto query = database.query(sql);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    set(*query);
    const auto row = query->next();
    if (!row) {
        return std::unexpected(row.error());
    }
    return *row ? std::optional<Row>(make(*query)) : std::nullopt;
}
// Runs a statement without rows.
template <typename Set>
Result<> change(Database& database, const char* sql, Set set) {
    auto query = database.query(sql);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    set(*query);
    return query->run();
}

Result<std::optional<std::int64_t>> number(Database& database, const char* sql,
                                           std::string_view argument = {}) {
    return first<std::int64_t>(
        database, sql,
        [&](Query& query) {
            if (!argument.empty()) {
                query.text(argument);
            }
        },
        [](const Query& query) { return query.number_at(0); });
}

// Writes commits. The caller holds the lock of the store.
class Writer {
  public:
    Writer(std::unique_ptr<Database> database, const SqliteOptions& options)
        : database_(std::move(database)), options_(options) {}

    // Migrates the tables to this version.
    Result<> prepare() {
        auto version = number(*database_, "PRAGMA user_version");
        if (!version) {
            return std::unexpected(std::move(version).error());
        }
        const std::int64_t present = version->value_or(0);
        if (present < 0 || present > kSchemaVersion) {
            return base::fail(ErrorCode::kStoreVersion,
                              {std::to_string(present), std::to_string(kSchemaVersion)});
        }
        if (present == kSchemaVersion) {
            return {};
        }
        return within([&]() -> Result<> {
            // Another process may have migrated meanwhile.
            auto now = number(*database_, "PRAGMA user_version");
            if (!now) {
                return std::unexpected(std::move(now).error());
            }
            for (auto step = static_cast<std::size_t>(now->value_or(0)); step < std::size(kSteps);
                 ++step) {
                if (auto done = database_->run(kSteps[step]); !done) {
                    return done;
                }
            }
            return {};
        });
    }

    std::vector<Result<>> write(std::span<const Commit> commits) {
        std::vector<Result<>> results(commits.size());
        auto all = within([&]() -> Result<> {
            for (std::size_t i = 0; i < commits.size(); ++i) {
                Result<> done = write(commits[i]);
                if (!done && is_store_error(done.error().code)) {
                    return done;
                }
                results[i] = std::move(done);
            }
            return {};
        });
        if (!all) {
            places_.clear();  // may hold campaigns that were rolled back
            for (Result<>& result : results) {
                if (result) {
                    result = all;
                }
            }
        }
        return results;
    }

    Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) {
        return within([&] {
            return change(*database_,
                          "DELETE FROM keyframes WHERE turn = ?2 AND campaign = "
                          "(SELECT place FROM campaigns WHERE id = ?1)",
                          [&](Query& query) { query.text(campaign).blob(turn.view()); });
        });
    }

  private:
    // Errors of SQLite and the disk fail the whole transaction. Others fail one commit, which has
    // written nothing then.
    static bool is_store_error(ErrorCode code) noexcept {
        return code != ErrorCode::kHeadMoved && code != ErrorCode::kCampaignExists &&
               code != ErrorCode::kCampaignUnknown;
    }

    // Runs `work` in a transaction.
    template <typename Work>
    Result<> within(Work work) {
        if (database_->is_broken()) {
            return base::fail(ErrorCode::kStoreReadOnly, {database_->broken()});
        }
        if (auto begun = database_->run("BEGIN IMMEDIATE"); !begun) {
            return begun;
        }
        Result<> done = work();
        if (done) {
            done = database_->run("COMMIT");
        }
        if (!done) {
            // Fails if the error has rolled back already.
            (void)database_->run("ROLLBACK");
            return done;
        }
        if (database_->log_pages() >= options_.log_pages) {
            // The commit is durable in the log, so an error here is not one of the commit. After a
            // failed sync the database refuses further writes.
            (void)database_->write_back();
        }
        return {};
    }

    Result<std::int64_t> place_of(const std::string& campaign) {
        if (const auto known = places_.find(campaign); known != places_.end()) {
            return known->second;
        }
        auto found = number(*database_, "SELECT place FROM campaigns WHERE id = ?", campaign);
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        if (!*found) {
            return base::fail(ErrorCode::kCampaignUnknown, {campaign});
        }
        places_.emplace(campaign, **found);
        return **found;
    }

    // Everything that can be refused comes first, before anything is written.
    Result<> write(const Commit& commit) {
        if (commit.create) {
            if (commit.head && commit.head->from) {
                return base::fail(ErrorCode::kHeadMoved, {commit.campaign});
            }
            if (auto done = create(*commit.create); !done) {
                return done;
            }
        }
        const auto place = place_of(commit.campaign);
        if (!place) {
            return std::unexpected(place.error());
        }
        if (commit.head) {
            if (auto done = move_head(*place, commit.campaign, *commit.head); !done) {
                return done;
            }
        }
        if (auto done = write_rows(*place, commit); !done) {
            return done;
        }
        return commit.checkpoints.empty() ? Result<>() : write_checkpoints(*place, commit);
    }

    Result<> create(const CampaignRow& campaign) {
        auto present = place_of(campaign.id);
        if (present) {
            return base::fail(ErrorCode::kCampaignExists, {campaign.id});
        }
        if (present.error().code != ErrorCode::kCampaignUnknown) {
            return std::unexpected(std::move(present).error());
        }
        return change(
            *database_,
            "INSERT INTO campaigns (id, name, created, head, undo) VALUES (?, ?, ?, ?, ?)",
            [&](Query& query) {
                query.text(campaign.id).text(campaign.name).number(campaign.created);
                query.blob_or_null(view_of(campaign.head)).blob_or_null(view_of(campaign.undo));
            });
    }

    Result<> move_head(std::int64_t place, const std::string& campaign, const HeadMove& move) {
        auto done = change(*database_,
                           "UPDATE campaigns SET head = ?, undo = ? WHERE place = ? AND head IS ?",
                           [&](Query& query) {
                               query.blob_or_null(view_of(move.to))
                                   .blob_or_null(view_of(move.undo))
                                   .number(place)
                                   .blob_or_null(view_of(move.from));
                           });
        if (done && database_->changed() == 0) {
            return base::fail(ErrorCode::kHeadMoved, {campaign});
        }
        return done;
    }

    Result<> write_rows(std::int64_t place, const Commit& commit) {
        Result<> done;
        for (const TurnRow& turn : commit.turns) {
            done = change(*database_,
                          "INSERT INTO turns (campaign, id, parent, number, time, bytes) "
                          "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                          [&](Query& query) {
                              query.number(place).blob(turn.id.view());
                              query.blob_or_null(view_of(turn.parent));
                              query.number(turn.number).number(turn.time).blob(turn.bytes);
                          });
            if (!done) {
                return done;
            }
        }
        for (const Keyframe& keyframe : commit.keyframes) {
            done = change(*database_,
                          "INSERT INTO keyframes (campaign, turn, bytes) VALUES (?, ?, ?) "
                          "ON CONFLICT DO NOTHING",
                          [&](Query& query) {
                              query.number(place).blob(keyframe.turn.view()).blob(keyframe.bytes);
                          });
            if (!done) {
                return done;
            }
        }
        for (const Blob& blob : commit.blobs) {
            done = change(*database_,
                          "INSERT INTO blobs (digest, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING",
                          [&](Query& query) { query.blob(blob.digest.view()).blob(blob.bytes); });
            if (!done) {
                return done;
            }
        }
        return done;
    }

    Result<> write_checkpoints(std::int64_t place, const Commit& commit) {
        for (const Checkpoint& checkpoint : commit.checkpoints) {
            auto done =
                change(*database_,
                       "INSERT INTO checkpoints (campaign, turn, label, time) VALUES (?, ?, ?, ?)",
                       [&](Query& query) {
                           query.number(place).blob(checkpoint.turn.view());
                           query.text(checkpoint.label).number(checkpoint.time);
                       });
            if (!done) {
                return done;
            }
        }
        if (commit.checkpoints_max == 0) {
            return {};
        }
        return change(
            *database_,
            "DELETE FROM checkpoints WHERE campaign = ?1 AND seq NOT IN (SELECT seq FROM "
            "checkpoints WHERE campaign = ?1 ORDER BY seq DESC LIMIT ?2)",
            [&](Query& query) {
                query.number(place).number(static_cast<std::int64_t>(commit.checkpoints_max));
            });
    }

    std::unique_ptr<Database> database_;
    SqliteOptions options_;
    std::unordered_map<std::string, std::int64_t> places_;
};

class SqliteStore final : public Store {
  public:
    SqliteStore(std::string file, std::unique_ptr<Database> writer, const SqliteOptions& options)
        : file_(std::move(file)), writer_(std::move(writer), options) {}

    Result<> prepare() { return writer_.prepare(); }

    Result<std::vector<CampaignRow>> campaigns() override {
        return read_rows<CampaignRow>(
            "SELECT id, name, created, head, undo FROM campaigns ORDER BY place", [](Query&) {},
            campaign_of);
    }
    Result<CampaignRow> campaign(std::string_view id) override {
        auto found = read_first<CampaignRow>(
            "SELECT id, name, created, head, undo FROM campaigns WHERE id = ?",
            [&](Query& query) { query.text(id); }, campaign_of);
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        if (!*found) {
            return base::fail(ErrorCode::kCampaignUnknown, {std::string(id)});
        }
        return **found;
    }

    std::vector<Result<>> commit_all(std::span<const Commit> commits) override {
        const std::scoped_lock lock(writing_);
        return writer_.write(commits);
    }
    Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) override {
        const std::scoped_lock lock(writing_);
        return writer_.drop_keyframe(campaign, turn);
    }

    Result<std::optional<TurnRow>> turn(std::string_view campaign, const TurnId& id) override {
        return read_first<TurnRow>(
            "SELECT id, parent, number, time, bytes FROM turns WHERE id = ?2 AND campaign = "
            "(SELECT place FROM campaigns WHERE id = ?1)",
            [&](Query& query) { query.text(campaign).blob(id.view()); }, whole_turn_of);
    }
    Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        return read_rows<TurnRow>(
            "SELECT id, parent, number, time FROM turns WHERE campaign = "
            "(SELECT place FROM campaigns WHERE id = ?) ORDER BY seq",
            [&](Query& query) { query.text(campaign); }, header_of);
    }
    Result<> visit_turns(std::string_view campaign, const std::optional<TurnId>& after,
                         const std::function<bool(const TurnRow&)>& each) override {
        // Only the keys are sorted: with their bytes SQLite would sort on disk.
        const auto places = read_rows<std::int64_t>(
            "SELECT seq FROM turns WHERE campaign = (SELECT place FROM campaigns WHERE id = ?1) "
            "AND seq > ifnull((SELECT seq FROM turns WHERE id = ?2 AND campaign = (SELECT place "
            "FROM campaigns WHERE id = ?1)), 0) ORDER BY seq",
            [&](Query& query) {
                query.text(campaign).blob(after ? after->view() : std::string_view());
            },
            [](const Query& query) { return query.number_at(0); });
        const auto lease = places ? reader() : std::unexpected(places.error());
        if (!lease) {
            return std::unexpected(lease.error());
        }
        for (const std::int64_t place : *places) {
            auto query =
                (**lease).query("SELECT id, parent, number, time, bytes FROM turns WHERE seq = ?");
            const auto row = query ? query->number(place).next() : std::unexpected(query.error());
            if (!row) {
                return std::unexpected(row.error());
            }
            if (!*row || !each(whole_turn_of(*query))) {
                return {};
            }
        }
        return {};
    }
    Result<> visit_ancestors(std::string_view campaign, const TurnId& from, Content content,
                             const std::function<bool(const TurnRow&)>& each) override {
        const auto lease = reader();
        if (!lease) {
            return std::unexpected(lease.error());
        }
        auto query = (**lease).query(content == Content::kHeader ? kAncestorHeaders : kAncestors);
        if (!query) {
            return std::unexpected(std::move(query).error());
        }
        query->text(campaign).blob(from.view());
        while (true) {
            const auto row = query->next();
            if (!row) {
                return std::unexpected(row.error());
            }
            const bool whole = content == Content::kWhole;
            if (!*row || !each(whole ? whole_turn_of(*query) : header_of(*query))) {
                return {};
            }
        }
    }
    Result<std::vector<TurnId>> turn_ids_between(std::string_view campaign, const TurnId& first,
                                                 const TurnId& last, std::size_t limit) override {
        return read_rows<TurnId>(
            "SELECT id FROM turns WHERE campaign = (SELECT place FROM campaigns WHERE id = ?1) "
            "AND id BETWEEN ?2 AND ?3 ORDER BY id LIMIT ?4",
            [&](Query& query) {
                query.text(campaign).blob(first.view()).blob(last.view());
                query.number(static_cast<std::int64_t>(limit));
            },
            [](const Query& query) { return id_at(query, 0).value_or(TurnId()); });
    }
    Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                const TurnId& turn) override {
        return read_first<std::string>(
            "SELECT bytes FROM keyframes WHERE turn = ?2 AND campaign = "
            "(SELECT place FROM campaigns WHERE id = ?1)",
            [&](Query& query) { query.text(campaign).blob(turn.view()); },
            [](const Query& query) { return std::string(query.bytes(0)); });
    }
    Result<std::vector<TurnId>> keyframes(std::string_view campaign) override {
        return read_rows<TurnId>(
            "SELECT turn FROM keyframes WHERE campaign = "
            "(SELECT place FROM campaigns WHERE id = ?) ORDER BY seq",
            [&](Query& query) { query.text(campaign); },
            [](const Query& query) { return id_at(query, 0).value_or(TurnId()); });
    }
    Result<std::optional<std::string>> blob(std::string_view, const Digest& digest) override {
        return read_first<std::string>(
            "SELECT bytes FROM blobs WHERE digest = ?",
            [&](Query& query) { query.blob(digest.view()); },
            [](const Query& query) { return std::string(query.bytes(0)); });
    }
    Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) override {
        return read_rows<Checkpoint>(
            "SELECT turn, label, time FROM checkpoints WHERE campaign = "
            "(SELECT place FROM campaigns WHERE id = ?) ORDER BY seq",
            [&](Query& query) { query.text(campaign); },
            [](const Query& query) {
                return Checkpoint{id_at(query, 0).value_or(TurnId()), std::string(query.bytes(1)),
                                  query.number_at(2)};
            });
    }
    Result<std::vector<std::string>> check() override {
        auto found = read_rows<std::string>(
            "PRAGMA integrity_check", [](Query&) {},
            [](const Query& query) { return std::string(query.bytes(0)); });
        if (found && found->size() == 1 && (*found)[0] == "ok") {
            found->clear();
        }
        return found;
    }

    // SQLite has no notifications: the heads are polled.
    Result<std::vector<std::string>> moved(std::chrono::milliseconds wait) override {
        constexpr std::chrono::milliseconds kPollInterval(20);
        const std::scoped_lock lock(watching_);
        const auto until = std::chrono::steady_clock::now() + wait;
        while (true) {
            auto all = campaigns();
            if (!all) {
                return std::unexpected(std::move(all).error());
            }
            std::vector<std::string> moved;
            for (CampaignRow& row : *all) {
                auto [seen, fresh] = seen_.try_emplace(row.id, row.head);
                if (watched_ && (fresh || seen->second != row.head)) {
                    moved.push_back(row.id);
                }
                seen->second = std::move(row.head);
            }
            watched_ = true;
            const auto now = std::chrono::steady_clock::now();
            if (!moved.empty() || now >= until) {
                return moved;
            }
            std::this_thread::sleep_for(
                std::min<std::chrono::nanoseconds>(kPollInterval, until - now));
        }
    }

  private:
    // A connection for reading, returned to the pool by the destructor. The pool grows to the
    // number of concurrent readers.
    class Lease {
      public:
        Lease(SqliteStore& store, std::unique_ptr<Database> database)
            : store_(store), database_(std::move(database)) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Lease(Lease&& from) noexcept = default;
        ~Lease() {
            if (database_) {
                const std::scoped_lock lock(store_.lending_);
                store_.idle_.push_back(std::move(database_));
            }
        }
        Database& operator*() const noexcept { return *database_; }

      private:
        SqliteStore& store_;
        std::unique_ptr<Database> database_;
    };
    Result<Lease> reader() {
        {
            const std::scoped_lock lock(lending_);
            if (!idle_.empty()) {
                Lease lease(*this, std::move(idle_.back()));
                idle_.pop_back();
                return lease;
            }
        }
        auto database = Database::open(file_, Database::Use::kRead);
        if (!database) {
            return std::unexpected(std::move(database).error());
        }
        return Lease(*this, *std::move(database));
    }

    template <typename Row, typename Set, typename Make>
    Result<std::vector<Row>> read_rows(const char* sql, Set set, Make make) {
        const auto lease = reader();
        return lease ? rows<Row>(**lease, sql, set, make) : std::unexpected(lease.error());
    }
    template <typename Row, typename Set, typename Make>
    Result<std::optional<Row>> read_first(const char* sql, Set set, Make make) {
        const auto lease = reader();
        return lease ? first<Row>(**lease, sql, set, make) : std::unexpected(lease.error());
    }

    std::string file_;
    std::mutex writing_;
    Writer writer_;
    std::mutex lending_;
    std::vector<std::unique_ptr<Database>> idle_;
    std::mutex watching_;
    bool watched_ = false;
    std::map<std::string, std::optional<TurnId>> seen_;
};

}  // namespace

std::int64_t sqlite_version() noexcept {
    return kSchemaVersion;
}

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& file,
                                                 const SqliteOptions& options) {
    auto database = Database::open(file, Database::Use::kWrite);
    if (!database) {
        return std::unexpected(std::move(database).error());
    }
    auto store = std::make_unique<SqliteStore>(file, *std::move(database), options);
    if (auto prepared = store->prepare(); !prepared) {
        return std::unexpected(std::move(prepared).error());
    }
    return store;
}

}  // namespace arbiter::ledger
