// Goal: F1, F3, F4 and F5 of the reliability list. A play of scripted turns is stopped at every
// single write and sync; the disk is full at every write; every sync fails. Nothing that was
// acknowledged is lost, nothing that was not is taken for granted, and no repair is needed.
// Method: SQLite runs on a disk in memory (disk.h). The play is long enough to write the log back
// into the file many times. With ARBITER_FULL it has 200 turns, as the reliability list says, else
// fewer, with the same kinds of moments.
#include <algorithm>
#include <cstdlib>

#include "ledger/store/sqlite.h"
#include "tests/ledger/disk.h"
#include "tests/ledger/support.h"

namespace arbiter::ledger {
namespace {

constexpr const char* kFile = "play.db";
// Small, so that the log is written back often.
constexpr SqliteOptions kOptions = {.log_pages = 40};

std::size_t turns_of_a_play() {
    return std::getenv("ARBITER_FULL") != nullptr ? 210 : 110;
}

std::unique_ptr<Store> open_disk() {
    auto store = open_sqlite_store(kFile, Access::kCreate, kOptions);
    EXPECT_TRUE(store.has_value())
        << (store ? "" : base::explain(store.error(), base::Language::kEnglish));
    return std::move(store).value();
}

// Where a play stood after each of its turns.
struct Stand {
    TurnId head;
    std::string hash;
    std::size_t operations = 0;  // of the disk, when it was acknowledged
};

// Expects the store after a fault to hold the state after `at_least` turns or one more. Returns the
// number of turns.
std::size_t expect_prefix(Store& store, const std::vector<Stand>& stands, std::size_t at_least) {
    const auto campaign = Campaign::open(store, "c");
    if (!campaign) {
        // Before the beginning was acknowledged there may be nothing.
        EXPECT_EQ(at_least, 0U) << base::explain(campaign.error(), base::Language::kEnglish);
        return 0;
    }
    const auto number = static_cast<std::size_t>(campaign->number()) + 1;
    EXPECT_GE(number, at_least);
    EXPECT_LE(number, std::min(at_least + 1, stands.size()));
    if (number > stands.size()) {
        return 0;
    }
    EXPECT_EQ(campaign->head(), stands[number - 1].head);
    EXPECT_EQ(hash_of(campaign->state()), stands[number - 1].hash);
    return number;
}

// Plays from the beginning; nothing fails.
std::vector<Stand> play(Disk& disk) {
    std::vector<Stand> stands;
    const auto store = open_disk();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(7);
    const auto note = [&] {
        stands.push_back({campaign.head(), hash_of(campaign.state()), disk.operations().size()});
    };
    note();
    for (std::size_t i = 0; i < turns_of_a_play(); ++i) {
        EXPECT_TRUE(say(campaign, some_reply(random)));
        note();
    }
    return stands;
}

TEST(Faults, KilledOrWithoutPowerAtEveryWriteAndSync) {
    std::vector<Disk::Operation> operations;
    std::vector<Stand> stands;
    {
        Disk disk;
        stands = play(disk);
        operations = disk.operations();
    }
    Replay replay;
    tests::Random random(11);
    std::size_t acknowledged = 0;
    std::size_t synced_files = 0;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        synced_files += operations[i].kind == Disk::Kind::kSync && operations[i].file == kFile;
        replay.next(operations[i]);
        while (acknowledged < stands.size() && stands[acknowledged].operations <= i + 1) {
            ++acknowledged;
        }
        for (const bool power : {true, false}) {
            Disk disk;
            disk.remember_operations(false);
            disk.put(power ? replay.killed() : replay.power_cut(random));
            const auto store = open_disk();
            expect_prefix(*store, stands, acknowledged);
            if (testing::Test::HasFailure()) {
                FAIL() << "after operation " << i << " of " << operations.size()
                       << (power ? ", killed" : ", without power");
            }
        }
    }
    // The play has seen what it is meant to see.
    EXPECT_GT(operations.size(), turns_of_a_play() * 5);
    EXPECT_GT(synced_files, 5U) << "the log was hardly ever written back";
}

// G1 after it all: a play that was stopped goes on as if nothing had happened.
TEST(Faults, AfterAKillThePlayGoesOn) {
    Disk disk;
    const std::vector<Stand> stands = play(disk);
    const std::vector<Disk::Operation> operations = disk.operations();
    disk.remember_operations(false);
    tests::Random random(13);
    for (int times = 0; times < 20; ++times) {
        Replay replay;
        const std::size_t stop = operations.size() / 4 + random.below(operations.size() / 2);
        for (std::size_t i = 0; i < stop; ++i) {
            replay.next(operations[i]);
        }
        disk.put(replay.power_cut(random));
        {
            const auto store = open_disk();
            Campaign campaign = Campaign::open(*store, "c").value();
            // The same replies again, from where it stands.
            tests::Random script(7);
            for (std::int64_t i = 0; i < static_cast<std::int64_t>(turns_of_a_play()); ++i) {
                const std::string reply = some_reply(script);
                if (i >= campaign.number()) {
                    ASSERT_TRUE(say(campaign, reply));
                }
            }
            EXPECT_EQ(campaign.head(), stands.back().head) << "stopped after " << stop;
            EXPECT_TRUE(store->check()->empty());
            EXPECT_TRUE(verify(campaign)->defects.empty());
        }
        disk.put({});
    }
}

TEST(Faults, NoRoomAtEveryWrite) {
    std::vector<Stand> stands;
    {
        Disk disk;
        stands = play(disk);
    }
    Disk disk;
    disk.remember_operations(false);
    const auto store = open_disk();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(7);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < turns_of_a_play(); ++i) {
        const std::string reply = some_reply(random);
        // First the first write of the turn fails, then the second, … until all succeed.
        for (std::size_t nth = 1;; ++nth) {
            disk.fail_write(nth);
            const auto kept = say(campaign, reply);
            const bool failed = disk.has_failed();
            disk.forget_failure();
            if (kept) {
                // Or it failed where nothing depends on it: while the log was written back.
                ASSERT_EQ(*kept, stands[i + 1].head);
                break;
            }
            ASSERT_TRUE(failed) << base::explain(kept.error(), base::Language::kEnglish);
            ASSERT_EQ(kept.error().code, base::ErrorCode::kStoreFull);
            ++refused;
            // Reading goes on, and nothing has changed.
            expect_prefix(*store, stands, i + 1);
            ASSERT_EQ(Campaign::open(*store, "c")->head(), stands[i].head);
            ASSERT_FALSE(HasFailure()) << "turn " << i << ", write " << nth;
        }
    }
    EXPECT_GT(refused, turns_of_a_play() * 4);
    EXPECT_EQ(campaign.head(), stands.back().head);
    EXPECT_TRUE(store->check()->empty());
    EXPECT_TRUE(verify(campaign)->defects.empty());
}

