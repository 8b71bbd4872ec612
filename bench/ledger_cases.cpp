// Campaigns that are kept: acknowledged on disk, opened, looked up and played again.
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/check.h"
#include "bench/busy.h"
#include "bench/cases.h"
#include "ledger/rebuild.h"
#include "ledger/store/memory.h"
#include "ledger/store/sqlite.h"
#include "reader/reader.h"
#include "turn/replay.h"

namespace arbiter::bench {
namespace {

using ledger::Campaign;
using ledger::Commit;
using ledger::Store;

// Beside the states: on the disk that the product would use, not in memory.
std::string file_named(std::string_view name) {
    const std::string file = "build/bench-data/" + std::string(name) + ".db";
    for (const char* more : {"", "-wal", "-shm"}) {
        std::filesystem::remove(file + more);
    }
    return file;
}

std::shared_ptr<const turn::Rules> plain_rules() {
    auto rules = turn::make_rules({}, protocol::Resolved(), value::Object());
    CHECK(rules.has_value());
    return std::make_shared<const turn::Rules>(*std::move(rules));
}

// Replies as they are played: everything up to the moment of keeping them.
class Player {
  public:
    explicit Player(const Request& request) : replies_(replies_of(request)), rules_(plain_rules()) {
        options_.dialects = {proposal::Dialect::kMvu, proposal::Dialect::kPatch};
    }

    ledger::PreparedTurn next(const Campaign& campaign) {
        const std::string_view reply = replies_[played_++ % replies_.size()];
        ledger::NewTurn said;
        said.context = {1'767'225'600'000 + static_cast<engine::Instant>(played_) * 1000,
                        engine::Actor::kModel, campaign.next_batch()};
        const turn::Begun begun = turn::begin_recorded(campaign.state(), rules_, {}, said.context);
        const turn::Finished finished =
            turn::apply_reply(begun, reader::read(reply, options_), {}, base::Language::kEnglish);
        const turn::Attempt& attempt = finished.attempt;
        said.raw = reply;
        said.shown = attempt.reading.text;
        said.proposals = attempt.reading.proposals;
        said.outcome = &attempt.outcome;
        said.effects = attempt.effects;
        said.actions = attempt.actions;
        said.failed_calls = attempt.failed_calls;
        said.host = finished.meta;
        return campaign.prepare(said).value();
    }

