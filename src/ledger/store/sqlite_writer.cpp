#include "ledger/store/sqlite_writer.h"

#include <iterator>
#include <optional>
#include <utility>

#include "ledger/store/sqlite_query.h"
#include "ledger/store/sqlite_rows.h"
#include "ledger/store/store_file.h"

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
)sql",
    R"sql(
CREATE TABLE turn_keys (
    campaign INTEGER NOT NULL, key TEXT NOT NULL, turn BLOB NOT NULL,
    PRIMARY KEY (campaign, key)) STRICT, WITHOUT ROWID;
PRAGMA user_version = 2;
)sql",
    R"sql(
CREATE TABLE named_texts (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA user_version = 3;
)sql"};
constexpr auto kSchemaVersion = static_cast<std::int64_t>(std::size(kSteps));

std::optional<std::string_view> view_of(const std::optional<TurnId>& id) {
    return id ? std::optional(id->view()) : std::nullopt;
}
Result<std::optional<std::int64_t>> number(Database& database, const char* sql) {
    return first<std::int64_t>(
        database, sql, [](Query&) {}, [](const Query& query) { return query.number_at(0); });
}
static_assert(kApplicationId == 1095909972);
constexpr const char* kMark = "PRAGMA application_id = 1095909972";

// Errors of SQLite and the disk fail the whole transaction. Others fail one commit, which has
// written nothing then.
bool is_store_error(ErrorCode code) noexcept {
    return code != ErrorCode::kHeadMoved && code != ErrorCode::kCampaignExists &&
           code != ErrorCode::kCampaignUnknown;
}

}  // namespace

std::int64_t SqliteWriter::schema_version() noexcept {
    return kSchemaVersion;
}
const char* SqliteWriter::first_tables() noexcept {
    return kSteps[0];
}

template <typename Work>
Result<> SqliteWriter::within(Work work) {
    if (database_->is_broken()) {
        return base::fail(ErrorCode::kStoreReadOnly, {database_->broken()});
    }
    if (auto begun = database_->run("BEGIN IMMEDIATE"); !begun) {
        return begun;
    }
    Result<> done = mark();
    if (done) {
        done = follow_others();
    }
    if (done) {
        done = work();
    }
    if (done) {
        database_->reserve_log();
        const std::uint32_t commits = database_->commits();
        done = database_->run("COMMIT");
        pass_over_own(database_->commits() - commits);
    }
    if (!done) {
        // Fails if the error has rolled back already.
        (void)database_->run("ROLLBACK");
        return done;
    }
    is_unmarked_ = false;
    if (database_->log_pages() >= options_.log_pages) {
        // The commit is durable in the log, so an error here is not one of the commit. After a
        // failed sync the database refuses further writes.
        (void)database_->write_back();
    }
    return {};
}

Result<> SqliteWriter::mark() {
    return is_unmarked_ ? database_->run(kMark) : Result<>();
}

Result<std::int64_t> SqliteWriter::version_of_others() {
    const auto version = number(*database_, "PRAGMA data_version");
    return version ? Result<std::int64_t>(version->value_or(0)) : std::unexpected(version.error());
}

Result<> SqliteWriter::follow_others() {
    // Asking SQLite takes and gives back a lock of the file.
    const auto log = database_->log_state();
    if (log && log == seen_log_) {
        return {};
    }
    const auto version = version_of_others();
    if (!version) {
        return std::unexpected(version.error());
    }
    known_.follow(*version);
    if (std::exchange(seen_version_, *version) != *version) {
        places_.clear();
    }
    seen_log_ = log == database_->log_state() ? log : std::nullopt;
    return {};
}

void SqliteWriter::pass_over_own(std::uint32_t commits) {
    const auto log = database_->log_state();
    const bool is_ours = log && seen_log_ && log->commits == seen_log_->commits + commits &&
                         log->salt == seen_log_->salt;
    seen_log_ = is_ours ? log : std::nullopt;
}

std::optional<KnownCampaign> SqliteWriter::known(std::string_view campaign) {
    return follow_others() ? known_.find(campaign) : std::nullopt;
}