TEST(Faults, EverySyncFails) {
    std::vector<Stand> stands;
    {
        Disk disk;
        stands = play(disk);
    }
    Disk disk;
    disk.remember_operations(false);
    auto store = open_disk();
    std::optional<Campaign> campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(7);
    std::size_t failures = 0;
    std::string reply = some_reply(random);
    bool power = false;
    for (std::size_t nth = 1; static_cast<std::size_t>(campaign->number()) < turns_of_a_play();) {
        const auto before = static_cast<std::size_t>(campaign->number());
        disk.fail_sync(nth);
        const auto kept = say(*campaign, reply);
        const bool failed = disk.has_failed();
        disk.forget_failure();
        if (!failed) {
            ASSERT_TRUE(kept);
            ASSERT_EQ(*kept, stands[before + 1].head);
            reply = some_reply(random);
            nth = 1;
            continue;
        }
        ++failures;
        ++nth;
        // Acknowledged only where the failure was after that, while the log was written back. In
        // any case nothing more is written: no later sync could be believed.
        const std::size_t acknowledged = before + 1 + (kept ? 1 : 0);
        const auto more = say(*campaign, "再说一句。");
        ASSERT_FALSE(more);
        ASSERT_EQ(more.error().code, base::ErrorCode::kStoreReadOnly);
        expect_prefix(*store, stands, acknowledged);
        // Opened again, it is whole; after a power cut too.
        campaign.reset();
        store.reset();
        power = !power;
        disk.put(power ? disk.image_after_power_cut() : disk.image());
        store = open_disk();
        const std::size_t number = expect_prefix(*store, stands, acknowledged);
        ASSERT_FALSE(HasFailure()) << "turn " << before << ", sync " << nth - 1;
        ASSERT_TRUE(store->check()->empty());
        campaign = Campaign::open(*store, "c").value();
        if (number > before + 1) {
            reply = some_reply(random);
            nth = 1;
        }
    }
    EXPECT_GT(failures, turns_of_a_play() / 2);
    EXPECT_EQ(campaign->head(), stands.back().head);
    EXPECT_TRUE(verify(*campaign)->defects.empty());
}

}  // namespace
}  // namespace arbiter::ledger
