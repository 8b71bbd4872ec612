// Goal: campaigns recorded in format 1 (tests/fixtures/format1) stay readable for ever: same ids,
// same states, same audit, and playing them again leads to the same states.
// Method: each fixture is imported, verified, compared with digests written down when it was made,
// replayed, and exported to the very bytes it came from.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "campaign/replay.h"
#include "ledger/archive.h"
#include "ledger/history.h"
#include "ledger/store/memory.h"
#include "tests/support/archive_lines.h"
#include "value/json.h"

namespace arbiter::campaign {
namespace {

const std::filesystem::path kFolder =
    (std::filesystem::path(ARBITER_TEST_DATA) / "../../fixtures/format1").lexically_normal();

struct Expected {
    std::string_view file;
    std::size_t turns;
    std::string_view states;  // the digest of id and state hash of all turns
    std::string_view audit;   // the digest of all audit records of the head's line
    std::string_view log;     // the digest of the applied actions of all turns
    friend void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.file; }
};

// One line for each turn of the tree: its id and the hash of the state that is loaded for it.
std::string states_of(const ledger::Campaign& campaign) {
    std::string lines;
    for (const ledger::TurnRow& row : campaign.turns().value()) {
        const auto state = campaign.state_at(row.id);
        EXPECT_TRUE(state) << row.number;
        lines += row.id.hex() + " " + (state ? ledger::hash_of(*state) : "-") + "\n";
    }
    return lines;
}

std::string audit_of(const ledger::Campaign& campaign) {
    std::string lines;
    for (const ledger::AuditEntry& entry : ledger::audit(campaign, {}).value()) {
        lines += std::to_string(entry.number) + " " + value::print_json(entry.record) + "\n";
    }
    return lines;
}

std::string log_of(const ledger::Campaign& campaign) {
    std::string lines;
    for (const ledger::TurnRow& row : campaign.turns().value()) {
        const ledger::Record record = campaign.record(row.id).value();
        lines += value::print_json(ledger::applied_actions(record)) + "\n";
    }
    return lines;
}

void expect_replays(const ledger::Campaign& campaign) {
    const auto verified = ledger::verify(campaign);
    ASSERT_TRUE(verified);
    for (const auto& finding : verified->defects) {
        ADD_FAILURE() << "verify: " << finding.number << ": " << finding.message;
    }
    const auto rebuilt =
        ledger::rebuild(campaign, replay_step(campaign), {}, reread_step(campaign));
    ASSERT_TRUE(rebuilt) << base::explain(rebuilt.error(), base::Language::kEnglish);
    for (const auto& finding : rebuilt->defects) {
        ADD_FAILURE() << "rebuild: " << finding.number << ": " << finding.message;
    }
}

// Every turn of the tree is on a line to one of its ends.
void expect_all_branches_replay(ledger::Store& store, const std::string& id) {
    ledger::Campaign campaign = ledger::Campaign::open(store, id).value();
    const auto rows = campaign.turns().value();
    for (const ledger::TurnRow& row : rows) {
        const bool is_end = std::ranges::none_of(
            rows, [&](const ledger::TurnRow& each) { return each.parent == row.id; });
        if (is_end) {
            SCOPED_TRACE(row.number);
            ASSERT_TRUE(campaign.go_to(row.id));
            expect_replays(campaign);
        }
    }
}

class Format1Test : public testing::TestWithParam<Expected> {};

TEST_P(Format1Test, ReadsVerifiesReplaysAndExports) {
    std::ifstream in(kFolder / GetParam().file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    ASSERT_FALSE(text.empty());
    const auto store = ledger::make_memory_store();
    const auto id = ledger::import_campaign(*store, tests::lines_of(text));
    ASSERT_TRUE(id) << base::explain(id.error(), base::Language::kEnglish);
    const ledger::Campaign campaign = ledger::Campaign::open(*store, *id).value();
    EXPECT_EQ(campaign.turns()->size(), GetParam().turns);
    EXPECT_EQ(ledger::sha256(states_of(campaign)).brief(), GetParam().states);
    EXPECT_EQ(ledger::sha256(audit_of(campaign)).brief(), GetParam().audit);
    EXPECT_EQ(ledger::sha256(log_of(campaign)).brief(), GetParam().log);
    const auto again = ledger::export_campaign(campaign);
    ASSERT_TRUE(again);
    EXPECT_TRUE(*again == text) << "exported, it has other bytes";
    expect_all_branches_replay(*store, *id);
}

INSTANTIATE_TEST_SUITE_P(
    Archives, Format1Test,
    testing::Values(Expected{"card.jsonl", 4, "ab04dedd36", "c9b1cef230", "bb583df024"},
                    Expected{"dialects.jsonl", 16, "7ac0bd3070", "6c3ddd7edb", "62e317b579"},
                    Expected{"flow.jsonl", 17, "953b7574a1", "653ca71c39", "5149ecd02a"},
                    Expected{"protocols.jsonl", 8, "d239450fc8", "82103f40b3", "d594a6d7fb"},
                    Expected{"table-en.jsonl", 11, "29a57625c1", "91adfb83f7", "903aa31580"},
                    Expected{"table-zh.jsonl", 12, "4dff18c6fa", "afd9dc38a4", "91d38634d6"},
                    Expected{"tools.jsonl", 12, "59878359a2", "9615fd5889", "28f0a87b24"}));

TEST(Format1Store, ReadsVerifiesAndReplays) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("arbiter-format1-" + std::to_string(getpid()) + ".db");
    std::filesystem::copy_file(kFolder / "transcripts.db", file,
                               std::filesystem::copy_options::overwrite_existing);
    {
        const auto store = ledger::open_store("sqlite:" + file.string()).value();
        std::string states;
        std::string audits;
        std::size_t turns = 0;
        for (const ledger::CampaignRow& row : store->campaigns().value()) {
            SCOPED_TRACE(row.id);
            const ledger::Campaign campaign = ledger::Campaign::open(*store, row.id).value();
            turns += campaign.turns()->size();
            states += states_of(campaign);
            audits += audit_of(campaign);
            expect_replays(campaign);
        }
        EXPECT_EQ(turns, 13U);
        EXPECT_EQ(ledger::sha256(states).brief(), "2824b8602a");
        EXPECT_EQ(ledger::sha256(audits).brief(), "d4d940c3e6");
    }
    for (const char* suffix : {"", "-wal", "-shm"}) {
        std::filesystem::remove(file.string() + suffix);
    }
}

}  // namespace
}  // namespace arbiter::campaign
