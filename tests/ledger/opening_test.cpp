// Goal: opening a store changes nothing that is not a store, creates nothing unless that is meant,
// and reads where nothing can be written (acceptance D4, D5, D12, D14).
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "ledger/names.h"
#include "tests/ledger/support.h"

namespace arbiter::ledger {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

constexpr Access kAll[] = {Access::kRead, Access::kSalvage, Access::kWrite, Access::kCreate};

std::string bytes_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
std::size_t files_in(const Folder& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder.file("")), fs::directory_iterator()));
}

void run_sql(const std::string& file, const char* sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
}

TEST(Opening, AnotherProgramsDatabaseIsRefusedUntouched) {
    for (const char* sql : {"CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)",
                            "CREATE TABLE users (id INTEGER); PRAGMA user_version = 1",
                            "CREATE TABLE users (id INTEGER); PRAGMA user_version = 7",
                            "CREATE TABLE turns (id INTEGER); CREATE TABLE campaigns (id TEXT); "
                            "PRAGMA user_version = 1",
                            "CREATE TABLE turns (id INTEGER); PRAGMA journal_mode = WAL",
                            "PRAGMA application_id = 252006673; PRAGMA user_version = 1",
                            "PRAGMA user_version = 1"}) {
        const Folder folder;
        const std::string file = folder.file("f.db");
        run_sql(file, sql);
        const std::string before = bytes_of(file);
        for (const Access access : kAll) {
            const auto opened = open_store("sqlite:" + file, access);
            ASSERT_FALSE(opened) << sql;
            EXPECT_EQ(opened.error().code, ErrorCode::kStoreForeign) << sql;
        }
        EXPECT_EQ(bytes_of(file), before) << sql;
        EXPECT_EQ(files_in(folder), 1U) << sql;
    }
}

TEST(Opening, WhatIsNoStoreIsRefusedUntouched) {
    const Folder folder;
    const std::string file = folder.file("x");
    for (const std::string& content :
         {std::string("1"), std::string("hello\n"), std::string(5000, 'x'),
          std::string("SQLite format 3\0", 16),
          std::string("SQLite format 3\0", 16) + std::string(200, '\0')}) {
        std::ofstream(file, std::ios::binary) << content;
        for (const Access access : kAll) {
            EXPECT_EQ(open_store("sqlite:" + file, access).error().code, ErrorCode::kStoreJunk);
        }
        EXPECT_EQ(bytes_of(file), content);
    }
    // A folder, an empty file, a name that means something else to SQLite.
    EXPECT_EQ(open_store("sqlite:" + folder.file("")).error().code, ErrorCode::kStoreJunk);
    std::ofstream(file, std::ios::trunc).flush();
    EXPECT_EQ(open_store("sqlite:" + file, Access::kRead).error().code, ErrorCode::kStoreEmpty);
    EXPECT_EQ(open_store("sqlite:" + file, Access::kWrite).error().code, ErrorCode::kStoreEmpty);
    EXPECT_EQ(fs::file_size(file), 0U);
    EXPECT_TRUE(open_store("sqlite:" + file, Access::kCreate));
    EXPECT_TRUE(open_store("sqlite:" + file, Access::kRead));
    EXPECT_EQ(open_store("sqlite::memory:").error().code, ErrorCode::kStoreInMemory);
}

TEST(Opening, LookingCreatesNothing) {
    const Folder folder;
    const std::string file = folder.file("none.db");
    for (const Access access : {Access::kRead, Access::kSalvage, Access::kWrite}) {
        EXPECT_EQ(open_store("sqlite:" + file, access).error().code, ErrorCode::kStoreMissing);
    }
    EXPECT_EQ(migrate_store("sqlite:" + file).error().code, ErrorCode::kStoreMissing);
    EXPECT_EQ(files_in(folder), 0U);
    EXPECT_EQ(open_store("sqlite:" + folder.file("no/folder/a.db")).error().code,
              ErrorCode::kStoreFolder);
}

TEST(Opening, AStoreIsMarkedAndReadableByItsOwnerOnly) {
    const Folder folder;
    const std::string file = folder.file("a.db");
    const auto store = open_store("sqlite:" + file).value();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    ASSERT_TRUE(say(campaign, "一。"));
    for (const char* end : {"", "-wal", "-shm"}) {
        struct stat about = {};
        ASSERT_EQ(stat((file + end).c_str(), &about), 0) << end;
        EXPECT_EQ(about.st_mode & 0777U, 0600U) << end;
    }
    // A reader beside the writer, and a store of a newer version.
    EXPECT_TRUE(Campaign::open(*open_store("sqlite:" + file, Access::kRead).value(), "c"));
    const std::string newer = folder.file("newer.db");
    ASSERT_TRUE(store->backup(newer));
    run_sql(newer, "PRAGMA user_version = 99");
    const std::string before = bytes_of(newer);
    for (const Access access : kAll) {
        EXPECT_EQ(open_store("sqlite:" + newer, access).error().code, ErrorCode::kStoreVersion);
    }
    EXPECT_EQ(bytes_of(newer), before);
}

// Stores of releases that wrote no mark.
TEST(Opening, AnUnmarkedStoreIsReadAndMarkedByTheNextWrite) {
    const Folder folder;
    const std::string file = folder.file("a.db");
    {
        const auto store = open_store("sqlite:" + file).value();
        ASSERT_TRUE(Campaign::begin(*store, beginning("c")));
    }
    run_sql(file, "PRAGMA application_id = 0");
    const std::string before = bytes_of(file);
    EXPECT_EQ(open_store("sqlite:" + file, Access::kRead).value()->campaigns()->size(), 1U);
    EXPECT_EQ(bytes_of(file), before);
    const auto mark = [&] { return bytes_of(file).substr(68, 4); };
    {
        const auto store = open_store("sqlite:" + file, Access::kWrite).value();
        Campaign campaign = Campaign::open(*store, "c").value();
        ASSERT_TRUE(say(campaign, "一。"));
    }
    EXPECT_EQ(mark(), "ARBT");
}

