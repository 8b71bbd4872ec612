// Goal: damage is named, never passed on (acceptance ledger D1, D2, D8, D9, dos D16): verify looks
// at texts and pointers, reading a broken line fails, an archive that cannot be played is refused,
// and salvage writes the good part of a store and names the rest. Method: a store whose rows can be
// changed behind the ledger's back.
#include "ledger/archive.h"
#include "ledger/forwarding_store.h"
#include "ledger/record_pack.h"
#include "ledger/salvage.h"
#include "ledger/verify.h"
#include "tests/ledger/support.h"
#include "tests/support/archive_lines.h"

namespace arbiter::ledger {
namespace {

using base::ErrorCode;

// A store in memory that lies about single rows.
// Exists before its base, which refers to it.
struct OwnMemory {
    std::unique_ptr<Store> memory = make_memory_store();
};
class DamagedStore : private OwnMemory, public ForwardingStore {
  public:
    DamagedStore() : ForwardingStore(*memory) {}

    std::function<std::optional<TurnRow>(TurnRow)> turn_row = [](TurnRow row) {
        return std::optional(std::move(row));
    };
    std::function<CampaignRow(CampaignRow)> campaign_row = [](CampaignRow row) { return row; };
    std::function<std::optional<std::string>(std::string)> blob_bytes = [](std::string bytes) {
        return std::optional(std::move(bytes));
    };
    std::function<std::optional<std::string>(const TurnId&, std::string)> keyframe_bytes =
        [](const TurnId&, std::string bytes) { return std::optional(std::move(bytes)); };
    std::vector<Checkpoint> more_checkpoints;
    std::vector<TurnId> more_keyframes;

    base::Result<std::vector<CampaignRow>> campaigns() override {
        auto rows = inner_.campaigns();
        for (CampaignRow& row : *rows) {
            row = campaign_row(row);
        }
        return rows;
    }
    base::Result<CampaignRow> campaign(std::string_view id) override {
        auto row = inner_.campaign(id);
        return row ? base::Result<CampaignRow>(campaign_row(*row)) : row;
    }
    base::Result<std::optional<TurnRow>> turn(std::string_view campaign,
                                              const TurnId& id) override {
        auto row = inner_.turn(campaign, id);
        return row && *row ? base::Result<std::optional<TurnRow>>(turn_row(**row)) : row;
    }
    base::Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        std::vector<TurnRow> rows;
        const auto all = inner_.turns(campaign);
        for (const TurnRow& row : *all) {
            if (auto seen = turn_row(row)) {
                rows.push_back(*std::move(seen));
            }
        }
        return rows;
    }
    base::Result<std::size_t> turn_count(std::string_view campaign) override {
        return turns(campaign)->size();
    }
    base::Result<> visit_turns(std::string_view campaign, const std::optional<TurnId>& after,
                               const std::function<bool(const TurnRow&)>& each) override {
        return inner_.visit_turns(campaign, after, [&](const TurnRow& row) {
            const auto seen = turn_row(row);
            return !seen || each(*seen);
        });
    }
    base::Result<> visit_ancestors(std::string_view campaign, const TurnId& from, Content content,
                                   const std::function<bool(const TurnRow&)>& each) override {
        // By the damaged columns, as a database does.
        for (std::optional<TurnId> at = from; at;) {
            const auto row = turn(campaign, *at);
            if (!row || !*row) {
                return {};
            }
            TurnRow seen = **row;
            if (content == Content::kHeader) {
                seen.bytes.clear();
            }
            if (!each(seen)) {
                return {};
            }
            at = seen.parent;
        }
        return {};
    }
    base::Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                      const TurnId& turn) override {
        auto bytes = inner_.keyframe(campaign, turn);
        return bytes && *bytes
                   ? base::Result<std::optional<std::string>>(keyframe_bytes(turn, **bytes))
                   : bytes;
    }
    base::Result<std::vector<TurnId>> keyframes(std::string_view campaign) override {
        auto ids = inner_.keyframes(campaign);
        ids->insert(ids->end(), more_keyframes.begin(), more_keyframes.end());
        return ids;
    }
    base::Result<std::optional<std::string>> blob(std::string_view campaign,
                                                  const Digest& digest) override {
        auto bytes = inner_.blob(campaign, digest);
        return bytes && *bytes ? base::Result<std::optional<std::string>>(blob_bytes(**bytes))
                               : bytes;
    }
    base::Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) override {
        auto all = inner_.checkpoints(campaign);
        all->insert(all->end(), more_checkpoints.begin(), more_checkpoints.end());
        return all;
    }
};

// A campaign of 12 turns, one of them on a branch of its own.
std::vector<TurnId> play(Store& store) {
    Campaign campaign = Campaign::begin(store, beginning("c")).value();
    std::vector<TurnId> ids = {campaign.head()};
    tests::Random random(5);
    for (int i = 0; i < 12; ++i) {
        ids.push_back(say(campaign, some_reply(random)).value());
    }
    EXPECT_TRUE(campaign.checkpoint("here", 1, 0));
    return ids;
}

