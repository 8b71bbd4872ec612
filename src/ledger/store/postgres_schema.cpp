#include "ledger/store/postgres_schema.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>

#include "ledger/store/postgres_pool.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

// One step for each version. Steps are never changed; a new version adds one.
//
// Every key of a campaign's rows begins with the campaign, and no statement that writes needs
// several campaigns, so a distributed database can shard by it (docs/scale.md). For the same reason
// there is no global counter: `seq` counts the rows of one campaign in commit order, and the
// campaign's row holds the last. `mark` identifies a commit (postgres_writer.h).
//
// Ids of campaigns compare as bytes: indexes do not depend on the machine's collations.
constexpr const char* kSteps[] = {
    R"sql(
CREATE TABLE campaigns (
    campaign text COLLATE "C" PRIMARY KEY, name text NOT NULL, created int8 NOT NULL,
    head bytea, undo bytea, seq int8 NOT NULL, mark int8 NOT NULL,
    made timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE TABLE turns (
    campaign text COLLATE "C" NOT NULL, seq int8 NOT NULL, id bytea NOT NULL, parent bytea,
    number int8 NOT NULL, time int8 NOT NULL, mark int8 NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (campaign, id));
CREATE UNIQUE INDEX turns_in_order ON turns (campaign, seq);
CREATE TABLE keyframes (
    campaign text COLLATE "C" NOT NULL, seq int8 NOT NULL, turn bytea NOT NULL,
    bytes bytea NOT NULL, PRIMARY KEY (campaign, turn));
CREATE TABLE blobs (
    campaign text COLLATE "C" NOT NULL, digest bytea NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (campaign, digest));
CREATE TABLE checkpoints (
    campaign text COLLATE "C" NOT NULL, seq int8 NOT NULL, turn bytea NOT NULL,
    label text NOT NULL, time int8 NOT NULL, mark int8 NOT NULL, part int8 NOT NULL,
    PRIMARY KEY (campaign, mark, part));
CREATE INDEX checkpoints_in_order ON checkpoints (campaign, seq);
INSERT INTO migrations (version) VALUES (1);
)sql",
    R"sql(
CREATE TABLE turn_keys (
    campaign text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, turn bytea NOT NULL,
    PRIMARY KEY (campaign, key));
INSERT INTO migrations (version) VALUES (2);
)sql",
    R"sql(
CREATE TABLE named_texts (name text COLLATE "C" PRIMARY KEY, text text NOT NULL);
INSERT INTO migrations (version) VALUES (3);
)sql"};
constexpr auto kSchemaVersion = static_cast<std::int64_t>(std::size(kSteps));

constexpr Statement kThere = {"find the tables",
                              "SELECT (to_regclass('migrations') IS NOT NULL)::int::int8"};
constexpr Statement kVersion = {"read the version",
                                "SELECT coalesce(max(version), 0) FROM migrations"};

// The lock makes concurrent openers wait for the first. Its number is arbitrary but ours.
constexpr const char* kBegin =
    "BEGIN; SELECT pg_advisory_xact_lock(7092011425163811); "
    "CREATE TABLE IF NOT EXISTS migrations (version int8 PRIMARY KEY, "
    "applied timestamptz NOT NULL DEFAULT clock_timestamp())";
// Only if the url names no schema.
constexpr const char* kMakeSchema =
    "BEGIN; SELECT pg_advisory_xact_lock(7092011425163811); "
    "CREATE SCHEMA IF NOT EXISTS arbiter; COMMIT";

std::unexpected<Failure> refused(base::Error error) {
    return std::unexpected(Failure{FailureKind::kRefused, std::move(error)});
}

PgResult<std::int64_t> number_of(Connection& connection, const Statement& statement,
                                 Deadline until) {
    connection.send(statement);
    const auto rows = connection.finish(until);
    if (!rows) {
        return std::unexpected(rows.error());
    }
    if (rows->at(0).size() != 1) {
        return 0;
    }
    auto number = rows->at(0).number(0, 0);
    return number ? PgResult<std::int64_t>(*number) : refused(std::move(number).error());
}

struct Found {
    std::string schema;
    std::optional<std::int64_t> version;  // none: no tables
};
PgResult<Found> look_in(const Target& target, Deadline until) {
    const Statement* const first[] = {&kThere};
    auto connection = Connection::open(target, first, until);
    if (!connection) {
        return std::unexpected(std::move(connection).error());
    }
    if ((*connection)->encoding() != "UTF8") {
        return refused(
            base::Error(ErrorCode::kStoreFailed,
                        {"use the database",
                         "its encoding is " + (*connection)->encoding() + " and not UTF8"}));
    }
    const auto there = number_of(**connection, kThere, until);
    if (!there) {
        return std::unexpected(there.error());
    }
    Found found = {(*connection)->schema(), std::nullopt};
    if (*there == 0) {
        return found;
    }
    const Statement* const second[] = {&kVersion};
    connection = Connection::open(target, second, until);
    if (!connection) {
        return std::unexpected(std::move(connection).error());
    }
    const auto version = number_of(**connection, kVersion, until);
    if (!version) {
        return std::unexpected(version.error());
    }
    found.version = *version;
    return found;
}

