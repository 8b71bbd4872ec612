// Goal: every store keeps the same history, any turn's state can be had again, going back and forth
// loses nothing, and playing again leads to the same place.
// Method: one suite over all stores; random stories against a plain list of states.
// proves: S2-66 S2-67 S2-68 S1-14 S1-72 S1-73 S1-74 S1-75 S1-76 X-8
#include <map>

#include "ledger/archive.h"
#include "ledger/keyframes.h"
#include "tests/ledger/postgres_server.h"
#include "tests/ledger/support.h"
#include "tests/support/archive_lines.h"
#include "value/hash.h"

namespace arbiter::ledger {
namespace {

using engine::State;

class EveryStore : public testing::TestWithParam<std::string> {
  protected:
    [[nodiscard]] std::unique_ptr<Store> make() const {
        if (GetParam() == "memory") {
            return make_memory_store();
        }
        if (GetParam() == "postgres") {
            return open_store(PostgresServer::shared().fresh_url()).value();
        }
        return open_store("sqlite:" + folder_.file("a.db")).value();
    }
    Folder folder_;
};
INSTANTIATE_TEST_SUITE_P(Stores, EveryStore, testing::Values("memory", "sqlite", "postgres"),
                         [](const auto& each) { return each.param; });

bool same(const State& a, const State& b) {
    return value::same_bytes(a.document, b.document) &&
           value::same_bytes(value::Value(a.meta), value::Value(b.meta));
}

TEST_P(EveryStore, KeepsWhatWasSaid) {
    const auto store = make();
    Campaign campaign = Campaign::begin(*store, beginning("c1")).value();
    EXPECT_EQ(campaign.number(), 0);
    const TurnId first = say(campaign, "风起。\nset_attribute('货币段.积分', 5);").value();
    EXPECT_EQ(campaign.head(), first);
    const Record record = campaign.record(first).value();
    EXPECT_EQ(record.number, 1);
    EXPECT_EQ(record.shown, "风起。");
    EXPECT_EQ(record.proposals.size(), 1U);
    EXPECT_EQ(value::print_json(*value::find(campaign.state().document,
                                             {"play_character_data", "货币段", "积分"})),
              "[5,\"通用货币\"]");
    // And again from the store.
    const Campaign again = Campaign::open(*store, "c1").value();
    EXPECT_EQ(again.head(), first);
    EXPECT_TRUE(same(again.state(), campaign.state()));
    EXPECT_EQ(store->campaigns().value().size(), 1U);
    EXPECT_EQ(Campaign::open(*store, "c2").error().code, base::ErrorCode::kCampaignUnknown);
    EXPECT_EQ(Campaign::begin(*store, beginning("c1")).error().code,
              base::ErrorCode::kCampaignExists);
}

TEST_P(EveryStore, AnyTurnsStateCanBeHadAgain) {
    const auto store = make();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(3);
    std::map<TurnId, State> states = {{campaign.head(), campaign.state()}};
    std::vector<TurnId> all = {campaign.head()};
    for (int i = 0; i < 260; ++i) {
        if (i > 215 && random.below(10) == 0) {
            ASSERT_TRUE(campaign.go_to(random.pick(all)));
        }
        const TurnId id = say(campaign, some_reply(random)).value();
        states.emplace(id, campaign.state());
        all.push_back(id);
    }
    for (const auto& [id, state] : states) {
        EXPECT_TRUE(same(campaign.state_at(id).value(), state));
    }
    const CheckReport report = verify(campaign).value();
    EXPECT_TRUE(report.defects.empty()) << report.defects[0].message;
    EXPECT_EQ(report.turns, states.size());
    // Kept states are only short cuts.
    EXPECT_GT(thin(campaign, {.recent = 0, .every = 100000}).value(), 0U);
    EXPECT_TRUE(same(campaign.state_at(all.back()).value(), states.at(all.back())));
}

TEST_P(EveryStore, RollbackAndUndoAreTheIdentity) {
    const auto store = make();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(5);
    std::vector<TurnId> line = {campaign.head()};
    for (int i = 0; i < 20; ++i) {
        line.push_back(say(campaign, some_reply(random)).value());
    }
    const State last = campaign.state();
    EXPECT_EQ(campaign.undo().error().code, base::ErrorCode::kNothingToUndo);
    ASSERT_TRUE(campaign.rollback(line[12]));
    ASSERT_TRUE(campaign.rollback(line[3]));
    EXPECT_EQ(campaign.number(), 3);
    // It is still there for whoever opens it anew.
    Campaign again = Campaign::open(*store, "c").value();
    EXPECT_EQ(again.head(), line[3]);
    EXPECT_EQ(again.row().undo, line[20]);
    ASSERT_TRUE(again.undo());
    EXPECT_EQ(again.head(), line[20]);
    EXPECT_TRUE(same(again.state(), last));
    // Something new: no way back, but a branch.
    ASSERT_TRUE(again.rollback(line[10]));
    const TurnId other = say(again, "另一条路。").value();
    EXPECT_EQ(again.undo().error().code, base::ErrorCode::kNothingToUndo);
    EXPECT_EQ(again.record(other)->parent, line[10]);
    EXPECT_EQ(again.find("head~1").value(), line[10]);
    EXPECT_EQ(again.find("3").value(), line[3]);
    EXPECT_EQ(again.find(line[20].hex().substr(0, 12)).value(), line[20]);
    EXPECT_EQ(again.find("99").error().code, base::ErrorCode::kTurnUnknown);
    ASSERT_TRUE(again.go_to(line[20]));
    EXPECT_TRUE(same(again.state(), last));
}

// The head moves with what is said there, or by itself if nothing is.
TEST_P(EveryStore, AMoveMayBeStoredWithTheNextTurn) {
    const auto store = make();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    const auto stored = [&] { return store->campaign("c").value(); };
    const TurnId first = say(campaign, "一。").value();
    const TurnId second = say(campaign, "二。").value();
    const TurnId third = say(campaign, "三。").value();
    ASSERT_TRUE(campaign.rollback(second));
    ASSERT_TRUE(campaign.stand_at(first));
    EXPECT_EQ(campaign.head(), first);
    EXPECT_EQ(campaign.number(), 1);
    EXPECT_FALSE(campaign.row().undo);
    EXPECT_EQ(stored().head, second);
    EXPECT_TRUE(campaign.is_current(stored()));
    // Back, as if nothing had been asked.
    ASSERT_TRUE(campaign.go_to(second));
    EXPECT_EQ(campaign.row(), stored());
    EXPECT_EQ(campaign.row().undo, third);
    // With a turn.
    ASSERT_TRUE(campaign.stand_at(third));
    ASSERT_TRUE(campaign.stand_at(first));
    const TurnId other = say(campaign, "另一条路。").value();
    EXPECT_EQ(campaign.record(other)->parent, first);
    EXPECT_EQ(campaign.row(), stored());
    EXPECT_EQ(stored().head, other);
    // With an edit.
    ASSERT_TRUE(campaign.stand_at(second));
    const TurnId edited = campaign.edit(campaign.state(), 0, "note").value();
    EXPECT_EQ(campaign.record(edited)->parent, second);
    EXPECT_EQ(stored().head, edited);
    // By itself.
    ASSERT_TRUE(campaign.stand_at(third));
    ASSERT_TRUE(campaign.settle());
    EXPECT_EQ(campaign.row(), stored());
    EXPECT_EQ(stored().head, third);
    ASSERT_TRUE(campaign.settle());
    // Another writer was first.
    Campaign rival = Campaign::open(*store, "c").value();
    ASSERT_TRUE(campaign.stand_at(first));
    ASSERT_TRUE(say(rival, "四。"));
    EXPECT_EQ(say(campaign, "五。").error().code, base::ErrorCode::kHeadMoved);
    EXPECT_EQ(campaign.settle().error().code, base::ErrorCode::kHeadMoved);
    EXPECT_FALSE(campaign.is_current(stored()));
    ASSERT_TRUE(campaign.refresh());
    EXPECT_EQ(campaign.row(), rival.row());
}

TEST_P(EveryStore, TwoWritersDoNotFork) {
    const auto store = make();
    Campaign one = Campaign::begin(*store, beginning("c")).value();
    Campaign two = Campaign::open(*store, "c").value();
    ASSERT_TRUE(say(one, "甲。"));
    EXPECT_EQ(say(two, "乙。").error().code, base::ErrorCode::kHeadMoved);
    Campaign three = Campaign::open(*store, "c").value();
    EXPECT_EQ(three.head(), one.head());
    EXPECT_EQ(three.turns().value().size(), 2U);
}

// Another writer goes on, back and to other branches, further than what is kept in memory.
TEST_P(EveryStore, AWriterFollowsAnother) {
    const auto store = make();
    Campaign one = Campaign::begin(*store, beginning("c")).value();
    Campaign other = Campaign::open(*store, "c").value();
    tests::Random random(5);
    std::vector<TurnId> all = {one.head()};
    for (int i = 0; i < 60; ++i) {
        for (std::size_t turns = random.below(25); turns > 0; --turns) {
            all.push_back(say(one, some_reply(random)).value());
        }
        if (random.chance(50)) {
            ASSERT_TRUE(one.rollback(
                one.find("head~" + std::to_string(random.below(3))).value_or(one.head())));
        } else if (random.chance(50)) {
            ASSERT_TRUE(one.go_to(random.pick(all)));
        }
        ASSERT_TRUE(other.refresh());
        const Campaign stored = Campaign::open(*store, "c").value();
        EXPECT_EQ(other.row(), stored.row());
        EXPECT_EQ(other.number(), stored.number());
        EXPECT_EQ(other.story_number(), stored.story_number());
        EXPECT_TRUE(same(other.state(), stored.state()));
        all.push_back(say(other, some_reply(random)).value());
        ASSERT_TRUE(one.refresh());
        EXPECT_TRUE(same(one.state(), other.state()));
    }
}

TEST_P(EveryStore, CheckpointsAreFoundAndLimited) {
    const auto store = make();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(campaign.checkpoint("第" + std::to_string(i), i, 3));
        ASSERT_TRUE(say(campaign, "一步。"));
    }
    const auto all = campaign.checkpoints().value();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].label, "第2");
    EXPECT_EQ(campaign.record(campaign.find("第3").value())->number, 3);
}