std::vector<std::string> findings(DamagedStore& store) {
    const Campaign campaign = Campaign::open_without_state(store, "c").value();
    std::vector<std::string> messages;
    for (const TurnDefect& each : verify(campaign)->defects) {
        messages.push_back(each.message);
    }
    return messages;
}

// Everything that reads the line refuses, and nothing is exported or copied.
void expect_loud(DamagedStore& store) {
    const Campaign campaign = Campaign::open_without_state(store, "c").value();
    EXPECT_FALSE(audit(campaign, {}));
    EXPECT_FALSE(blame(campaign, {"play_character_data"}));
    EXPECT_FALSE(rebuild(campaign, step_under(world_rules())));
    EXPECT_FALSE(export_campaign(campaign));
    const auto other = make_memory_store();
    EXPECT_FALSE(copy_campaign(campaign, *other));
    EXPECT_TRUE(other->campaigns()->empty());
}

// A turn of an earlier version, which stored bytes as they came.
TEST(Damage, ATurnWithBytesThatAreNotUtf8IsReadRepaired) {
    const auto store = make_memory_store();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    ASSERT_TRUE(say(campaign, "一路无话。"));
    Record record = campaign.record(campaign.head()).value();
    record.parent = campaign.head();
    record.number = 2;
    record.steps.clear();
    record.meta.clear();
    record.actions.clear();
    record.audit = {};
    record.proposals = {};
    record.shown = "The wind is cold\xe9\x9b";
    record.raw = record.shown + "!";
    record.said =
        "a\xff"
        "b";
    const EncodedRecord encoded = print_record(record);
    Commit commit;
    commit.campaign = "c";
    const TurnId id = sha256(encoded.replay_part);
    commit.turns.push_back({id, record.parent, 2, record.time, pack_record(encoded)});
    commit.head = HeadMove{campaign.head(), id, {}};
    ASSERT_TRUE(store->commit(commit));

    Campaign again = Campaign::open(*store, "c").value();
    EXPECT_EQ(again.record(id)->shown, "The wind is cold\xEF\xBF\xBD");
    EXPECT_EQ(again.record(id)->said,
              "a\xEF\xBF\xBD"
              "b");
    ASSERT_TRUE(say(again, "夜深了。"));
    const auto report = verify(again);
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->defects.empty());
    ASSERT_EQ(report->repaired.size(), 1U);
    EXPECT_EQ(report->repaired[0].turn, id);
    // It moves to other stores with the bytes that its id vouches for.
    const std::string text = export_campaign(again).value();
    const auto other = make_memory_store();
    ASSERT_EQ(import_campaign(*other, tests::lines_of(text)).value(), "c");
    const Campaign brought = Campaign::open(*other, "c").value();
    EXPECT_EQ(brought.state(), again.state());
    EXPECT_EQ(export_campaign(brought).value(), text);
    const auto third = make_memory_store();
    EXPECT_TRUE(copy_campaign(again, *third).value());
    EXPECT_TRUE(Campaign::open(*third, "c"));
}

TEST(Damage, OfRuleTextsIsNamed) {
    for (const bool is_missing : {true, false}) {
        DamagedStore store;
        play(store);
        EXPECT_TRUE(findings(store).empty());
        store.blob_bytes = [&](std::string bytes) {
            bytes[bytes.size() / 2] ^= 1;
            return is_missing ? std::nullopt : std::optional(bytes);
        };
        ASSERT_FALSE(findings(store).empty());
        EXPECT_EQ(findings(store)[0], "a rule text is missing or damaged");
        EXPECT_FALSE(export_campaign(Campaign::open_without_state(store, "c").value()));
        const auto other = make_memory_store();
        EXPECT_FALSE(copy_campaign(Campaign::open_without_state(store, "c").value(), *other));
        EXPECT_TRUE(other->campaigns()->empty());
    }
}

