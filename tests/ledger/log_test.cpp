// Goal: a log that was left behind is read whole, or the damage is told before SQLite drops
// anything (F6, acceptance D3); a sync that failed does not lose what is acknowledged after it
// (F4, D7).
// Method: the files of a store are copied while it is open, which is what a killed process leaves;
// then bytes are changed. Power cuts run on a disk in memory (disk.h).
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "ledger/store/sqlite.h"
#include "ledger/store/write_ahead_log.h"
#include "tests/ledger/disk.h"
#include "tests/ledger/support.h"

namespace arbiter::ledger {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
void put_bytes(const std::string& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

// A store as a killed process leaves it.
struct LeftBehind {
    std::string store;
    std::string log;
    std::string index;
    std::int64_t turns = 0;

    // In a folder of its own; `with_index`: the machine was not switched off.
    void put(const std::string& file, bool with_index) const {
        put_bytes(file, store);
        put_bytes(file + "-wal", log);
        fs::remove(file + "-shm");
        if (with_index) {
            put_bytes(file + "-shm", index);
        }
    }
};

LeftBehind left_behind(const Folder& folder, int turns, const SqliteOptions& options = {}) {
    const std::string file = folder.file("played.db");
    const auto store = open_sqlite_store(file, Access::kCreate, options).value();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(23);
    for (int i = 0; i < turns; ++i) {
        EXPECT_TRUE(say(campaign, some_reply(random)));
    }
    return {bytes_of(file), bytes_of(file + "-wal"), bytes_of(file + "-shm"), campaign.number()};
}

std::int64_t turns_in(Store& store) {
    const auto campaign = Campaign::open(store, "c");
    return campaign ? campaign->number() : -1;
}

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& each : fs::directory_iterator(folder)) {
        names.push_back(each.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

// Each change of a byte is harmless or told, before anything is read.
void flip_bytes(const LeftBehind& left, bool with_index, std::size_t flips, std::uint64_t seed) {
    tests::Random random(seed);
    std::size_t told = 0;
    const std::size_t used = left.log.find_last_not_of('\0') + 1;  // the rest is reserved
    for (std::size_t i = 0; i < flips; ++i) {
        const Folder folder;
        const std::string file = folder.file("a.db");
        LeftBehind changed = left;
        const std::size_t at = random.below(used);
        changed.log[at] ^= static_cast<char>(1 + random.below(255));
        changed.put(file, with_index);
        const Access access = i % 2 == 0 ? Access::kRead : Access::kWrite;
        const auto store = open_sqlite_store(file, access);
        if (store) {
            ASSERT_EQ(turns_in(**store), left.turns) << "byte " << at << " of the log";
            continue;
        }
        ++told;
        ASSERT_EQ(store.error().code, base::ErrorCode::kLogDamaged) << at;
        ASSERT_EQ(bytes_of(file), changed.store);
        ASSERT_EQ(bytes_of(file + "-wal"), changed.log);
        ASSERT_EQ(bytes_of(file + "-wal.damaged-1"), changed.log);
        // The same command again makes no second copy.
        ASSERT_FALSE(open_sqlite_store(file, access));
        ASSERT_FALSE(fs::exists(file + "-wal.damaged-2"));
        // Up to the damage it can be salvaged, and the damage is named.
        const auto salvaged = open_sqlite_store(file, Access::kSalvage);
        if (salvaged) {
            ASSERT_FALSE((*salvaged)->check()->empty());
        }
        ASSERT_EQ(bytes_of(file + "-wal"), changed.log);
    }
    EXPECT_GT(told, flips / 2);
}

std::size_t flips_wanted() {
    return std::getenv("ARBITER_FULL") != nullptr ? 2000 : 25;
}

TEST(Log, EachChangedByteIsHarmlessOrTold) {
    const Folder folder;
    const LeftBehind left = left_behind(folder, 12);
    ASSERT_GT(left.log.size(), 100'000U);
    flip_bytes(left, true, flips_wanted(), 101);
    flip_bytes(left, false, flips_wanted(), 102);
}

// Where old frames are behind those of the present log, and pages are in the file already.
TEST(Log, EachChangedByteOfALogThatWasWrittenBackIsHarmlessOrTold) {
    const Folder folder;
    const LeftBehind left = left_behind(folder, 60, {.log_pages = 40});
    tests::Random random(7);
    for (std::size_t i = 0; i < flips_wanted(); ++i) {
        const Folder own;
        const std::string file = own.file("a.db");
        LeftBehind changed = left;
        const std::size_t at = random.below(left.log.size());
        changed.log[at] ^= static_cast<char>(1U << random.below(8));
        changed.put(file, i % 2 == 0);
        const auto store = open_sqlite_store(file, Access::kRead);
        ASSERT_TRUE(!store || turns_in(**store) == left.turns) << at;
    }
}

// The first transaction alone: nothing behind it shows that it was acknowledged, only the checksums
// do. The highest bits of a word move one half of the sum where its place in the frame makes the
// factor of the other half even.
TEST(Log, EachChangedBitOfAnOnlyTransactionIsTold) {
    constexpr std::size_t kHeader = 32;
    const Folder folder;
    std::string log = left_behind(folder, 3).log;
    const auto number_at = [&](std::size_t at) {
        std::uint32_t number = 0;
        for (std::size_t i = at; i < at + 4; ++i) {
            number = number << 8U | static_cast<unsigned char>(log[i]);
        }
        return number;
    };
    const std::uint32_t page_size = number_at(8);
    const std::size_t frame_size = 24 + page_size;
    std::size_t end = kHeader;
    while (number_at(end + 4) == 0) {
        end += frame_size;  // until the frame that commits
    }
    log.resize(end + frame_size);
    ASSERT_GT(log.size(), kHeader + frame_size);
    const auto is_damaged = [&] {
        return inspect_log(
                   [&](std::uint64_t at, char* to, std::size_t size) {
                       const bool is_there = at + size <= log.size();
                       return is_there && (log.copy(to, size, at), true);
                   },
                   page_size, std::nullopt)
            .is_damaged;
    };
    ASSERT_FALSE(is_damaged());
    const bool all = std::getenv("ARBITER_FULL") != nullptr;
    for (std::size_t at = 0; at < kHeader + frame_size; ++at) {
        if (!all && at >= kHeader + 24 && at % 4 != 3) {
            continue;
        }
        for (unsigned bit = 0; bit < 8; ++bit) {
            log[at] ^= static_cast<char>(1U << bit);
            ASSERT_TRUE(is_damaged()) << "bit " << bit << " of byte " << at;
            log[at] ^= static_cast<char>(1U << bit);
        }
    }
}

TEST(Log, CutOffItIsToldWhereItsIndexIsThere) {
    const Folder folder;
    const LeftBehind left = left_behind(folder, 10);
    for (const std::size_t size : {left.log.size() / 2, std::size_t{5000}, std::size_t{40}}) {
        const std::string file = folder.file("cut.db");
        LeftBehind cut = left;
        cut.log.resize(size);
        cut.put(file, true);
        EXPECT_EQ(open_sqlite_store(file, Access::kWrite).error().code,
                  base::ErrorCode::kLogDamaged)
            << size;
    }
}

// A frame that was never synced is not damage: the transaction was not acknowledged.
TEST(Log, ATornLastTransactionIsNormal) {
    const Folder folder;
    const std::string file = folder.file("played.db");
    const auto store = open_sqlite_store(file).value();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    ASSERT_TRUE(say(campaign, "一。"));
    const std::string before = bytes_of(file + "-wal");
    const std::int64_t turns = campaign.number();
    ASSERT_TRUE(say(campaign, "二。"));
    const LeftBehind left = {bytes_of(file), bytes_of(file + "-wal"), {}, turns};
    ASSERT_GT(left.log.size(), before.size());
    constexpr std::size_t kSector = 512;
    for (std::size_t at = before.size(); at < left.log.size(); at += kSector) {
        LeftBehind torn = left;
        const std::size_t size = std::min(kSector, torn.log.size() - at);
        if (torn.log.find_first_not_of('\0', at) >= at + size) {
            continue;  // the sector was nothing but zeros
        }
        torn.log.replace(at, size, size, '\0');
        const std::string copy = folder.file("torn.db");
        torn.put(copy, false);
        const auto opened = open_sqlite_store(copy, Access::kRead);
        ASSERT_TRUE(opened) << base::explain(opened.error(), base::Language::kEnglish) << at;
        ASSERT_GE(turns_in(**opened), turns);
    }
}

// The same where the log is used again: a sector that was not written holds a part of an older
// frame. The headers of some frames lie in two sectors, and page number and commit flag of one of
// them may be those of the older frame.
TEST(Log, ATornHeaderThatLiesInTwoSectorsIsNormal) {
    constexpr std::size_t kSector = 512;
    constexpr std::size_t kHeader = 32;
    Disk disk;
    disk.remember_operations(false);
    const auto store =
        open_sqlite_store("a.db", Access::kCreate, SqliteOptions{.log_pages = 60}).value();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(11);
    std::size_t torn_headers = 0;
    std::string before = disk.image().at("a.db-wal");
    for (int i = 0; i < 400; ++i) {
        ASSERT_TRUE(say(campaign, some_reply(random)));
        const std::string after = disk.image().at("a.db-wal");
        std::uint32_t page_size = 0;
        for (std::size_t at = 8; at < 12; ++at) {
            page_size = page_size << 8U | static_cast<unsigned char>(after[at]);
        }
        const bool is_same_log = before.starts_with(std::string_view(after).substr(0, kHeader));
        for (std::size_t at = kHeader; is_same_log && at + 24 <= before.size();
             at += 24 + page_size) {
            const std::size_t end = at % kSector + 24 > kSector ? at + kSector - at % kSector : at;
            if (before.compare(at, end - at, after, at, end - at) == 0) {
                continue;
            }
            std::string torn = after;
            torn.replace(at, end - at, before, at, end - at);
            ++torn_headers;
            const auto read = [&](std::uint64_t from, char* to, std::size_t size) {
                const bool is_there = from + size <= torn.size();
                return is_there && (torn.copy(to, size, from), true);
            };
            ASSERT_FALSE(inspect_log(read, page_size, std::nullopt).is_damaged)
                << "turn " << i << ", byte " << at;
        }
        before = after;
    }
    EXPECT_GT(torn_headers, 5U);
}

TEST(Log, AReaderLeavesItAndAWriterWritesItBack) {
    const Folder folder;
    const LeftBehind left = left_behind(folder, 5);
    const std::string file = folder.file("a.db");
    left.put(file, true);
    EXPECT_EQ(turns_in(*open_sqlite_store(file, Access::kRead).value()), left.turns);
    EXPECT_EQ(bytes_of(file), left.store);
    EXPECT_EQ(bytes_of(file + "-wal"), left.log);
    EXPECT_EQ(turns_in(*open_sqlite_store(file, Access::kWrite).value()), left.turns);
    EXPECT_FALSE(fs::exists(file + "-wal"));
    EXPECT_EQ(names_in(fs::path(file).parent_path()),
              (std::vector<std::string>{"a.db", "played.db"}));
}

// SQLite deletes a log beside an empty file.
TEST(Log, WithoutItsStoreItIsKept) {
    const Folder folder;
    const LeftBehind left = left_behind(folder, 5);
    const std::string file = folder.file("a.db");
    for (const bool is_empty : {true, false}) {
        left.put(file, true);
        is_empty ? put_bytes(file, "") : static_cast<void>(fs::remove(file));
        for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate}) {
            EXPECT_EQ(open_sqlite_store(file, access).error().code, base::ErrorCode::kLogAlone);
        }
        EXPECT_EQ(bytes_of(file + "-wal"), left.log);
    }
}

// fsyncgate: a sync fails, the store is opened again, turns are acknowledged behind the frames that
// the kernel takes for clean, and the power goes.
TEST(Log, AfterAFailedSyncAndAPowerCutNothingAcknowledgedIsLost) {
    constexpr SqliteOptions kOptions = {.log_pages = 400};
    for (std::size_t nth = 1; nth <= 3; ++nth) {
        Disk disk;
        TurnId head;
        {
            const auto store = open_sqlite_store("a.db", Access::kCreate, kOptions).value();
            Campaign campaign = Campaign::begin(*store, beginning("c")).value();
            ASSERT_TRUE(say(campaign, "一。"));
            disk.fail_sync(nth);
            tests::Random random(nth);
            while (!disk.has_failed()) {
                (void)say(campaign, some_reply(random));
            }
            disk.forget_failure();
        }
        const std::size_t first = disk.operations().size();
        {
            const auto store = open_sqlite_store("a.db", Access::kWrite, kOptions).value();
            Campaign campaign = Campaign::open(*store, "c").value();
            for (int i = 0; i < 6; ++i) {
                ASSERT_TRUE(say(campaign, "再说一句。"));
            }
            head = campaign.head();
            const Disk::Image cut = disk.image_after_power_cut();
            EXPECT_GT(disk.operations().size(), first);
            Disk after;
            after.put(cut);
            const auto again = open_sqlite_store("a.db", Access::kWrite, kOptions);
            ASSERT_TRUE(again) << nth;
            const Campaign found = Campaign::open(**again, "c").value();
            EXPECT_EQ(found.head(), head) << nth;
            EXPECT_TRUE((*again)->check()->empty());
            EXPECT_TRUE(verify(found)->defects.empty());
        }
    }
}

}  // namespace
}  // namespace arbiter::ledger