// Version 2 had no named texts.
TEST(Opening, AStoreOfVersionTwoIsReadAndMigratedByTheNextWriter) {
    const Folder folder;
    const std::string file = folder.file("a.db");
    TurnId head;
    {
        const auto store = open_store("sqlite:" + file).value();
        Campaign campaign = Campaign::begin(*store, beginning("c")).value();
        head = say(campaign, "一。").value();
    }
    run_sql(file, "DROP TABLE named_texts; PRAGMA user_version = 2");
    const std::string before = bytes_of(file);
    {
        const auto reader = open_store("sqlite:" + file, Access::kRead).value();
        EXPECT_EQ(reader->campaign("c")->head, head);
        EXPECT_TRUE(reader->named_texts("")->empty());
        EXPECT_EQ(reader->put_named_text({"a", "b"}, std::nullopt).error().code,
                  ErrorCode::kStoreNoAccess);
    }
    EXPECT_EQ(bytes_of(file), before);
    {
        const auto writer = open_store("sqlite:" + file, Access::kWrite).value();
        EXPECT_TRUE(writer->put_named_text({"a", "b"}, std::nullopt).value());
        EXPECT_EQ(writer->campaign("c")->head, head);
        EXPECT_TRUE(writer->check()->empty());
    }
    const auto again = open_store("sqlite:" + file, Access::kRead).value();
    EXPECT_EQ(again->named_texts("a").value(), (std::vector<NamedText>{{"a", "b"}}));
    EXPECT_EQ(migrate_store("sqlite:" + file).value(), 3);
}

TEST(Opening, AReadersStoreIsNotWritten) {
    const Folder folder;
    const std::string file = folder.file("a.db");
    {
        const auto store = open_store("sqlite:" + file).value();
        ASSERT_TRUE(Campaign::begin(*store, beginning("c")));
    }
    const std::string before = bytes_of(file);
    {
        const auto store = open_store("sqlite:" + file, Access::kRead).value();
        Campaign campaign = Campaign::open(*store, "c").value();
        EXPECT_EQ(say(campaign, "一。").error().code, ErrorCode::kStoreNoAccess);
        EXPECT_FALSE(store->delete_campaign("c"));
        EXPECT_TRUE(verify(campaign)->defects.empty());
    }
    EXPECT_EQ(bytes_of(file), before);
    EXPECT_EQ(files_in(folder), 1U);
}

TEST(Opening, ABackupIsTakenWhileOthersWrite) {
    const Folder folder;
    const std::string file = folder.file("a.db");
    const auto store = open_store("sqlite:" + file).value();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(3);
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(say(campaign, some_reply(random)));
        const std::string copy = folder.file("copy-" + std::to_string(i));
        const auto reader = open_store("sqlite:" + file, Access::kRead).value();
        ASSERT_TRUE(reader->backup(copy));
        EXPECT_FALSE(fs::exists(copy + ".part"));
        const auto opened = open_store("sqlite:" + copy, Access::kRead).value();
        EXPECT_EQ(Campaign::open(*opened, "c")->head(), campaign.head());
        EXPECT_TRUE(opened->check()->empty());
        struct stat about = {};
        ASSERT_EQ(stat(copy.c_str(), &about), 0);
        EXPECT_EQ(about.st_mode & 0777U, 0600U);
        // Never over a file.
        EXPECT_EQ(reader->backup(copy).error().code, ErrorCode::kFileUnwritable);
    }
    EXPECT_EQ(make_memory_store()->backup(folder.file("m")).error().code,
              ErrorCode::kStoreNoBackup);
}

TEST(Names, OfCampaignsAndCheckpoints) {
    for (const std::string& id :
         {std::string("a"), std::string("grey-plain_2"), std::string(64, 'x')}) {
        EXPECT_TRUE(is_campaign_id(id)) << id;
    }
    for (const std::string& id : {std::string(), std::string(65, 'x'), std::string("x y/../z"),
                                  std::string("灰原"), std::string("A"), std::string("a\xff")}) {
        EXPECT_FALSE(is_campaign_id(id)) << id;
    }
    for (const char* label : {"before the gate", "第三章", "3rd", "header", "cafe"}) {
        EXPECT_TRUE(is_checkpoint_label(label)) << label;
    }
    for (const std::string& label :
         {std::string(), std::string("head"), std::string("head~1"), std::string("3"),
          std::string("a\nb"), std::string(5000, 'x'), std::string("a\x1b[0m"), std::string(" a"),
          std::string("-a"), std::string("\xff")}) {
        EXPECT_FALSE(is_checkpoint_label(label)) << label;
    }
    const auto store = make_memory_store();
    EXPECT_EQ(Campaign::begin(*store, beginning("")).error().code, ErrorCode::kCampaignId);
    EXPECT_TRUE(store->campaigns()->empty());
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    EXPECT_EQ(campaign.checkpoint("head", 0, 0).error().code, ErrorCode::kCheckpointLabel);
    EXPECT_TRUE(campaign.checkpoint("第三章", 0, 0));
}

}  // namespace
}  // namespace arbiter::ledger