Result<CampaignRow> SqliteWriter::campaign(std::string_view campaign) {
    // A commit of others behind this is in the row, and empties the rows at the next call.
    if (auto followed = follow_others(); !followed) {
        return std::unexpected(std::move(followed).error());
    }
    if (auto known = known_.find(campaign)) {
        return std::move(known->row);
    }
    auto row = find_campaign(*database_, campaign);
    if (row) {
        known_.add(*row);
    }
    return row;
}

Result<std::int64_t> SqliteWriter::version_of(Database& database) {
    const auto version = number(database, "PRAGMA user_version");
    if (!version) {
        return std::unexpected(version.error());
    }
    const std::int64_t present = version->value_or(0);
    if (present < 0 || present > kSchemaVersion) {
        return base::fail(ErrorCode::kStoreVersion,
                          {std::to_string(present), std::to_string(kSchemaVersion)});
    }
    return present;
}

Result<> SqliteWriter::prepare(bool is_unmarked) {
    is_unmarked_ = is_unmarked;
    const auto present = version_of(*database_);
    if (!present) {
        return std::unexpected(present.error());
    }
    if (*present == kSchemaVersion) {
        return {};
    }
    return within([&]() -> Result<> {
        // Another process may have migrated meanwhile.
        const auto now = version_of(*database_);
        if (!now) {
            return std::unexpected(now.error());
        }
        for (auto step = static_cast<std::size_t>(*now); step < std::size(kSteps); ++step) {
            if (auto done = database_->run(kSteps[step]); !done) {
                return done;
            }
        }
        return {};
    });
}

std::vector<Result<>> SqliteWriter::write(std::span<const Commit> commits) {
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
        known_.clear();
        for (Result<>& result : results) {
            if (result) {
                result = all;
            }
        }
    }
    for (std::size_t i = 0; i < commits.size(); ++i) {
        if (results[i]) {
            known_.take(commits[i]);
        }
    }
    return results;
}

Result<> SqliteWriter::drop_keyframe(std::string_view campaign, const TurnId& turn) {
    return within([&] {
        return change(*database_,
                      "DELETE FROM keyframes WHERE turn = ?2 AND campaign = "
                      "(SELECT place FROM campaigns WHERE id = ?1)",
                      [&](Query& query) { query.text(campaign).blob(turn.view()); });
    });
}

Result<> SqliteWriter::rename_campaign(const std::string& campaign, std::string_view name) {
    known_.forget(campaign);
    return within([&]() -> Result<> {
        auto done = change(*database_, "UPDATE campaigns SET name = ? WHERE id = ?",
                           [&](Query& query) { query.text(name).text(campaign); });
        if (done && database_->changed() == 0) {
            return base::fail(ErrorCode::kCampaignUnknown, {campaign});
        }
        return done;
    });
}

Result<> SqliteWriter::delete_campaign(const std::string& campaign) {
    known_.forget(campaign);
    return within([&]() -> Result<> {
        const auto place = place_of(campaign);
        if (!place) {
            return std::unexpected(place.error());
        }
        places_.erase(campaign);
        for (const char* sql :
             {"DELETE FROM campaigns WHERE place = ?", "DELETE FROM turns WHERE campaign = ?",
              "DELETE FROM keyframes WHERE campaign = ?",
              "DELETE FROM turn_keys WHERE campaign = ?",
              "DELETE FROM checkpoints WHERE campaign = ?"}) {
            if (auto done = change(*database_, sql, [&](Query& query) { query.number(*place); });
                !done) {
                return done;
            }
        }
        return {};
    });
}