  private:
    std::vector<std::string_view> replies_;
    std::shared_ptr<const turn::Rules> rules_;
    reader::Options options_;
    std::size_t played_ = 0;
};

Campaign begin(Store& store, const Request& request, const std::string& id) {
    ledger::NewCampaign beginning;
    beginning.id = id;
    beginning.name = id;
    beginning.state.document = request.document->root;
    auto campaign = Campaign::begin(store, beginning);
    CHECK(campaign.has_value());
    return *std::move(campaign);
}

// A campaign of `count` turns, made once.
struct Long {
    std::string file;
    std::unique_ptr<Store> store;
};
Long& long_campaign(const Request& request) {
    static Long made = [&request] {
        Long fresh{file_named("ledger-" + std::to_string(getpid())), nullptr};
        fresh.store = ledger::open_sqlite_store(fresh.file).value();
        Campaign campaign = begin(*fresh.store, request, "long");
        Player player(request);
        for (std::size_t i = 0; i < request.count; ++i) {
            ledger::PreparedTurn prepared = player.next(campaign);
            CHECK(fresh.store->commit(prepared.commit).has_value());
            campaign.accept(std::move(prepared));
        }
        return fresh;
    }();
    return made;
}

Answer measure_open(const Request& request) {
    Long& made = long_campaign(request);
    made.store.reset();  // all of it is in the file then
    const auto size = static_cast<double>(std::filesystem::file_size(made.file));
    Samples samples = measure(request.target_ms, [&] {
        const auto store = ledger::open_sqlite_store(made.file).value();
        keep(Campaign::open(*store, "long").value());
    });
    made.store = ledger::open_sqlite_store(made.file).value();
    return {std::move(samples), {{"bytes_per_turn", size / static_cast<double>(request.count)}}};
}

Answer measure_state_at(const Request& request) {
    const Campaign campaign = Campaign::open(*long_campaign(request).store, "long").value();
    const auto line = campaign.line_to(campaign.head()).value();
    std::size_t at = 0;
    return {measure(request.target_ms, [&] {
        // Steps through the whole line, in no order that a cache would like.
        at = (at + 6'131) % line.size();
        keep(campaign.state_at(line[at]).value());
    })};
}

// A sample is one command.
Answer rebuilt(const Request& request, std::size_t threads) {
    const Campaign campaign = Campaign::open(*long_campaign(request).store, "long").value();
    Samples samples;
    double spent = 0;
    std::size_t commands = 0;
    do {
        const double start = now_ns();
        const auto report = ledger::rebuild(
            campaign,
            [] {
                return ledger::Replayer{
                    [rules = plain_rules()](
                        const engine::State& before, const ledger::Record& record,
                        ledger::TurnCommands commands) -> base::Result<engine::State> {
                        turn::ReplayInputs inputs;
                        inputs.context = {record.time, record.actor, record.batch};
                        inputs.shown = record.shown;
                        inputs.meta = record.host;
                        return turn::replay(before, std::move(commands.reply), rules, inputs)
                            .attempt.outcome.state;
                    }};
            },
            {}, threads);
        const double took = now_ns() - start;
        CHECK(report && report->defects.empty() && report->turns == request.count + 1);
        commands = report->commands;
        samples.ns.push_back(took / static_cast<double>(commands));
        spent += took;
    } while (spent < request.target_ms * 1e6);
    samples.batch = commands;
    return {std::move(samples), {{"commands", static_cast<double>(commands)}}};
}

Answer measure_rebuild(const Request& request) {
    return rebuilt(request, 1);
}
Answer measure_rebuild_together(const Request& request) {
    return rebuilt(request, std::thread::hardware_concurrency());
}

// One turn after the other, each waited for. What the engine does with a reply is measured
// elsewhere and not counted here: this is from the finished turn to its acknowledgement.
class DurableTurns {
  public:
    DurableTurns(const Request& request, const std::string& name)
        : store_(ledger::open_sqlite_store(file_named(name)).value()),
          campaign_(begin(*store_, request, "c")),
          player_(request) {}

    double commit() {
        ledger::PreparedTurn prepared = player_.next(campaign_);
        const double start = now_ns();
        CHECK(store_->commit(prepared.commit).has_value());
        const double took = now_ns() - start;
        campaign_.accept(std::move(prepared));
        return took;
    }

  private:
    std::unique_ptr<Store> store_;
    Campaign campaign_;
    Player player_;
};

// A store that has just been opened writes a log that still grows; one that has been open for a
// while writes over it.
constexpr std::size_t kTurnsUntilTheLogIsFull = 1'200;

Answer measure_durable(const Request& request) {
    DurableTurns turns(request, "durable");
    for (std::size_t i = 0; i < kTurnsUntilTheLogIsFull; ++i) {
        turns.commit();
    }
    Samples samples;
    for (double spent = 0; spent < request.target_ms * 1e6 || samples.ns.size() < kSamplesMin;) {
        samples.ns.push_back(turns.commit());
        spent += samples.ns.back();
    }
    return {std::move(samples), {}};
}

Answer measure_durable_fresh(const Request& request) {
    DurableTurns turns(request, "durable-fresh");
    Samples samples;
    while (samples.ns.size() < kTurnsUntilTheLogIsFull * 3 / 4) {
        samples.ns.push_back(turns.commit());
    }
    return {std::move(samples), {}};
}

// The limit of it: as many bytes as such a turn has appended to a file, and synced.
Answer measure_fdatasync(const Request& request) {
    const std::string file = file_named("fdatasync");
    const int out = open(file.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    CHECK(out >= 0);
    const std::string bytes(request.bytes, 'x');
    Samples samples;
    for (double spent = 0; spent < request.target_ms * 1e6 || samples.ns.size() < kSamplesMin;) {
        const double start = now_ns();
        CHECK(write(out, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
        CHECK(fdatasync(out) == 0);
        samples.ns.push_back(now_ns() - start);
        spent += samples.ns.back();
    }
    close(out);
    return {std::move(samples), {}};
}

constexpr std::size_t kBusy = 64;
constexpr std::size_t kRounds = 24;

// Turns of 64 campaigns, made before the clock runs: kRounds of each, one following the other.
std::vector<std::vector<Commit>> turns_of_many(Store& store, const Request& request) {
    std::vector<std::vector<Commit>> turns(kBusy);
    Player player(request);
    static int times = 0;
    ++times;
    for (std::size_t i = 0; i < kBusy; ++i) {
        Campaign campaign =
            begin(store, request, "busy-" + std::to_string(times) + "-" + std::to_string(i));
        for (std::size_t round = 0; round < kRounds; ++round) {
            ledger::PreparedTurn prepared = player.next(campaign);
            turns[i].push_back(prepared.commit);
            campaign.accept(std::move(prepared));
        }
    }
    return turns;
}

// 64 campaigns, each of which hands in its next turn when the one before is acknowledged. A sample
// is one turn.
Answer measure_busy(const Request& request) {
    const auto store = ledger::open_sqlite_store(file_named("busy")).value();
    Samples samples;
    samples.batch = kBusy * kRounds;
    for (double spent = 0; spent < request.target_ms * 1e6 || samples.ns.size() < kSamplesMin;) {
        auto turns = turns_of_many(*store, request);
        const double took = time_of_all(*store, std::move(turns), 0);
        samples.ns.push_back(took / static_cast<double>(samples.batch));
        spent += took;
    }
    return {std::move(samples), {}};
}

// The limit of it: the same rows put into such a table by a loop around one prepared statement,
// 64 a transaction.
Answer measure_raw_inserts(const Request& request) {
    const auto scratch = ledger::make_memory_store();
    sqlite3* db = nullptr;
    CHECK(sqlite3_open(file_named("raw").c_str(), &db) == SQLITE_OK);
    for (const char* sql :
         {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
          "CREATE TABLE turns (seq INTEGER PRIMARY KEY, campaign INTEGER NOT NULL, id BLOB NOT "
          "NULL, parent BLOB, number INTEGER NOT NULL, time INTEGER NOT NULL, bytes BLOB NOT NULL)",
          "CREATE UNIQUE INDEX turns_by_id ON turns (campaign, id)"}) {
        CHECK(sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    }
    sqlite3_stmt* insert = nullptr;
    CHECK(sqlite3_prepare_v2(db,
                             "INSERT INTO turns (campaign, id, parent, number, time, bytes) "
                             "VALUES (?, ?, ?, ?, ?, ?)",
                             -1, &insert, nullptr) == SQLITE_OK);
    const auto blob = [&](int place, std::string_view bytes) {
        sqlite3_bind_blob64(insert, place, bytes.data(), bytes.size(), SQLITE_STATIC);
    };
    Samples samples;
    samples.batch = kBusy * kRounds;
    for (double spent = 0; spent < request.target_ms * 1e6 || samples.ns.size() < kSamplesMin;) {
        const auto turns = turns_of_many(*scratch, request);
        const double start = now_ns();
        for (std::size_t round = 0; round < kRounds; ++round) {
            CHECK(sqlite3_exec(db, "BEGIN", nullptr, nullptr, nullptr) == SQLITE_OK);
            for (std::size_t i = 0; i < kBusy; ++i) {
                const ledger::TurnRow& row = turns[i][round].turns[0];
                sqlite3_bind_int64(insert, 1, static_cast<std::int64_t>(i));
                blob(2, row.id.view());
                blob(3, row.parent->view());
                sqlite3_bind_int64(insert, 4, row.number);
                sqlite3_bind_int64(insert, 5, row.time);
                blob(6, row.bytes);
                CHECK(sqlite3_step(insert) == SQLITE_DONE);
                sqlite3_reset(insert);
            }
            CHECK(sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr) == SQLITE_OK);
        }
        const double took = now_ns() - start;
        samples.ns.push_back(took / static_cast<double>(samples.batch));
        spent += took;
    }
    sqlite3_finalize(insert);
    sqlite3_close(db);
    return {std::move(samples), {}};
}

std::string check_nothing(const Request&) {
    return "null";
}

constexpr Case kCases[] = {
    {"ledger_open", measure_open, check_nothing},
    {"ledger_state_at", measure_state_at, check_nothing},
    {"ledger_rebuild", measure_rebuild, check_nothing},
    {"ledger_rebuild_together", measure_rebuild_together, check_nothing},
    {"ledger_durable", measure_durable, check_nothing},
    {"ledger_durable_fresh", measure_durable_fresh, check_nothing},
    {"fdatasync", measure_fdatasync, check_nothing},
    {"ledger_busy", measure_busy, check_nothing},
    {"raw_inserts", measure_raw_inserts, check_nothing},
};

}  // namespace

std::span<const Case> ledger_cases() {
    return kCases;
}

}  // namespace arbiter::bench
