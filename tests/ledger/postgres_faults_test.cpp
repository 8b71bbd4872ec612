// Goal: whatever happens to connections and to the server, no acknowledged turn is lost and none is
// there twice, several servers never fork a campaign, and a store goes on by itself.
// Method: a relay that breaks connections at each message of a commit, in both directions; a server
// that is killed under load; several stores that write the same campaign.
#include <atomic>
#include <set>
#include <thread>

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
std::string schema_of(const std::string& url) {
    return url.substr(url.rfind("%3D") + 3);
}

// Writes to a campaign that others write to as well: looks again when it was overtaken.
void write_among_others(Store& store, const std::string& campaign, const std::string& who,
                        int turns, std::vector<TurnId>& acknowledged, std::atomic<int>& overtaken) {
    auto head = store.campaign(campaign).value().head.value();
    for (int i = 0; i < turns;) {
        const Commit commit = next_of(campaign, head, i, who + std::to_string(i));
        const auto kept = store.commit(commit);
        if (kept) {
            acknowledged.push_back(commit.turns[0].id);
            head = commit.turns[0].id;
            ++i;
            continue;
        }
        ASSERT_EQ(kept.error().code, ErrorCode::kHeadMoved) << kept.error().arguments.back();
        ++overtaken;
        head = store.campaign(campaign).value().head.value();
    }
}

// All that was acknowledged is on the one line there is, and nothing else is there.
void expect_one_line(Store& store, const std::string& campaign,
                     const std::vector<std::vector<TurnId>>& acknowledged) {
    const auto line = line_of(store, campaign);
    const std::set<TurnId> kept(line.begin(), line.end());
    EXPECT_EQ(kept.size(), line.size());
    std::size_t count = 1;  // the beginning
    for (const auto& each : acknowledged) {
        count += each.size();
        for (const TurnId& id : each) {
            EXPECT_TRUE(kept.contains(id));
        }
    }
    EXPECT_EQ(line.size(), count);
    EXPECT_EQ(store.turns(campaign).value().size(), count);
    EXPECT_TRUE(store.check().value().empty());
}

TEST(PostgresFaults, TwoServersNeverForkACampaign) {
    const std::string url = server().fresh_url();
    const auto one = open_store(url).value();
    const auto two = open_store(url).value();
    ASSERT_TRUE(one->commit(first_of("c")));
    constexpr std::size_t kThreads = 6;
    const int turns = is_full_run() ? 2000 : 100;
    std::vector<std::vector<TurnId>> acknowledged(kThreads);
    std::atomic<int> overtaken = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            write_among_others(i % 2 == 0 ? *one : *two, "c", "w" + std::to_string(i) + "-", turns,
                               acknowledged[i], overtaken);
        });
    }
    for (std::thread& each : threads) {
        each.join();
    }
    EXPECT_GT(overtaken, 0);
    expect_one_line(*two, "c", acknowledged);
}

TEST(PostgresFaults, BatchesOfSeveralServersDoNotBlockEachOther) {
    // Each batch moves many campaigns, and each server names them in another order.
    const std::string url = server().fresh_url();
    const auto one = open_store(url).value();
    const auto two = open_store(url).value();
    constexpr int kCampaigns = 20;
    std::vector<TurnId> heads;
    for (int i = 0; i < kCampaigns; ++i) {
        const Commit first = first_of("c" + std::to_string(i));
        ASSERT_TRUE(one->commit(first));
        heads.push_back(first.turns[0].id);
    }
    std::atomic<int> kept = 0;
    const auto race = [&](Store& store, const std::string& who, bool backwards) {
        for (int round = 0; round < 30; ++round) {
            std::vector<Commit> batch;
            for (int i = 0; i < kCampaigns; ++i) {
                const std::string name = "c" + std::to_string(backwards ? kCampaigns - 1 - i : i);
                const TurnId head = *store.campaign(name).value().head;
                batch.push_back(next_of(name, head, round, who + std::to_string(round)));
            }
            for (const auto& each : store.commit_all(batch)) {
                kept += each ? 1 : 0;
                EXPECT_TRUE(each || each.error().code == ErrorCode::kHeadMoved);
            }
        }
    };
    std::thread other([&] { race(*two, "two", true); });
    race(*one, "one", false);
    other.join();
    std::size_t turns = 0;
    for (int i = 0; i < kCampaigns; ++i) {
        const std::string name = "c" + std::to_string(i);
        EXPECT_EQ(line_of(*one, name).size(), one->turns(name).value().size());
        turns += one->turns(name).value().size();
    }
    EXPECT_EQ(turns, static_cast<std::size_t>(kept + kCampaigns));
}