Result<bool> SqliteWriter::put_named_text(const NamedText& text,
                                          std::optional<std::string_view> replaces) {
    bool is_stored = false;
    auto done = within([&]() -> Result<> {
        auto written =
            replaces
                ? change(
                      *database_, "UPDATE named_texts SET text = ?2 WHERE name = ?1 AND text = ?3",
                      [&](Query& query) { query.text(text.name).text(text.text).text(*replaces); })
                : change(*database_,
                         "INSERT INTO named_texts (name, text) VALUES (?, ?) "
                         "ON CONFLICT DO NOTHING",
                         [&](Query& query) { query.text(text.name).text(text.text); });
        if (!written) {
            return written;
        }
        const auto present = first<bool>(
            *database_, "SELECT text = ?2 FROM named_texts WHERE name = ?1",
            [&](Query& query) { query.text(text.name).text(text.text); },
            [](const Query& query) { return query.number_at(0) != 0; });
        is_stored = present && present->value_or(false);
        return present ? Result<>() : std::unexpected(present.error());
    });
    return done ? Result<bool>(is_stored) : std::unexpected(std::move(done).error());
}

Result<std::int64_t> SqliteWriter::place_of(const std::string& campaign) {
    if (const auto known = places_.find(campaign); known != places_.end()) {
        return known->second;
    }
    const auto found = first<std::int64_t>(
        *database_, "SELECT place FROM campaigns WHERE id = ?",
        [&](Query& query) { query.text(campaign); },
        [](const Query& query) { return query.number_at(0); });
    if (!found) {
        return std::unexpected(found.error());
    }
    if (!*found) {
        return base::fail(ErrorCode::kCampaignUnknown, {campaign});
    }
    places_.emplace(campaign, **found);
    return **found;
}

// Everything that can be refused comes first, before anything is written.
Result<> SqliteWriter::write(const Commit& commit) {
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
    if (commit.head && !commit.create) {
        if (auto done = check_keys(*place, commit); !done) {
            return done;
        }
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

Result<> SqliteWriter::create(const CampaignRow& campaign) {
    auto present = place_of(campaign.id);
    if (present) {
        return base::fail(ErrorCode::kCampaignExists, {campaign.id});
    }
    if (present.error().code != ErrorCode::kCampaignUnknown) {
        return std::unexpected(std::move(present).error());
    }
    return change(
        *database_, "INSERT INTO campaigns (id, name, created, head, undo) VALUES (?, ?, ?, ?, ?)",
        [&](Query& query) {
            query.text(campaign.id).text(campaign.name).number(campaign.created);
            query.blob_or_null(view_of(campaign.head)).blob_or_null(view_of(campaign.undo));
        });
}

Result<> SqliteWriter::move_head(std::int64_t place, const std::string& campaign,
                                 const HeadMove& move) {
    auto done =
        change(*database_, "UPDATE campaigns SET head = ?, undo = ? WHERE place = ? AND head IS ?",
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

Result<> SqliteWriter::check_keys(std::int64_t place, const Commit& commit) {
    for (const TurnKey& each : commit.keys) {
        const auto taken = first<std::int64_t>(
            *database_, "SELECT 1 FROM turn_keys WHERE campaign = ? AND key = ?",
            [&](Query& query) { query.number(place).text(each.key); },
            [](const Query& query) { return query.number_at(0); });
        if (!taken) {
            return std::unexpected(taken.error());
        }
        if (*taken) {
            return base::fail(ErrorCode::kHeadMoved, {commit.campaign});
        }
    }
    return {};
}

Result<> SqliteWriter::write_rows(std::int64_t place, const Commit& commit) {
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
    for (const TurnKey& each : commit.keys) {
        done = change(
            *database_,
            "INSERT INTO turn_keys (campaign, key, turn) VALUES (?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            [&](Query& query) { query.number(place).text(each.key).blob(each.turn.view()); });
        if (!done) {
            return done;
        }
    }
    return done;
}

Result<> SqliteWriter::write_checkpoints(std::int64_t place, const Commit& commit) {
    for (const Checkpoint& checkpoint : commit.checkpoints) {
        auto done = change(
            *database_, "INSERT INTO checkpoints (campaign, turn, label, time) VALUES (?, ?, ?, ?)",
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
    return change(*database_,
                  "DELETE FROM checkpoints WHERE campaign = ?1 AND seq NOT IN (SELECT seq FROM "
                  "checkpoints WHERE campaign = ?1 ORDER BY seq DESC LIMIT ?2)",
                  [&](Query& query) {
                      query.number(place).number(static_cast<std::int64_t>(commit.checkpoints_max));
                  });
}

}  // namespace arbiter::ledger