TEST(Damage, OfPointersIsNamed) {
    const TurnId nowhere = sha256("nowhere");
    using Damage = std::function<void(DamagedStore&)>;
    const std::vector<std::pair<std::string, Damage>> kinds = {
        {"the head is missing",
         [&](DamagedStore& store) {
             store.campaign_row = [&](CampaignRow row) {
                 row.head = nowhere;
                 return row;
             };
         }},
        {"the turn that undo leads to is missing",
         [&](DamagedStore& store) {
             store.campaign_row = [&](CampaignRow row) {
                 row.undo = nowhere;
                 return row;
             };
         }},
        {"the turn of a checkpoint is missing",
         [&](DamagedStore& store) { store.more_checkpoints.push_back({nowhere, "x", 1}); }},
        {"the turn of a stored state is missing",
         [&](DamagedStore& store) { store.more_keyframes.push_back(nowhere); }}};
    for (const auto& [message, damage] : kinds) {
        DamagedStore store;
        play(store);
        damage(store);
        EXPECT_EQ(findings(store), std::vector<std::string>{message});
        EXPECT_FALSE(export_campaign(Campaign::open_without_state(store, "c").value())) << message;
        // Salvage leaves the pointer out, and the rest is whole.
        const auto saved = make_memory_store();
        const auto report = salvage(store, store.campaigns()->at(0), *saved);
        ASSERT_TRUE(report);
        EXPECT_EQ(report->kept, 13U);
        EXPECT_TRUE(verify(Campaign::open(*saved, "c").value())->defects.empty());
    }
}

TEST(Damage, OfSingleColumnsIsNamedAndLoud) {
    using Damage = std::function<std::optional<TurnRow>(TurnRow)>;
    const std::vector<Damage> kinds = {
        [](TurnRow row) {
            row.parent = row.number == 4 ? std::nullopt : row.parent;
            return std::optional(row);
        },
        [](TurnRow row) {
            row.number += row.number == 4 ? 1 : 0;
            return std::optional(row);
        },
        [](TurnRow row) {
            row.time += row.number == 4 ? 1 : 0;
            return std::optional(row);
        },
        [](TurnRow row) { return row.number == 4 ? std::nullopt : std::optional(row); },
        [](TurnRow row) {
            if (row.number == 4 && !row.bytes.empty()) {
                row.bytes[row.bytes.size() / 2] ^= 4;
            }
            return std::optional(row);
        }};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        DamagedStore store;
        const std::vector<TurnId> ids = play(store);
        store.turn_row = kinds[i];
        EXPECT_FALSE(findings(store).empty()) << i;
        expect_loud(store);
        const auto saved = make_memory_store();
        const auto report = salvage(store, store.campaigns()->at(0), *saved);
        ASSERT_TRUE(report) << i;
        ASSERT_TRUE(report->is_written) << i;
        const Campaign good = Campaign::open(*saved, "c").value();
        EXPECT_TRUE(verify(good)->defects.empty()) << i;
        if (i < 3) {
            // The record vouches for itself.
            EXPECT_TRUE(report->is_whole()) << i;
            EXPECT_EQ(good.head(), ids.back()) << i;
        } else {
            EXPECT_EQ(report->kept, 4U) << i;
            EXPECT_EQ(report->lost.size(), 10U) << i;  // nine turns and a checkpoint
            EXPECT_EQ(report->lost[1].number, 4) << i;
            EXPECT_EQ(good.row().head, ids[3]) << i;
        }
    }
}

// A keyframe behind the damage still gives the newest state.
TEST(Damage, SalvageGoesOnFromTheNewestState) {
    DamagedStore store;
    Campaign campaign = Campaign::begin(store, beginning("c")).value();
    tests::Random random(9);
    for (int i = 0; i < 205; ++i) {
        ASSERT_TRUE(say(campaign, some_reply(random)));
    }
    store.turn_row = [](TurnRow row) {
        return row.number == 7 ? std::nullopt : std::optional(row);
    };
    const auto saved = make_memory_store();
    const auto report = salvage(store, store.campaigns()->at(0), *saved).value();
    EXPECT_EQ(report.kept, 7U);
    EXPECT_EQ(report.added_state, 205);
    EXPECT_FALSE(report.is_whole());
    const Campaign good = Campaign::open(*saved, "c").value();
    EXPECT_EQ(good.state(), campaign.state());
    EXPECT_TRUE(verify(good)->defects.empty());
    // A lost first state follows from a later one.
    store.turn_row = [](TurnRow row) { return std::optional(std::move(row)); };
    store.keyframe_bytes = [&](const TurnId& turn, std::string bytes) {
        const bool is_first = !campaign.record(turn)->parent;
        return is_first ? std::nullopt : std::optional(std::move(bytes));
    };
    EXPECT_FALSE(findings(store).empty());
    const auto again = make_memory_store();
    EXPECT_TRUE(salvage(store, store.campaigns()->at(0), *again)->is_whole());
    EXPECT_TRUE(verify(Campaign::open(*again, "c").value())->defects.empty());
}

// Texts that are lost may be known elsewhere.
TEST(Damage, SalvageTakesTextsFromElsewhere) {
    DamagedStore store;
    play(store);
    store.blob_bytes = [](const std::string&) { return std::nullopt; };
    const auto none = salvage(store, store.campaigns()->at(0), *make_memory_store()).value();
    EXPECT_FALSE(none.is_written);
    EXPECT_EQ(none.lost.size(), 13U);
    const auto saved = make_memory_store();
    const auto report = salvage(store, store.campaigns()->at(0), *saved,
                                [](const Digest& digest) -> std::optional<std::string> {
                                    for (const config::NamedText& source : world().sources) {
                                        if (sha256(source.text) == digest) {
                                            return source.text;
                                        }
                                    }
                                    return std::nullopt;
                                });
    EXPECT_TRUE(report->is_whole());
    EXPECT_TRUE(verify(Campaign::open(*saved, "c").value())->defects.empty());
}

