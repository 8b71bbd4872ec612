// One file, durable before it is acknowledged: WAL with a sync at every commit, rows in the order
// in which they came. Nothing is repaired on opening: SQLite's own log is.
#include "ledger/store.h"
#include "ledger/store/database.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::int64_t kSchemaVersion = 1;
constexpr const char* kSchema = R"sql(
CREATE TABLE IF NOT EXISTS campaigns (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created INTEGER NOT NULL,
    head BLOB, undo BLOB) STRICT;
CREATE TABLE IF NOT EXISTS turns (
    seq INTEGER PRIMARY KEY, campaign TEXT NOT NULL, id BLOB NOT NULL, parent BLOB,
    number INTEGER NOT NULL, time INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS turns_by_id ON turns (campaign, id);
CREATE TABLE IF NOT EXISTS keyframes (
    seq INTEGER PRIMARY KEY, campaign TEXT NOT NULL, turn BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS keyframes_by_turn ON keyframes (campaign, turn);
CREATE TABLE IF NOT EXISTS blobs (digest BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS checkpoints (
    seq INTEGER PRIMARY KEY, campaign TEXT NOT NULL, turn BLOB NOT NULL, label TEXT NOT NULL,
    time INTEGER NOT NULL) STRICT;
PRAGMA user_version = 1;
)sql";

std::optional<std::string> bytes_of(const std::optional<TurnId>& id) {
    return id ? std::optional(std::string(id->view())) : std::nullopt;
}
std::optional<TurnId> id_at(const Query& query, int column) {
    return query.is_null(column) ? std::nullopt : Digest::from_bytes(query.bytes(column));
}

class SqliteStore final : public Store {
  public:
    explicit SqliteStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

    Result<> prepare() {
        auto version = number("PRAGMA user_version");
        if (!version) {
            return std::unexpected(std::move(version).error());
        }
        if (*version > kSchemaVersion) {
            return base::fail(ErrorCode::kStoreVersion,
                              {std::to_string(*version), std::to_string(kSchemaVersion)});
        }
        return *version == kSchemaVersion ? Result<>()
                                          : within([&] { return database_->run(kSchema); });
    }

    Result<std::vector<CampaignRow>> campaigns() override {
        return rows<CampaignRow>(
            "SELECT id, name, created, head, undo FROM campaigns ORDER BY place", [](Query&) {},
            campaign_of);
    }
    Result<CampaignRow> campaign(std::string_view id) override {
        auto found = find_campaign(id);
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        if (!*found) {
            return base::fail(ErrorCode::kCampaignUnknown, {std::string(id)});
        }
        return **found;
    }

    Result<> commit(const Commit& commit) override {
        return within([&]() -> Result<> {
            if (commit.create) {
                if (auto done = create(*commit.create); !done) {
                    return done;
                }
            }
            if (auto done = write_rows(commit); !done) {
                return done;
            }
            if (commit.head) {
                if (auto done = move_head(commit.campaign, *commit.head); !done) {
                    return done;
                }
            }
            return commit.checkpoints.empty() ? Result<>() : write_checkpoints(commit);
        });
    }

    Result<std::optional<TurnRow>> turn(std::string_view campaign, const TurnId& id) override {
        return first<TurnRow>(
            "SELECT id, parent, number, time, bytes FROM turns WHERE campaign = ? AND id = ?",
            [&](Query& query) { query.text(campaign).blob(id.view()); },
            [](const Query& query) {
                TurnRow row = header_of(query);
                row.bytes = query.bytes(4);
                return row;
            });
    }
    Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        return rows<TurnRow>(
            "SELECT id, parent, number, time FROM turns WHERE campaign = ? ORDER BY seq",
            [&](Query& query) { query.text(campaign); }, header_of);
    }
    Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                const TurnId& turn) override {
        return first<std::string>(
            "SELECT bytes FROM keyframes WHERE campaign = ? AND turn = ?",
            [&](Query& query) { query.text(campaign).blob(turn.view()); },
            [](const Query& query) { return std::string(query.bytes(0)); });
    }
    Result<std::vector<TurnId>> keyframes(std::string_view campaign) override {
        return rows<TurnId>(
            "SELECT turn FROM keyframes WHERE campaign = ? ORDER BY seq",
            [&](Query& query) { query.text(campaign); },
            [](const Query& query) { return id_at(query, 0).value_or(TurnId()); });
    }
    Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) override {
        return within([&]() -> Result<> {
            auto query = database_->query("DELETE FROM keyframes WHERE campaign = ? AND turn = ?");
            return query ? (*query)->text(campaign).blob(turn.view()).run()
                         : std::unexpected(std::move(query).error());
        });
    }
    Result<std::optional<std::string>> blob(const Digest& digest) override {
        return first<std::string>(
            "SELECT bytes FROM blobs WHERE digest = ?",
            [&](Query& query) { query.blob(digest.view()); },
            [](const Query& query) { return std::string(query.bytes(0)); });
    }
    Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) override {
        return rows<Checkpoint>(
            "SELECT turn, label, time FROM checkpoints WHERE campaign = ? ORDER BY seq",
            [&](Query& query) { query.text(campaign); },
            [](const Query& query) {
                return Checkpoint{id_at(query, 0).value_or(TurnId()), std::string(query.bytes(1)),
                                  query.number_at(2)};
            });
    }
    Result<std::vector<std::string>> check() override {
        auto found = rows<std::string>(
            "PRAGMA integrity_check", [](Query&) {},
            [](const Query& query) { return std::string(query.bytes(0)); });
        if (found && found->size() == 1 && (*found)[0] == "ok") {
            found->clear();
        }
        return found;
    }

  private:
    static CampaignRow campaign_of(const Query& query) {
        return {std::string(query.bytes(0)), std::string(query.bytes(1)), query.number_at(2),
                id_at(query, 3), id_at(query, 4)};
    }
    static TurnRow header_of(const Query& query) {
        return {id_at(query, 0).value_or(TurnId()),
                id_at(query, 1),
                query.number_at(2),
                query.number_at(3),
                {}};
    }

    template <typename Row, typename Bind, typename Make>
    Result<std::vector<Row>> rows(const char* sql, Bind bind, Make make) {
        auto query = database_->query(sql);
        if (!query) {
            return std::unexpected(std::move(query).error());
        }
        bind(**query);
        std::vector<Row> all;
        while (true) {
            const auto row = (*query)->next();
            if (!row) {
                return std::unexpected(row.error());
            }
            if (!*row) {
                return all;
            }
            all.push_back(make(**query));
        }
    }
    template <typename Row, typename Bind, typename Make>
    Result<std::optional<Row>> first(const char* sql, Bind bind, Make make) {
        auto query = database_->query(sql);
        if (!query) {
            return std::unexpected(std::move(query).error());
        }
        bind(**query);
        const auto row = (*query)->next();
        if (!row) {
            return std::unexpected(row.error());
        }
        return *row ? std::optional<Row>(make(**query)) : std::nullopt;
    }
    Result<std::int64_t> number(const char* sql) {
        auto found = first<std::int64_t>(
            sql, [](Query&) {}, [](const Query& query) { return query.number_at(0); });
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        return found->value_or(0);
    }
    Result<std::optional<CampaignRow>> find_campaign(std::string_view id) {
        return first<CampaignRow>(
            "SELECT id, name, created, head, undo FROM campaigns WHERE id = ?",
            [&](Query& query) { query.text(id); }, campaign_of);
    }

    // A transaction: all that `work` does, or nothing.
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
            // May say that there is nothing to roll back: some errors have done it.
            (void)database_->run("ROLLBACK");
        }
        return done;
    }

    Result<> create(const CampaignRow& campaign) {
        auto present = find_campaign(campaign.id);
        if (!present) {
            return std::unexpected(std::move(present).error());
        }
        if (*present) {
            return base::fail(ErrorCode::kCampaignExists, {campaign.id});
        }
        auto query = database_->query(
            "INSERT INTO campaigns (id, name, created, head, undo) VALUES (?, ?, ?, ?, ?)");
        return query ? (*query)
                           ->text(campaign.id)
                           .text(campaign.name)
                           .number(campaign.created)
                           .blob_or_null(bytes_of(campaign.head))
                           .blob_or_null(bytes_of(campaign.undo))
                           .run()
                     : std::unexpected(std::move(query).error());
    }

    Result<> write_rows(const Commit& commit) {
        for (const TurnRow& turn : commit.turns) {
            auto query = database_->query(
                "INSERT INTO turns (campaign, id, parent, number, time, bytes) "
                "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
            auto done = query ? (*query)
                                    ->text(commit.campaign)
                                    .blob(turn.id.view())
                                    .blob_or_null(bytes_of(turn.parent))
                                    .number(turn.number)
                                    .number(turn.time)
                                    .blob(turn.bytes)
                                    .run()
                              : std::unexpected(std::move(query).error());
            if (!done) {
                return done;
            }
        }
        for (const Keyframe& keyframe : commit.keyframes) {
            auto query = database_->query(
                "INSERT INTO keyframes (campaign, turn, bytes) VALUES (?, ?, ?) "
                "ON CONFLICT DO NOTHING");
            auto done = query ? (*query)
                                    ->text(commit.campaign)
                                    .blob(keyframe.turn.view())
                                    .blob(keyframe.bytes)
                                    .run()
                              : std::unexpected(std::move(query).error());
            if (!done) {
                return done;
            }
        }
        for (const Blob& blob : commit.blobs) {
            auto query = database_->query(
                "INSERT INTO blobs (digest, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING");
            auto done = query ? (*query)->blob(blob.digest.view()).blob(blob.bytes).run()
                              : std::unexpected(std::move(query).error());
            if (!done) {
                return done;
            }
        }
        return {};
    }

    Result<> move_head(const std::string& campaign, const HeadMove& move) {
        auto present = find_campaign(campaign);
        if (!present) {
            return std::unexpected(std::move(present).error());
        }
        if (!*present) {
            return base::fail(ErrorCode::kCampaignUnknown, {campaign});
        }
        if ((*present)->head != move.from) {
            return base::fail(ErrorCode::kHeadMoved, {campaign});
        }
        auto query = database_->query("UPDATE campaigns SET head = ?, undo = ? WHERE id = ?");
        return query ? (*query)
                           ->blob_or_null(bytes_of(move.to))
                           .blob_or_null(bytes_of(move.undo))
                           .text(campaign)
                           .run()
                     : std::unexpected(std::move(query).error());
    }

    Result<> write_checkpoints(const Commit& commit) {
        for (const Checkpoint& checkpoint : commit.checkpoints) {
            auto query = database_->query(
                "INSERT INTO checkpoints (campaign, turn, label, time) VALUES (?, ?, ?, ?)");
            auto done = query ? (*query)
                                    ->text(commit.campaign)
                                    .blob(checkpoint.turn.view())
                                    .text(checkpoint.label)
                                    .number(checkpoint.time)
                                    .run()
                              : std::unexpected(std::move(query).error());
            if (!done) {
                return done;
            }
        }
        if (commit.checkpoints_max == 0) {
            return {};
        }
        auto thin = database_->query(
            "DELETE FROM checkpoints WHERE campaign = ?1 AND seq NOT IN (SELECT seq FROM "
            "checkpoints WHERE campaign = ?1 ORDER BY seq DESC LIMIT ?2)");
        return thin ? (*thin)
                          ->text(commit.campaign)
                          .number(static_cast<std::int64_t>(commit.checkpoints_max))
                          .run()
                    : std::unexpected(std::move(thin).error());
    }

    std::unique_ptr<Database> database_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& file) {
    auto database = Database::open(file);
    if (!database) {
        return std::unexpected(std::move(database).error());
    }
    auto store = std::make_unique<SqliteStore>(std::move(*database));
    if (auto prepared = store->prepare(); !prepared) {
        return std::unexpected(std::move(prepared).error());
    }
    return store;
}

}  // namespace arbiter::ledger