PgResult<> run(Connection& connection, const char* sql, Deadline until) {
    return connection.run_script("make the tables", sql, until);
}

// Applies all missing steps in one transaction.
PgResult<> apply_steps(const Target& target, Deadline until) {
    auto connection = Connection::open(target, {}, until);
    if (!connection) {
        return std::unexpected(std::move(connection).error());
    }
    if ((*connection)->schema().empty()) {
        if (target.names_schema) {
            return refused(
                base::Error(ErrorCode::kStoreFailed,
                            {"find its schema", "none of the url's search_path exists"}));
        }
        if (auto made = run(**connection, kMakeSchema, until); !made) {
            return made;
        }
    }
    if (auto begun = run(**connection, kBegin, until); !begun) {
        return begun;
    }
    // Prepared here because the table may not have existed before.
    if (auto asked =
            run(**connection, "PREPARE version AS SELECT coalesce(max(version), 0) FROM migrations",
                until);
        !asked) {
        return asked;
    }
    static constexpr Statement kNow = {"version", ""};
    const auto version = number_of(**connection, kNow, until);
    if (!version) {
        return std::unexpected(version.error());
    }
    for (auto step = static_cast<std::size_t>(*version); step < std::size(kSteps); ++step) {
        if (auto done = run(**connection, kSteps[step], until); !done) {
            return done;
        }
    }
    return run(**connection, "COMMIT", until);
}

// For a server that does not answer at all: longer than a restart takes, and not so long that a
// wrong address looks like a hanging command.
constexpr std::chrono::seconds kUnreachablePatience(5);
constexpr std::chrono::seconds kConnectMax(5);

// Repeats `work`, which may be repeated, until it succeeds or is refused.
template <typename Work>
auto retried(Deadline until, Work work) -> decltype(work(until)) {
    using Clock = std::chrono::steady_clock;
    Backoff backoff;
    Deadline reached_until = Clock::now() + kUnreachablePatience;
    while (true) {
        auto done = work(std::min<Deadline>(until, Clock::now() + kConnectMax));
        if (done || done.error().kind == FailureKind::kRefused) {
            return done;
        }
        if (done.error().kind == FailureKind::kAgain) {
            reached_until = Clock::now() + kUnreachablePatience;  // it answers
        }
        if (!backoff.sleep(std::min(until, reached_until))) {
            return done;
        }
    }
}

Result<Found> find_tables(const Target& target, Deadline until) {
    auto found = retried(until, [&](Deadline now) { return look_in(target, now); });
    return found ? Result<Found>(*std::move(found)) : std::unexpected(found.error().error);
}
// A lost answer does no harm: steps that were applied are not applied again.
Result<> make_tables(const Target& target, Deadline until) {
    auto made = retried(until, [&](Deadline now) { return apply_steps(target, now); });
    return made ? Result<>() : std::unexpected(made.error().error);
}

}  // namespace

Result<std::string> prepare_schema(const Target& target, bool creates, Deadline until) {
    auto found = find_tables(target, until);
    if (found && !found->version) {
        if (!creates) {
            return base::fail(ErrorCode::kStoreMissing, {target.name});
        }
        if (auto made = make_tables(target, until); !made) {
            return std::unexpected(std::move(made).error());
        }
        found = find_tables(target, until);
    }
    if (!found) {
        return std::unexpected(std::move(found).error());
    }
    const std::int64_t version = found->version.value_or(0);
    if (version != kSchemaVersion) {
        return base::fail(
            version > kSchemaVersion ? ErrorCode::kStoreVersion : ErrorCode::kStoreOld,
            {std::to_string(version), std::to_string(kSchemaVersion)});
    }
    return std::move(found->schema);
}

Result<std::int64_t> migrate_schema(const Target& target, Deadline until) {
    const auto found = find_tables(target, until);
    if (!found) {
        return std::unexpected(found.error());
    }
    const std::int64_t version = found->version.value_or(0);
    if (version > kSchemaVersion) {
        return base::fail(ErrorCode::kStoreVersion,
                          {std::to_string(version), std::to_string(kSchemaVersion)});
    }
    if (version < kSchemaVersion) {
        if (auto done = make_tables(target, until); !done) {
            return std::unexpected(std::move(done).error());
        }
    }
    return kSchemaVersion;
}

}  // namespace arbiter::ledger
