// Goal: the store on PostgreSQL is like the others, takes any data for data, tells other servers
// what moved, and names clearly what it cannot do. Method: random batches against the other stores;
// a server of its own whose settings and rows are changed under it. proves: S2-66 X-7
#include <algorithm>
#include <set>
#include <thread>

#include "base/messages.h"
#include "ledger/committer.h"
#include "ledger/store/postgres.h"
#include "tests/ledger/postgres_server.h"
#include "tests/ledger/postgres_support.h"
#include "tests/ledger/support.h"

namespace arbiter::ledger {
namespace {

using base::ErrorCode;
using std::chrono::milliseconds;
using std::chrono::seconds;

PostgresServer& server() {
    return PostgresServer::shared();
}
// The schema at the end of a url.
std::string schema_of(const std::string& url) {
    return url.substr(url.rfind("%3D") + 3);
}

std::vector<std::string> codes(const std::vector<base::Result<>>& results) {
    std::vector<std::string> all;
    for (const auto& each : results) {
        all.push_back(each ? "" : std::string(base::name(each.error().code)));
    }
    return all;
}

// A batch over three campaigns, some of whose commits must be refused.
std::vector<Commit> some_batch(tests::Random& random, Store& truth) {
    std::vector<Commit> batch;
    std::map<std::string, std::optional<TurnId>> heads;
    for (std::size_t i = 0, count = 1 + random.below(8); i < count; ++i) {
        const std::string campaign = "c" + std::to_string(random.below(4));
        if (!heads.contains(campaign)) {
            const auto row = truth.campaign(campaign);
            heads[campaign] = row ? row->head : std::nullopt;
        }
        auto& head = heads[campaign];
        const std::string text = std::to_string(random.next());
        if (random.below(8) == 0) {
            batch.push_back(first_of(campaign, text));
            head = head ? head : batch.back().head->to;
            continue;
        }
        const TurnId parent = random.below(6) == 0 ? sha256(text) : head.value_or(TurnId());
        Commit commit = next_of(campaign, parent, static_cast<std::int64_t>(i), text);
        if (random.chance(20)) {
            commit.turns.push_back(turn_of(commit.turns[0].id, 9, text + "b"));
            commit.keyframes.push_back({parent, text});
            commit.blobs.push_back({sha256("t" + text), text});
        }
        if (random.chance(30)) {
            commit.checkpoints.push_back({parent, "标签" + text, 3});
            commit.checkpoints.push_back({commit.turns[0].id, text, 4});
            commit.checkpoints_max = random.below(4);
        }
        if (random.chance(15)) {
            commit.head.reset();
        } else if (commit.head->from == head) {
            head = commit.head->to;
        }
        batch.push_back(std::move(commit));
    }
    return batch;
}

TEST(Postgres, BatchesDoWhatTheyDoInMemory) {
    const auto memory = make_memory_store();
    const auto store = open_store(server().fresh_url()).value();
    tests::Random random(71);
    for (int i = 0; i < 300; ++i) {
        const auto batch = some_batch(random, *memory);
        ASSERT_EQ(codes(store->commit_all(batch)), codes(memory->commit_all(batch))) << i;
    }
    EXPECT_EQ(store->campaigns().value(), memory->campaigns().value());
    for (const CampaignRow& row : memory->campaigns().value()) {
        EXPECT_EQ(store->turns(row.id).value(), memory->turns(row.id).value());
        EXPECT_EQ(store->checkpoints(row.id).value(), memory->checkpoints(row.id).value());
        auto frames = store->keyframes(row.id).value();
        std::ranges::sort(frames);
        EXPECT_EQ(frames, memory->keyframes(row.id).value());
        std::vector<TurnRow> visited;
        ASSERT_TRUE(store->visit_turns(row.id, std::nullopt, [&](const TurnRow& turn) {
            visited.push_back(turn);
            return true;
        }));
        EXPECT_GT(visited.size(), 200U);
        for (TurnRow& turn : visited) {
            EXPECT_EQ(memory->turn(row.id, turn.id).value(), turn);
            turn.bytes.clear();
        }
        EXPECT_EQ(visited, memory->turns(row.id).value());
    }
}

TEST(Postgres, ATurnThatIsThereAlreadyDoesNotDisturbABatch) {
    // Turns that go together are kept without a look whether they are there; so they may be.
    const auto store = open_store(server().fresh_url()).value();
    std::vector<Commit> batch;
    for (const char* name : {"a", "b", "c"}) {
        const Commit first = first_of(name);
        ASSERT_TRUE(store->commit(first));
        batch.push_back(next_of(name, first.turns[0].id, 1, "again"));
    }
    batch[1].keyframes.push_back({batch[1].turns[0].id, "state"});
    ASSERT_TRUE(store->commit(batch[1]));
    Commit back;
    back.campaign = "b";
    back.head = HeadMove{batch[1].turns[0].id, batch[1].turns[0].parent, batch[1].turns[0].id};
    ASSERT_TRUE(store->commit(back));
    batch.push_back(next_of("d", sha256("nobody"), 1, "again"));

    EXPECT_EQ(codes(store->commit_all(batch)),
              (std::vector<std::string>{"", "", "", "campaign_unknown"}));
    for (const char* name : {"a", "b", "c"}) {
        EXPECT_EQ(line_of(*store, name).size(), 2U);
        EXPECT_EQ(store->turns(name).value().size(), 2U);
        EXPECT_EQ(store->campaign(name).value().undo, std::nullopt);
    }
    // The same again is what everywhere comes too late.
    EXPECT_EQ(codes(store->commit_all(std::span(batch).first(3))),
              (std::vector<std::string>{"head_moved", "head_moved", "head_moved"}));
}

TEST(Postgres, AHeadThatHadToBeWaitedForGetsItsOwnTurn) {
    // Another transaction locks the row of one campaign and changes it, but not its head. The
    // database then rechecks only that row, and must still join it with its own turn.
    const std::string url = server().fresh_url();
    const auto store = open_store(url).value();
    std::vector<Commit> batch;
    for (const char* name : {"a", "b", "c"}) {
        const Commit first = first_of(name);
        ASSERT_TRUE(store->commit(first));
        batch.push_back(next_of(name, first.turns[0].id, 1, std::string("turn of ") + name));
    }
    std::thread other([&] {
        server().sql(
            "UPDATE campaigns SET seq = seq + 5 WHERE campaign = 'b'; SELECT pg_sleep(0.5)",
            schema_of(url));
    });
    while (server().sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") ==
           "0") {
        std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_EQ(codes(store->commit_all(batch)), (std::vector<std::string>{"", "", ""}));
    other.join();
    for (const Commit& each : batch) {
        EXPECT_EQ(store->turn(each.campaign, each.turns[0].id).value(), each.turns[0]);
        EXPECT_EQ(store->campaign(each.campaign).value().head, each.turns[0].id);
    }
    EXPECT_EQ(server().sql("SELECT max(seq) FROM turns WHERE campaign = 'b'", schema_of(url)), "7");
    EXPECT_TRUE(store->check().value().empty());
}

TEST(Postgres, AnythingIsDataAndOnlyData) {
    const std::string url = server().fresh_url();
    const auto store = open_store(url).value();
    tests::Random random(73);
    std::string long_text;
    while (long_text.size() < 9000) {
        long_text += static_cast<char>(' ' + random.below(90));
    }
    const std::string hostile[] = {"'; DROP TABLE turns; --",
                                   "\"; DELETE FROM campaigns; \"",
                                   "$1",
                                   "%s%n",
                                   "\\'; SELECT 1",
                                   "'); COMMIT; DROP SCHEMA arbiter CASCADE; --",
                                   "E'\\x00'",
                                   "a\nb\tc",
                                   "名字';--",
                                   " ",
                                   "",
                                   "3:abc4:",
                                   std::string(9000, 'x'),
                                   long_text};
    std::size_t made = 0;
    for (const std::string& text : hostile) {
        Commit commit = first_of(text, text);
        commit.create->name = text;
        commit.turns[0].bytes = text + std::string("\0\xff\\", 3) + text;
        commit.blobs.push_back({sha256(text), commit.turns[0].bytes});
        commit.checkpoints.push_back({commit.turns[0].id, text, 1});
        const bool too_long = text == long_text;  // for an index
        ASSERT_EQ(store->commit(commit).has_value(), !too_long) << text.substr(0, 50);
        if (too_long) {
            continue;
        }
        ++made;
        const auto row = store->campaign(text).value();
        EXPECT_EQ(row.id, text);
        EXPECT_EQ(row.name, text);
        EXPECT_EQ(store->turn(text, *row.head).value(), commit.turns[0]);
        EXPECT_EQ(store->blob(text, sha256(text)).value(), commit.turns[0].bytes);
        EXPECT_EQ(store->checkpoints(text).value(), commit.checkpoints);
    }
    EXPECT_EQ(store->campaigns().value().size(), made);
    // A text that PostgreSQL cannot store fails alone.
    std::vector<Commit> batch = {first_of("good"), first_of(std::string("a\0b", 3)),
                                 first_of("bad \xff name"), first_of("also good")};
    const auto results = store->commit_all(batch);
    EXPECT_EQ(codes(results), (std::vector<std::string>{"", "store_failed", "store_failed", ""}));
    EXPECT_TRUE(store->check().value().empty());
}

TEST(Postgres, SeveralCallersSeeEachOthersMoves) {
    const std::string url = server().fresh_url();
    const auto one = open_store(url).value();
    const auto two = open_store(url).value();
    const auto elsewhere = open_store(server().fresh_url()).value();
    for (Store* each : {one.get(), two.get(), elsewhere.get()}) {
        EXPECT_TRUE(each->moved(milliseconds(0)).value().empty());
    }
    ASSERT_TRUE(one->commit(first_of("c")));
    EXPECT_EQ(two->moved(seconds(10)).value(), std::vector<std::string>{"c"});
    EXPECT_TRUE(one->moved(milliseconds(50)).value().empty());
    EXPECT_TRUE(elsewhere->moved(milliseconds(50)).value().empty());
    std::vector<Commit> batch;
    for (int i = 0; i < 900; ++i) {
        batch.push_back(first_of("campaign" + std::to_string(i)));
    }
    for (const auto& each : one->commit_all(batch)) {
        ASSERT_TRUE(each);
    }
    std::set<std::string> heard;
    while (heard.size() < 900) {
        const auto moved = two->moved(seconds(10)).value();
        ASSERT_FALSE(moved.empty());
        heard.insert(moved.begin(), moved.end());
    }
    // Waiting takes as long as it was to take.
    const auto before = std::chrono::steady_clock::now();
    EXPECT_TRUE(two->moved(milliseconds(200)).value().empty());
    EXPECT_GE(std::chrono::steady_clock::now() - before, milliseconds(190));
    // After a lost connection, every campaign may have moved.
    server().sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    EXPECT_EQ(two->moved(seconds(10)).value().size(), 901U);
    ASSERT_TRUE(one->commit(first_of("d")));
    EXPECT_EQ(two->moved(seconds(10)).value(), std::vector<std::string>{"d"});
}

TEST(Postgres, TablesAreMadeOnceAndOtherFormsRefused) {
    const std::string url = server().fresh_url();
    {
        // All at once on an empty database.
        std::vector<std::thread> threads;
        std::atomic<int> opened = 0;
        for (int i = 0; i < 6; ++i) {
            threads.emplace_back([&] { opened += open_store(url).has_value() ? 1 : 0; });
        }
        for (std::thread& each : threads) {
            each.join();
        }
        EXPECT_EQ(opened, 6);
    }
    EXPECT_EQ(migrate_store(url).value(), 3);
    server().sql("INSERT INTO migrations (version) VALUES (99)", schema_of(url));
    EXPECT_EQ(open_store(url).error(), base::Error(ErrorCode::kStoreVersion, {"99", "3"}));
    EXPECT_EQ(migrate_store(url).error().code, ErrorCode::kStoreVersion);

    const std::string old = server().fresh_url();
    server().sql(
        "CREATE TABLE migrations (version int8 PRIMARY KEY, applied timestamptz DEFAULT now())",
        schema_of(old));
    const auto refused = open_store(old);
    ASSERT_EQ(refused.error(), base::Error(ErrorCode::kStoreOld, {"0", "3"}));
    EXPECT_NE(base::explain(refused.error(), base::Language::kEnglish).find("arbiter migrate"),
              std::string::npos);
    EXPECT_EQ(migrate_store(old).value(), 3);
    EXPECT_TRUE(open_store(old).value()->commit(first_of("c")));

    // Version 2 had no named texts.
    server().sql("DROP TABLE named_texts", schema_of(old));
    server().sql("DELETE FROM migrations WHERE version = 3", schema_of(old));
    ASSERT_EQ(open_store(old).error(), base::Error(ErrorCode::kStoreOld, {"2", "3"}));
    EXPECT_EQ(migrate_store(old).value(), 3);
    EXPECT_TRUE(open_store(old).value()->put_named_text({"a", "b"}, std::nullopt).value());
    EXPECT_EQ(open_store(old).value()->campaigns()->size(), 1U);

    EXPECT_EQ(migrate_store("memory:").value(), 1);
    const Folder folder;
    const std::string file = "sqlite:" + folder.file("a.db");
    ASSERT_TRUE(open_store(file));
    EXPECT_EQ(migrate_store(file).value(), 3);
    EXPECT_EQ(migrate_store("mysql://x").error().code, ErrorCode::kStoreUrl);
}

TEST(Postgres, WithoutASchemaItHasItsOwn) {
    std::string url = server().url("x");
    url.resize(url.find("&options="));
    {
        const auto store = open_store(url).value();
        ASSERT_TRUE(store->commit(first_of("c")));
    }
    EXPECT_EQ(server().sql("SELECT count(*) FROM arbiter.turns"), "1");
    server().sql("DROP SCHEMA arbiter CASCADE");
    EXPECT_EQ(open_store(server().url("nowhere")).error().code, ErrorCode::kStoreFailed);
    // Passwords are not repeated.
    EXPECT_EQ(open_store("postgres://me:secret@%zz").error(),
              base::Error(ErrorCode::kStoreUrl, {"postgres://…"}));
    EXPECT_EQ(open_store("postgresql://127.0.0.1:1/x").error().code, ErrorCode::kStoreFailed);
}

TEST(Postgres, AReadOnlyServerIsNamedAndComesBack) {
    const auto store = open_store(server().fresh_url()).value();
    const Commit first = first_of("c");
    ASSERT_TRUE(store->commit(first));
    const Commit second = next_of("c", first.turns[0].id, 1, "second");
    server().sql("ALTER SYSTEM SET default_transaction_read_only = on");
    server().sql("SELECT pg_reload_conf()");
    base::Result<> refused;
    for (int i = 0; i < 100 && refused; ++i) {
        usleep(20'000);  // the server's sessions hear of it one by one
        refused = store->commit(first_of("d" + std::to_string(i)));
    }
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kStoreRefuses);
    EXPECT_EQ(store->commit(second).error().code, ErrorCode::kStoreRefuses);
    EXPECT_EQ(store->campaign("c").value().head, first.turns[0].id);
    server().sql("BEGIN READ WRITE; SET LOCAL default_transaction_read_only = off; COMMIT");
    server().sql("ALTER SYSTEM RESET default_transaction_read_only");
    server().sql("SELECT pg_reload_conf()");
    base::Result<> kept = base::fail(ErrorCode::kStoreRefuses);
    for (int i = 0; i < 100 && !kept; ++i) {
        usleep(20'000);
        kept = store->commit(second);
    }
    EXPECT_TRUE(kept);
    EXPECT_EQ(line_of(*store, "c").size(), 2U);
}

TEST(Postgres, AFullDiskChangesNothingAndIsOver) {
    const std::string url = server().fresh_url();
    const auto store = open_store(url).value();
    const Commit first = first_of("c");
    ASSERT_TRUE(store->commit(first));
    const std::string schema = schema_of(url);
    // Raises the server's error for a full disk at a chosen moment.
    server().sql(
        "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
        "'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$",
        schema);
    server().sql("CREATE TRIGGER full_disk BEFORE INSERT ON turns EXECUTE FUNCTION no_room()",
                 schema);
    const Commit second = next_of("c", first.turns[0].id, 1, "second");
    const std::vector<Commit> batch = {second, first_of("d")};
    EXPECT_EQ(codes(store->commit_all(batch)),
              (std::vector<std::string>{"store_full", "store_full"}));
    EXPECT_EQ(store->campaign("c").value().head, first.turns[0].id);
    EXPECT_EQ(store->campaign("d").error().code, ErrorCode::kCampaignUnknown);
    server().sql("DROP TRIGGER full_disk ON turns", schema);
    EXPECT_EQ(codes(store->commit_all(batch)), (std::vector<std::string>{"", ""}));
}

TEST(Postgres, DamagedRowsAreNamed) {
    const std::string url = server().fresh_url();
    const std::string schema = schema_of(url);
    const auto store = open_store(url).value();
    const Commit first = first_of("c");
    ASSERT_TRUE(store->commit(first));
    EXPECT_TRUE(store->check().value().empty());
    server().sql("UPDATE turns SET parent = '\\x010203'", schema);
    EXPECT_EQ(store->turns("c").error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(store->turn("c", first.turns[0].id).error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(
        store->visit_turns("c", std::nullopt, [](const TurnRow&) { return true; }).error().code,
        ErrorCode::kCorrupt);
    EXPECT_GE(store->check().value().size(), 2U);
    server().sql("UPDATE campaigns SET head = '\\x'", schema);
    EXPECT_EQ(store->campaign("c").error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(store->campaigns().error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(store->commit(next_of("c", first.turns[0].id, 1, "x")).error().code,
              ErrorCode::kHeadMoved);
    server().sql("ALTER TABLE turns ALTER number TYPE int2", schema);
    server().sql("UPDATE turns SET parent = NULL", schema);
    EXPECT_EQ(open_store(url).value()->turns("c").error().code, ErrorCode::kCorrupt);
    server().sql("ALTER TABLE turns DROP COLUMN bytes", schema);
    EXPECT_EQ(open_store(url).value()->turns("c").error().code, ErrorCode::kStoreFailed);
}

TEST(Postgres, ManyReadersAndWritersAtOnce) {
    const auto store = open_store(server().fresh_url()).value();
    Committer committer(*store);
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    const int turns = is_full_run() ? 400 : 40;
    for (int i = 0; i < 24; ++i) {
        threads.emplace_back([&, i] {
            const std::string campaign = "c" + std::to_string(i);
            Commit commit = first_of(campaign);
            for (int number = 1; number <= turns; ++number) {
                // Some through the committer, some on their own.
                const auto kept = i % 2 == 0 ? committer.commit(commit) : store->commit(commit);
                const auto row = store->turn(campaign, commit.turns[0].id);
                wrong += kept && row && *row == commit.turns[0] ? 0 : 1;
                commit = next_of(campaign, commit.turns[0].id, number, "turn");
            }
        });
    }
    for (std::thread& each : threads) {
        each.join();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(line_of(*store, "c7").size(), static_cast<std::size_t>(turns));
}

}  // namespace
}  // namespace arbiter::ledger