// Looking back costs what is looked at: nothing is asked of the store but the turns on the way.
TEST_P(EveryStore, AncestorsAreVisitedNewestFirst) {
    const auto store = make();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    for (int i = 1; i <= 30; ++i) {
        ASSERT_TRUE(say(campaign, "第" + std::to_string(i) + "步。"));
    }
    const auto line = campaign.line_to(campaign.head()).value();
    ASSERT_EQ(line.size(), 31U);
    ASSERT_TRUE(campaign.rollback(line[20]));
    ASSERT_TRUE(say(campaign, "另一条路。"));
    EXPECT_EQ(campaign.find("head~1").value(), line[20]);
    EXPECT_EQ(campaign.find("head~21").value(), line[0]);
    EXPECT_FALSE(campaign.find("head~22"));
    EXPECT_EQ(campaign.find("5").value(), line[5]);
    EXPECT_EQ(campaign.find("21").value(), campaign.head());
    EXPECT_FALSE(campaign.find("22"));
    EXPECT_EQ(campaign.find(line[30].hex().substr(0, 12)).value(), line[30]);
    EXPECT_EQ(campaign.find(line[30].hex()).value(), line[30]);
    EXPECT_FALSE(campaign.find("zzzz"));
    EXPECT_FALSE(campaign.find(sha256("nothing").hex()));
    for (const auto content : {Store::Content::kHeader, Store::Content::kWhole}) {
        std::vector<TurnId> seen;
        ASSERT_TRUE(
            campaign.visit_back(line[30], content, [&](const TurnRow& row) -> base::Result<bool> {
                EXPECT_EQ(row.bytes.empty(), content == Store::Content::kHeader);
                // The store can be used meanwhile.
                EXPECT_TRUE(*store->turn("c", row.id).value() == row ||
                            content == Store::Content::kHeader);
                seen.push_back(row.id);
                return seen.size() < 25;
            }));
        ASSERT_EQ(seen.size(), 25U);
        for (std::size_t i = 0; i < seen.size(); ++i) {
            EXPECT_EQ(seen[i], line[30 - i]);
        }
    }
    EXPECT_EQ(campaign
                  .visit_back(sha256("nothing"), Store::Content::kHeader,
                              [](const TurnRow&) -> base::Result<bool> { return true; })
                  .error()
                  .code,
              base::ErrorCode::kTurnUnknown);
    const auto first = Digest::from_hex(std::string(64, '0')).value();
    const auto last = Digest::from_hex(std::string(64, 'f')).value();
    EXPECT_EQ(store->turn_ids_between("c", first, last, 100)->size(), 32U);
    EXPECT_EQ(store->turn_ids_between("c", first, last, 3)->size(), 3U);
    EXPECT_TRUE(store->turn_ids_between("x", first, last, 3)->empty());
}