// ---- archives

std::string with_digest(const std::string& lines) {
    return lines + "{\"digest\":\"" + sha256(lines).hex() + "\"}\n";
}
std::string without_lines(const std::string& archive, std::string_view beginning) {
    std::string kept;
    for (std::string_view rest = archive; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n') + 1);
        if (!line.starts_with(beginning) && !line.starts_with("{\"digest\"")) {
            kept += line;
        }
        rest.remove_prefix(line.size());
    }
    return kept;
}

TEST(Damage, ForgedArchivesAreRefused) {
    const auto store = make_memory_store();
    play(*store);
    const Campaign campaign = Campaign::open(*store, "c").value();
    const std::string text = export_campaign(campaign).value();
    const std::string nowhere = sha256("nowhere").hex();
    const std::string lines = without_lines(text, "{\"digest\"");
    const auto code = [](const std::string& archive) {
        const auto other = make_memory_store();
        const auto id = import_campaign(*other, tests::lines_of(archive));
        EXPECT_EQ(id.has_value(), !other->campaigns()->empty());
        return id ? std::optional<ErrorCode>() : id.error().code;
    };
    EXPECT_EQ(code(with_digest(lines)), std::nullopt);
    EXPECT_EQ(code(with_digest(without_lines(text, "{\"text\""))), ErrorCode::kCorrupt);
    EXPECT_EQ(code(with_digest(without_lines(text, "{\"text\"") + "{\"text\":\"another\"}\n")),
              ErrorCode::kCorrupt);
    EXPECT_EQ(code(with_digest(without_lines(text, "{\"state\""))), ErrorCode::kCorrupt);
    EXPECT_EQ(
        code(with_digest(lines + "{\"checkpoint\":\"x\",\"of\":\"" + nowhere + "\",\"time\":1}\n")),
        ErrorCode::kCorrupt);
    std::string undo = lines;
    undo.replace(undo.find("\"head\":"), 0, "\"undo\":\"" + nowhere + "\",");
    EXPECT_EQ(code(with_digest(undo)), ErrorCode::kCorrupt);
    EXPECT_EQ(code(with_digest(lines) + "{}\n"), ErrorCode::kCorrupt);
    EXPECT_EQ(code(with_digest(lines + lines)), ErrorCode::kCorrupt);
    EXPECT_EQ(code(lines), ErrorCode::kCorrupt);
    EXPECT_EQ(code(with_digest("")), ErrorCode::kCorrupt);
    // A campaign that the caller cannot play.
    const auto other = make_memory_store();
    ArchiveOptions options;
    options.check_playable = [](const Campaign&) -> base::Result<> {
        return base::fail(ErrorCode::kRecordField, {"rules"});
    };
    EXPECT_FALSE(import_campaign(*other, tests::lines_of(text), options));
    EXPECT_FALSE(export_campaign(campaign, options));
    EXPECT_TRUE(other->campaigns()->empty());
}

TEST(Damage, TextsThatNoTurnNamesAreNotKept) {
    const auto store = make_memory_store();
    play(*store);
    const std::string text = export_campaign(Campaign::open(*store, "c").value()).value();
    const auto other = make_memory_store();
    ASSERT_TRUE(
        import_campaign(*other, tests::lines_of(with_digest(without_lines(text, "{\"digest\"") +
                                                            "{\"text\":\"nobody asked\"}\n"))));
    EXPECT_FALSE(*other->blob("c", sha256("nobody asked")));
    EXPECT_EQ(export_campaign(Campaign::open(*other, "c").value()).value(), text);
}

// Long texts are written in pieces, since a line is read at once.
TEST(Damage, LargeTurnsMoveInPieces) {
    const auto store = make_memory_store();
    NewCampaign begin = beginning("c");
    begin.state.document = value::Object{{"a", std::string_view(std::string(5'000'000, '"'))}};
    Campaign campaign = Campaign::begin(*store, begin).value();
    engine::State after = campaign.state();
    after.document = value::Object();
    ASSERT_TRUE(campaign.edit(after, 1, "clear"));
    const std::string text = export_campaign(campaign).value();
    const auto other = make_memory_store();
    ASSERT_EQ(import_campaign(*other, tests::lines_of(text)).value(), "c");
    EXPECT_EQ(export_campaign(Campaign::open(*other, "c").value()).value(), text);
}

}  // namespace
}  // namespace arbiter::ledger
