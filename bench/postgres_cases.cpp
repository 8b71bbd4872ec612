// Campaigns that are kept in PostgreSQL, by a server that is started for it.
#include <libpq-fe.h>

#include <bit>

#include "base/check.h"
#include "bench/busy.h"
#include "bench/cases.h"
#include "tests/ledger/postgres_server.h"
#include "tests/support/random.h"

namespace arbiter::bench {
namespace {

using ledger::Commit;
using ledger::PostgresServer;

constexpr std::size_t kBusy = 64;
constexpr std::size_t kRounds = 24;
// Of a turn: what a packed record of a usual one has.
constexpr std::size_t kTurnBytes = 600;

PostgresServer& server() {
    static PostgresServer started;
    return started;
}

// Turns of 64 campaigns, made before the clock runs: the beginning and kRounds of each, one
// following the other.
std::vector<std::vector<Commit>> turns_of_many() {
    static tests::Random random(101);
    static int times = 0;
    ++times;
    std::vector<std::vector<Commit>> turns(kBusy);
    for (std::size_t i = 0; i < kBusy; ++i) {
        const std::string campaign = "busy-" + std::to_string(times) + "-" + std::to_string(i);
        std::optional<ledger::TurnId> parent;
        for (std::size_t round = 0; round <= kRounds; ++round) {
            std::string bytes(kTurnBytes, '\0');
            for (char& each : bytes) {
                each = static_cast<char>(random.next());
            }
            ledger::TurnRow row = {ledger::sha256(bytes), parent, static_cast<std::int64_t>(round),
                                   static_cast<std::int64_t>(round), std::move(bytes)};
            Commit commit;
            commit.campaign = campaign;
            if (!parent) {
                commit.create =
                    ledger::CampaignRow{campaign, campaign, 1, std::nullopt, std::nullopt};
            }
            commit.head = ledger::HeadMove{parent, row.id, std::nullopt};
            parent = row.id;
            commit.turns.push_back(std::move(row));
            turns[i].push_back(std::move(commit));
        }
    }
    return turns;
}

// 64 campaigns, each of which hands in its next turn when the one before is acknowledged. A sample
// is one turn.
Answer measure_busy(const Request& request) {
    static const std::string url = server().fresh_url();
    const auto store = ledger::open_store(url).value();
    Samples samples;
    samples.batch = kBusy * kRounds;
    for (double spent = 0; spent < request.target_ms * 1e6 || samples.ns.size() < kSamplesMin;) {
        auto turns = turns_of_many();
        for (const auto& each : turns) {
            CHECK(store->commit(each[0]).has_value());
        }
        const double took = time_of_all(*store, std::move(turns), 1);
        samples.ns.push_back(took / static_cast<double>(samples.batch));
        spent += took;
    }
    return {std::move(samples), {}};
}

// Sends one batch through the raw pipeline and reads its results.
void insert_batch(PGconn* connection, const std::vector<std::vector<Commit>>& turns,
                  std::size_t round) {
    CHECK(PQsendQueryPrepared(connection, "begin", 0, nullptr, nullptr, nullptr, 1) == 1);
    for (const auto& each : turns) {
        const ledger::TurnRow& row = each[round].turns[0];
        const auto number = std::byteswap(static_cast<std::uint64_t>(row.number));
        const char* const whole = reinterpret_cast<const char*>(&number);
        const std::string_view id = row.id.view();
        const std::string_view parent = row.parent->view();
        const char* const values[] = {each[round].campaign.data(),
                                      whole,
                                      id.data(),
                                      parent.data(),
                                      whole,
                                      whole,
                                      whole,
                                      row.bytes.data()};
        const int lengths[] = {static_cast<int>(each[round].campaign.size()),
                               8,
                               32,
                               32,
                               8,
                               8,
                               8,
                               static_cast<int>(row.bytes.size())};
        const int formats[] = {1, 1, 1, 1, 1, 1, 1, 1};
        CHECK(PQsendQueryPrepared(connection, "insert", 8, values, lengths, formats, 1) == 1);
    }
    CHECK(PQsendQueryPrepared(connection, "commit", 0, nullptr, nullptr, nullptr, 1) == 1);
    CHECK(PQpipelineSync(connection) == 1);
    for (std::size_t i = 0; i < turns.size() + 2; ++i) {
        PGresult* result = PQgetResult(connection);
        CHECK(PQresultStatus(result) == PGRES_COMMAND_OK);
        PQclear(result);
        CHECK(PQgetResult(connection) == nullptr);
    }
    PGresult* end = PQgetResult(connection);
    CHECK(PQresultStatus(end) == PGRES_PIPELINE_SYNC);
    PQclear(end);
}

// The limit of it: the same rows put into such a table by a pipeline of one prepared statement, 64
// a transaction.
Answer measure_raw_pipeline(const Request& request) {
    static const std::string url = server().fresh_url();
    CHECK(ledger::open_store(url).has_value());
    PGconn* connection = PQconnectdb(url.c_str());
    const std::pair<const char*, const char*> statements[] = {
        {"begin", "BEGIN"},
        {"insert",
         "INSERT INTO turns (campaign, seq, id, parent, number, time, mark, bytes) "
         "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"},
        {"commit", "COMMIT"}};
    for (const auto& [name, sql] : statements) {
        PGresult* result = PQprepare(connection, name, sql, 0, nullptr);
        CHECK(PQresultStatus(result) == PGRES_COMMAND_OK);
        PQclear(result);
    }
    CHECK(PQenterPipelineMode(connection) == 1);
    Samples samples;
    samples.batch = kBusy * kRounds;
    for (double spent = 0; spent < request.target_ms * 1e6 || samples.ns.size() < kSamplesMin;) {
        const auto turns = turns_of_many();
        const double start = now_ns();
        for (std::size_t round = 1; round <= kRounds; ++round) {
            insert_batch(connection, turns, round);
        }
        const double took = now_ns() - start;
        samples.ns.push_back(took / static_cast<double>(samples.batch));
        spent += took;
    }
    PQfinish(connection);
    return {std::move(samples), {}};
}

std::string check_nothing(const Request&) {
    return "null";
}

constexpr Case kCases[] = {
    {"postgres_busy", measure_busy, check_nothing},
    {"raw_pipeline", measure_raw_pipeline, check_nothing},
};

}  // namespace

std::span<const Case> postgres_cases() {
    return kCases;
}

}  // namespace arbiter::bench