// Where a commit's bytes are cut: after each message, and within each.
std::vector<Relay::Cut> cuts_of(Relay& relay) {
    std::vector<Relay::Cut> cuts;
    for (const Relay::To to : {Relay::To::kServer, Relay::To::kClient}) {
        std::size_t begin = 0;
        for (const std::size_t end : message_ends(relay.recorded(to))) {
            for (const bool notices : {true, false}) {
                cuts.push_back({to, begin + (end - begin) / 2, notices});
                cuts.push_back({to, end, notices});
            }
            begin = end;
        }
    }
    return cuts;
}

TEST(PostgresFaults, AConnectionThatBreaksAnywhereLosesAndDoublesNothing) {
    const std::string url = server().fresh_url();
    Relay relay(server().port());
    const auto store = open_store(server().url(schema_of(url), relay.port())).value();
    Commit last = first_of("c");
    ASSERT_TRUE(store->commit(last));
    std::vector<std::vector<TurnId>> acknowledged(1);
    std::size_t checkpoints = 0;
    const auto go_on = [&](int number) {
        last = next_of("c", last.turns[0].id, number, std::to_string(number));
        last.checkpoints.push_back({last.turns[0].id, std::to_string(number), number});
        const auto kept = store->commit(last);
        ASSERT_TRUE(kept) << kept.error().arguments.back();
        acknowledged[0].push_back(last.turns[0].id);
        ++checkpoints;
    };
    go_on(1);
    relay.record();
    go_on(2);
    const auto cuts = cuts_of(relay);
    EXPECT_GT(cuts.size(), 100U);
    int number = 3;
    std::size_t broken = 0;
    for (const Relay::Cut& cut : cuts) {
        relay.cut({cut});
        go_on(number++);
        ASSERT_FALSE(testing::Test::HasFatalFailure());
        // A cut behind the last byte that matters may come too late for it.
        broken += relay.has_cut_all() ? 1U : 0U;
        relay.cut({});
    }
    EXPECT_GT(broken, cuts.size() * 9 / 10);
    // Broken again while it finds out what became of it.
    tests::Random random(83);
    const int more = is_full_run() ? 2000 : 60;
    for (int i = 0; i < more; ++i) {
        const Relay::To to = random.chance(50) ? Relay::To::kServer : Relay::To::kClient;
        relay.cut({random.pick(cuts),
                   {to, 1 + random.below(9000), random.chance(50)},
                   {to, 1 + random.below(3000), random.chance(50)}});
        go_on(number++);
        ASSERT_FALSE(testing::Test::HasFatalFailure());
        relay.cut({});
    }
    expect_one_line(*store, "c", acknowledged);
    EXPECT_EQ(store->checkpoints("c").value().size(), checkpoints);
}