TEST_P(EveryStore, TurnsAreVisitedFromAnyOn) {
    const auto store = make();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(say(campaign, "无事。"));
    }
    const auto line = campaign.line_to(campaign.head()).value();
    const auto visited = [&](const std::optional<TurnId>& after) {
        std::vector<TurnId> ids;
        EXPECT_TRUE(store->visit_turns("c", after, [&](const TurnRow& row) {
            ids.push_back(row.id);
            return true;
        }));
        return ids;
    };
    EXPECT_EQ(visited(std::nullopt), line);
    EXPECT_EQ(visited(line[5]), std::vector(line.begin() + 6, line.end()));
    EXPECT_TRUE(visited(line.back()).empty());
    EXPECT_EQ(visited(TurnId()), line);
}

TEST_P(EveryStore, PlayingAgainLeadsToTheSamePlace) {
    const auto store = make();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(9);
    for (int i = 0; i < 120; ++i) {
        ASSERT_TRUE(say(campaign, some_reply(random)));
        if (i == 60) {
            // A host's manual edits are stored unchanged.
            State edited = campaign.state();
            edited.document =
                value::Object{{"stat_data", *value::find(edited.document, {"stat_data"})}};
            ASSERT_TRUE(campaign.edit(edited, 1, "by hand"));
        }
    }
    const CheckReport report = rebuild(campaign, step_under(world_rules())).value();
    EXPECT_EQ(report.turns, 122U);
    EXPECT_TRUE(report.defects.empty()) << report.defects[0].message;
    // Under other rules the difference is told, turn by turn.
    const ReplayStep without = step_under(tests::rules_of({}));
    const CheckReport other = rebuild(campaign, without).value();
    EXPECT_FALSE(other.defects.empty());
}