TEST(PostgresFaults, NorDoesOneThatBreaksUnderABatch) {
    const std::string url = server().fresh_url();
    Relay relay(server().port());
    const auto store = open_store(server().url(schema_of(url), relay.port())).value();
    constexpr std::size_t kCampaigns = 4;
    std::vector<Commit> batch;
    std::vector<std::vector<TurnId>> acknowledged(kCampaigns);
    for (std::size_t i = 0; i < kCampaigns; ++i) {
        batch.push_back(first_of("c" + std::to_string(i)));
        ASSERT_TRUE(store->commit(batch.back()));
    }
    const auto go_on = [&](int number) {
        for (std::size_t i = 0; i < kCampaigns; ++i) {
            batch[i] = next_of(batch[i].campaign, batch[i].turns[0].id, number, "turn");
        }
        // One of them always comes too late.
        batch.resize(kCampaigns);
        batch.push_back(next_of("c2", sha256("nobody"), number, "late"));
        const auto results = store->commit_all(batch);
        for (std::size_t i = 0; i < kCampaigns; ++i) {
            ASSERT_TRUE(results[i]);
            acknowledged[i].push_back(batch[i].turns[0].id);
        }
        ASSERT_EQ(results[kCampaigns].error().code, ErrorCode::kHeadMoved);
    };
    go_on(1);
    relay.record();
    go_on(2);
    int number = 3;
    const auto cuts = cuts_of(relay);
    for (std::size_t i = 0; i < cuts.size(); i += is_full_run() ? 1 : 3) {
        relay.cut({cuts[i]});
        go_on(number++);
        ASSERT_FALSE(testing::Test::HasFatalFailure());
        relay.cut({});
    }
    for (std::size_t i = 0; i < kCampaigns; ++i) {
        expect_one_line(*store, "c" + std::to_string(i), {acknowledged[i]});
    }
}

TEST(PostgresFaults, WhatIsNotATurnIsNotDoneTwiceEither) {
    const std::string url = server().fresh_url();
    Relay relay(server().port());
    const auto store = open_store(server().url(schema_of(url), relay.port())).value();
    const Commit first = first_of("c");
    ASSERT_TRUE(store->commit(first));
    Commit label;
    label.campaign = "c";
    label.checkpoints.push_back({first.turns[0].id, "label", 1});
    relay.record();
    ASSERT_TRUE(store->commit(label));
    std::size_t labels = 1;
    for (const Relay::Cut& cut : cuts_of(relay)) {
        relay.cut({cut});
        ASSERT_TRUE(store->commit(label));
        ++labels;
        relay.cut({});
    }
    EXPECT_EQ(store->checkpoints("c").value().size(), labels);
    // New campaigns: none that is there although it is said not to be, or the other way round.
    relay.record();
    ASSERT_TRUE(store->commit(first_of("d")));
    int made = 0;
    for (const Relay::Cut& cut : cuts_of(relay)) {
        relay.cut({cut});
        ASSERT_TRUE(store->commit(first_of("d" + std::to_string(made++))));
        relay.cut({});
    }
    // Reading is simply tried again.
    relay.record();
    ASSERT_EQ(store->turns("c").value().size(), 1U);
    for (const Relay::Cut& cut : cuts_of(relay)) {
        relay.cut({cut});
        ASSERT_EQ(store->turns("c").value().size(), 1U);
        relay.cut({});
    }
}