TEST_P(EveryStore, AuditAndBlameKnowWhoDidWhat) {
    const auto store = make();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    ASSERT_TRUE(say(campaign, "set_attribute('属性段.生理属性.力量.基础', 12);"));
    ASSERT_TRUE(say(campaign, "无事。"));
    ASSERT_TRUE(say(campaign,
                    "set_attribute('属性段.生理属性.力量.基础', 7);\n"
                    "set_attribute('衍生属性段.先攻', 99);"));
    const value::Path place = {"play_character_data", "属性段", "生理属性", "力量", "传奇"};
    const auto blamed = blame(campaign, place).value();
    ASSERT_EQ(blamed.size(), 3U);  // the beginning too
    EXPECT_EQ(value::print_json(*blamed[1].after), "[4,\"超过八点的部分\"]");
    EXPECT_EQ(blamed[2].number, 3);
    ASSERT_EQ(blamed[2].records.size(), 1U);
    EXPECT_EQ(value::print_json(*blamed[2].records[0].as_object().find("reason")), "\"传奇\"");
    AuditFilter refused;
    refused.status = "rejected";
    EXPECT_EQ(audit(campaign, refused)->size(), 1U);
    AuditFilter system;
    system.actor = "system";
    system.path = place;
    EXPECT_EQ(audit(campaign, system)->size(), 2U);
}

TEST(Ledger, AllStoresGiveTheSameHistory) {
    const Folder folder;
    const auto memory = make_memory_store();
    const auto sqlite = open_store("sqlite:" + folder.file("a.db")).value();
    const auto postgres = open_store(PostgresServer::shared().fresh_url()).value();
    std::vector<std::vector<TurnId>> lines;
    for (Store* store : {memory.get(), sqlite.get(), postgres.get()}) {
        Campaign campaign = Campaign::begin(*store, beginning("c")).value();
        tests::Random random(17);
        for (int i = 0; i < 150; ++i) {
            ASSERT_TRUE(say(campaign, some_reply(random)));
        }
        lines.push_back(campaign.line_to(campaign.head()).value());
    }
    EXPECT_EQ(lines[0], lines[1]);
    EXPECT_EQ(lines[0], lines[2]);
}

TEST(Ledger, StoreUrlsAreUnderstoodOrRefused) {
    EXPECT_TRUE(open_store("memory:"));
    for (const std::string_view url : {"", "sqlite:", "mysql://x", "file.db"}) {
        EXPECT_EQ(open_store(url).error().code, base::ErrorCode::kStoreUrl) << url;
    }
    EXPECT_FALSE(open_store("sqlite:/no/such/folder/a.db"));
}

TEST(Ledger, AnArchiveHoldsTheWholeTree) {
    const auto store = make_memory_store();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(23);
    for (int i = 0; i < 130; ++i) {
        ASSERT_TRUE(say(campaign, some_reply(random)));
        if (i == 70) {
            ASSERT_TRUE(campaign.checkpoint("中途", 5, 0));
            ASSERT_TRUE(campaign.go_to(campaign.find("40").value()));
        }
    }
    const std::string text = export_campaign(campaign).value();
    const Folder folder;
    const auto other = open_store("sqlite:" + folder.file("b.db")).value();
    ASSERT_EQ(import_campaign(*other, tests::lines_of(text)).value(), "c");
    const Campaign brought = Campaign::open(*other, "c").value();
    EXPECT_EQ(brought.head(), campaign.head());
    EXPECT_TRUE(same(brought.state(), campaign.state()));
    EXPECT_EQ(brought.checkpoints().value(), campaign.checkpoints().value());
    EXPECT_TRUE(verify(brought)->defects.empty());
    EXPECT_EQ(export_campaign(brought).value(), text);
    EXPECT_EQ(import_campaign(*other, tests::lines_of(text)).error().code,
              base::ErrorCode::kCampaignExists);
    // Nothing that was changed comes in.
    tests::Random flips(29);
    for (int i = 0; i < 300; ++i) {
        std::string damaged = text;
        damaged[flips.below(damaged.size())] ^= static_cast<char>(1 << flips.below(8));
        EXPECT_FALSE(import_campaign(*make_memory_store(), tests::lines_of(damaged)));
    }
    for (const std::size_t cut : {std::size_t{0}, text.size() / 2, text.size() - 1}) {
        EXPECT_FALSE(import_campaign(*make_memory_store(), tests::lines_of(text.substr(0, cut))));
    }
}

}  // namespace
}  // namespace arbiter::ledger