TEST(PostgresFaults, ASessionThatLagsBehindDoesNothingLater) {
    // The client's connection breaks while its session waits for a lock, and does not notice.
    const std::string url = server().fresh_url();
    Relay relay(server().port());
    const auto store = open_store(server().url(schema_of(url), relay.port())).value();
    const Commit first = first_of("c");
    ASSERT_TRUE(store->commit(first));
    relay.record();
    const Commit second = next_of("c", first.turns[0].id, 1, "second");
    ASSERT_TRUE(store->commit(second));
    const std::size_t whole = relay.recorded(Relay::To::kServer).size();
    for (int i = 0; i < 3; ++i) {
        std::thread locker([&] {
            server().sql("BEGIN; SELECT 1 FROM campaigns FOR UPDATE; SELECT pg_sleep(0.4); COMMIT",
                         schema_of(url));
        });
        usleep(100'000);
        relay.cut({{Relay::To::kServer, whole / 2, false}});
        const TurnId head = *store->campaign("c").value().head;
        relay.cut({{Relay::To::kServer, whole - 1, false}});
        const Commit next = next_of("c", head, 2 + i, "next");
        const auto kept = store->commit(next);
        locker.join();
        ASSERT_TRUE(kept);
        EXPECT_EQ(store->campaign("c").value().head, next.turns[0].id);
    }
    // No session of a broken connection is left.
    EXPECT_EQ(
        server().sql("SELECT count(*) FROM pg_stat_activity WHERE state LIKE '%transaction%'"),
        "0");
    EXPECT_EQ(line_of(*store, "c").size(), 5U);
}

TEST(PostgresFaults, AKilledServerLosesNothingAcknowledged) {
    PostgresServer own;
    const std::string url = own.fresh_url();
    // A busy machine may need long to start a server.
    PostgresOptions options;
    options.patience = seconds(60);
    const auto one = open_postgres_store(url, Access::kCreate, options).value();
    const auto two = open_postgres_store(url, Access::kCreate, options).value();
    constexpr std::size_t kThreads = 6;
    // The last two share a campaign.
    const auto name = [](std::size_t i) {
        return "c" + std::to_string(std::min<std::size_t>(i, 4));
    };
    for (std::size_t i = 0; i < kThreads - 1; ++i) {
        ASSERT_TRUE(one->commit(first_of(name(i))));
    }
    std::atomic<bool> ending = false;
    std::atomic<int> overtaken = 0;
    std::vector<std::vector<TurnId>> acknowledged(kThreads);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; !ending; ++round) {
                write_among_others(i % 2 == 0 ? *one : *two, name(i),
                                   std::to_string(i) + "." + std::to_string(round) + ".", 10,
                                   acknowledged[i], overtaken);
            }
        });
    }
    tests::Random random(97);
    const int kills = is_full_run() ? 40 : 4;
    for (int i = 0; i < kills; ++i) {
        usleep(static_cast<useconds_t>(100'000 + random.below(300'000)));
        own.kill();
        own.start();
    }
    usleep(200'000);
    ending = true;
    for (std::thread& each : threads) {
        each.join();
    }
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_FALSE(acknowledged[i].empty());
        expect_one_line(*two, name(i), {acknowledged[i]});
    }
    expect_one_line(*two, name(4), {acknowledged[4], acknowledged[5]});
}

// acceptance D11
TEST(PostgresFaults, OpeningWaitsForAServerThatComesBack) {
    PostgresServer own;
    const std::string url = own.fresh_url();
    ASSERT_TRUE(open_store(url));
    for (const Access access : {Access::kCreate, Access::kRead, Access::kWrite}) {
        own.kill();
        // The server ends with the thread that started it.
        std::thread opener([&] { EXPECT_TRUE(open_store(url, access)); });
        own.start();
        opener.join();
    }
    // Looking makes no tables, and what cannot change is not tried again.
    const std::string empty = own.fresh_url();
    EXPECT_EQ(open_store(empty, Access::kRead).error().code, ErrorCode::kStoreMissing);
    EXPECT_EQ(open_store(empty, Access::kWrite).error().code, ErrorCode::kStoreMissing);
    EXPECT_EQ(open_store("postgres://me@127.0.0.1/x?bogus=1").error(),
              base::Error(ErrorCode::kStoreUrlOption, {"bogus"}));
}

TEST(PostgresFaults, PatienceHasAnEndAndTheStoreGoesOnAfterwards) {
    PostgresServer own;
    const std::string url = own.fresh_url();
    PostgresOptions options;
    options.patience = milliseconds(700);
    const auto store = open_postgres_store(url, Access::kCreate, options).value();
    const Commit first = first_of("c");
    ASSERT_TRUE(store->commit(first));
    ASSERT_TRUE(store->moved(milliseconds(0)));
    own.kill();
    const auto before = std::chrono::steady_clock::now();
    const Commit second = next_of("c", first.turns[0].id, 1, "second");
    EXPECT_EQ(store->commit(second).error().code, ErrorCode::kStoreFailed);
    EXPECT_EQ(store->campaign("c").error().code, ErrorCode::kStoreFailed);
    EXPECT_EQ(store->moved(milliseconds(100)).error().code, ErrorCode::kStoreFailed);
    EXPECT_EQ(open_store(url).error().code, ErrorCode::kStoreFailed);
    EXPECT_LT(std::chrono::steady_clock::now() - before, seconds(10));
    own.start();
    EXPECT_EQ(store->campaign("c").value().head, first.turns[0].id);
    EXPECT_TRUE(store->commit(second));
    EXPECT_EQ(store->moved(seconds(5)).value(), std::vector<std::string>{"c"});
}

}  // namespace
}  // namespace arbiter::ledger
