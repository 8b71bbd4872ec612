// Goal: what every store promises about commits, whoever calls: each is all or nothing beside the
// others of its batch, readers see whole commits only, and the committer keeps the order.
#include <algorithm>
#include <atomic>
#include <future>
#include <set>
#include <thread>

#include "ledger/archive.h"
#include "ledger/committer.h"
#include "tests/ledger/postgres_server.h"
#include "tests/ledger/support.h"

namespace arbiter::ledger {
namespace {

class Commits : public testing::TestWithParam<std::string> {
  protected:
    std::unique_ptr<Store> open() {
        if (GetParam() == "postgres") {
            return open_store(PostgresServer::shared().fresh_url()).value();
        }
        return GetParam() == "memory" ? make_memory_store()
                                      : open_store("sqlite:" + folder_.file("a.db")).value();
    }

  private:
    Folder folder_;
};

TEST_P(Commits, OfABatchStandAlone) {
    const auto store = open();
    Campaign a = Campaign::begin(*store, beginning("a")).value();
    Campaign b = Campaign::begin(*store, beginning("b")).value();
    const PreparedTurn first = prepare(a, "一。");
    const PreparedTurn rival = prepare(a, "二。");
    const PreparedTurn other = prepare(b, "三。");
    Commit stranger = other.commit;
    stranger.campaign = "nobody";
    Commit again;
    again.campaign = "b";
    again.create = CampaignRow{"b", "again", 0, {}, {}};
    const std::vector<Commit> batch = {first.commit, rival.commit, stranger, again, other.commit};
    const auto results = store->commit_all(batch);
    ASSERT_EQ(results.size(), 5U);
    EXPECT_TRUE(results[0]);
    EXPECT_EQ(results[1].error().code, base::ErrorCode::kHeadMoved);
    EXPECT_EQ(results[2].error().code, base::ErrorCode::kCampaignUnknown);
    EXPECT_EQ(results[3].error().code, base::ErrorCode::kCampaignExists);
    EXPECT_TRUE(results[4]);
    // Nothing is left of those that were refused.
    EXPECT_EQ(store->campaign("a")->head, first.id);
    EXPECT_FALSE(store->turn("a", rival.id).value());
    EXPECT_EQ(store->turns("a")->size(), 2U);
    EXPECT_EQ(store->campaign("b")->name, "灰原");
    EXPECT_EQ(store->campaign("b")->head, other.id);
    EXPECT_EQ(store->campaigns()->size(), 2U);
    // A new campaign stands nowhere before its beginning.
    Commit early = first.commit;
    early.campaign = "early";
    early.create = CampaignRow{"early", "early", 0, {}, {}};
    EXPECT_EQ(store->commit(early).error().code, base::ErrorCode::kHeadMoved);
    EXPECT_FALSE(store->campaign("early"));
    // Of a campaign that is not there, there is nothing.
    EXPECT_TRUE(store->turns("early")->empty());
    EXPECT_TRUE(store->keyframes("early")->empty());
    EXPECT_TRUE(store->checkpoints("early")->empty());
    EXPECT_FALSE(store->turn("early", first.id).value());
    EXPECT_FALSE(store->keyframe("early", first.id).value());
    // Two turns of one campaign in one batch follow each other.
    a.accept(first);
    const PreparedTurn second = prepare(a, "四。");
    Campaign later = a;
    later.accept(second);
    const PreparedTurn third = prepare(later, "五。");
    for (const auto& result : store->commit_all(std::vector{second.commit, third.commit})) {
        EXPECT_TRUE(result);
    }
    EXPECT_EQ(store->campaign("a")->head, third.id);
}

TEST_P(Commits, AreSeenWholeOrNotAtAll) {
    const auto store = open();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    std::atomic<bool> over = false;
    std::atomic<std::size_t> looked = 0;
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) {
        readers.emplace_back([&] {
            while (!over) {
                // The head that a reader sees has its turn, and that one leads to a state.
                const Campaign seen = Campaign::open(*store, "c").value();
                EXPECT_EQ(hash_of(seen.state()), seen.record(seen.head())->state);
                ++looked;
            }
        });
    }
    tests::Random random(3);
    for (int i = 0; i < 60 || looked < 30; ++i) {
        ASSERT_TRUE(say(campaign, some_reply(random)));
    }
    over = true;
    for (std::thread& reader : readers) {
        reader.join();
    }
}

TEST_P(Commits, ManyWritersOfOneCampaignNeverForkIt) {
    const auto store = open();
    ASSERT_TRUE(Campaign::begin(*store, beginning("c")));
    std::atomic<std::size_t> moved = 0;
    std::vector<std::future<std::vector<TurnId>>> writers;
    for (std::uint64_t i = 0; i < 4; ++i) {
        writers.push_back(std::async(std::launch::async, [&, i] {
            tests::Random random(i);
            std::vector<TurnId> kept;
            while (kept.size() < 10) {
                Campaign campaign = Campaign::open(*store, "c").value();
                const auto id = say(campaign, some_reply(random));
                if (id) {
                    kept.push_back(*id);
                } else {
                    EXPECT_EQ(id.error().code, base::ErrorCode::kHeadMoved);
                    ++moved;
                }
            }
            return kept;
        }));
    }
    std::vector<TurnId> all;
    for (auto& writer : writers) {
        const auto kept = writer.get();
        all.insert(all.end(), kept.begin(), kept.end());
    }
    const Campaign campaign = Campaign::open(*store, "c").value();
    auto line = campaign.line_to(campaign.head()).value();
    EXPECT_EQ(line.size(), 41U);
    EXPECT_EQ(campaign.turns()->size(), 41U);
    line.erase(line.begin());
    std::ranges::sort(line);
    std::ranges::sort(all);
    EXPECT_EQ(line, all);
}

TEST_P(Commits, TheCommitterKeepsTheOrderAndAnswersEach) {
    const auto store = open();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(5);
    std::vector<std::size_t> answered;
    TurnId last;
    {
        Committer committer(*store, 7);
        for (std::size_t i = 0; i < 50; ++i) {
            PreparedTurn prepared = prepare(campaign, some_reply(random));
            committer.commit(prepared.commit, [&, i](const base::Result<>& kept) {
                EXPECT_TRUE(kept);
                answered.push_back(i);
            });
            campaign.accept(std::move(prepared));
        }
        last = campaign.head();
        Commit wrong;
        wrong.campaign = "nobody";
        EXPECT_EQ(committer.commit(wrong).error().code, base::ErrorCode::kCampaignUnknown);
    }
    EXPECT_EQ(answered.size(), 50U);
    EXPECT_TRUE(std::ranges::is_sorted(answered));
    EXPECT_EQ(store->campaign("c")->head, last);
}

// proves: G4
TEST_P(Commits, OfOneKeyAreStoredOnce) {
    const auto store = open();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    PreparedTurn first = prepare(campaign, "一。");
    first.commit.keys.push_back({"k 键", first.id});
    ASSERT_TRUE(store->commit(first.commit));
    campaign.accept(first);
    EXPECT_EQ(store->turn_of_key("c", "k 键").value(), first.id);
    EXPECT_FALSE(store->turn_of_key("c", "k").value());
    EXPECT_FALSE(store->turn_of_key("d", "k 键").value());
    // Even where the head is free: after a rollback another writer may come with the same key.
    PreparedTurn again = prepare(campaign, "二。");
    again.commit.keys.push_back({"k 键", again.id});
    EXPECT_EQ(store->commit(again.commit).error().code, base::ErrorCode::kHeadMoved);
    EXPECT_EQ(store->campaign("c")->head, first.id);
    EXPECT_FALSE(store->turn("c", again.id).value());
    EXPECT_EQ(store->turn_of_key("c", "k 键").value(), first.id);
    // Another campaign has its own keys.
    Campaign other = Campaign::begin(*store, beginning("d")).value();
    PreparedTurn elsewhere = prepare(other, "三。");
    elsewhere.commit.keys.push_back({"k 键", elsewhere.id});
    EXPECT_TRUE(store->commit(elsewhere.commit));
    EXPECT_EQ(store->turn_of_key("d", "k 键").value(), elsewhere.id);
}

TEST_P(Commits, ACampaignIsRenamedAndDeletedWhole) {
    const auto store = open();
    for (const char* id : {"a", "b", "c"}) {
        Campaign campaign = Campaign::begin(*store, beginning(id)).value();
        PreparedTurn first = prepare(campaign, "一。");
        first.commit.keys.push_back({"key", first.id});
        ASSERT_TRUE(store->commit(first.commit));
        campaign.accept(first);
        ASSERT_TRUE(campaign.checkpoint("here", 0, 0));
    }
    ASSERT_TRUE(store->rename_campaign("b", "新名"));
    EXPECT_EQ(store->campaign("b")->name, "新名");
    EXPECT_EQ(store->rename_campaign("x", "y").error().code, base::ErrorCode::kCampaignUnknown);
    const Campaign gone = Campaign::open(*store, "c").value();
    const PreparedTurn late = prepare(gone, "迟到。");
    ASSERT_TRUE(store->delete_campaign("c"));
    EXPECT_EQ(store->delete_campaign("c").error().code, base::ErrorCode::kCampaignUnknown);
    EXPECT_EQ(store->campaigns()->size(), 2U);
    EXPECT_TRUE(store->turns("c")->empty());
    EXPECT_TRUE(store->keyframes("c")->empty());
    EXPECT_TRUE(store->checkpoints("c")->empty());
    EXPECT_FALSE(store->turn_of_key("c", "key").value());
    // A writer that did not notice is refused, also when the place was taken again.
    EXPECT_EQ(store->commit(late.commit).error().code, base::ErrorCode::kCampaignUnknown);
    ASSERT_TRUE(Campaign::begin(*store, beginning("d")));
    EXPECT_EQ(store->commit(late.commit).error().code, base::ErrorCode::kCampaignUnknown);
    EXPECT_EQ(store->turn_count("d").value(), 1U);
    // The others keep what they shared with it.
    const Campaign left = Campaign::open(*store, "a").value();
    EXPECT_TRUE(verify(left)->defects.empty());
    EXPECT_EQ(left.checkpoints()->size(), 1U);
    EXPECT_TRUE(store->check()->empty());
}

TEST_P(Commits, NamedTextsAreSwappedNotOverwritten) {
    const auto store = open();
    EXPECT_TRUE(store->named_texts("")->empty());
    EXPECT_TRUE(store->put_named_text({"token/b", "one"}, std::nullopt).value());
    EXPECT_TRUE(store->put_named_text({"token/a_键", "{\"é\":1}"}, std::nullopt).value());
    EXPECT_TRUE(store->put_named_text({"other", ""}, std::nullopt).value());
    // A name that is taken keeps its text; the same text again is the stored one.
    EXPECT_FALSE(store->put_named_text({"token/b", "two"}, std::nullopt).value());
    EXPECT_TRUE(store->put_named_text({"token/b", "one"}, std::nullopt).value());
    EXPECT_FALSE(store->put_named_text({"token/b", "two"}, "zero").value());
    EXPECT_FALSE(store->put_named_text({"token/c", "two"}, "one").value());
    EXPECT_TRUE(store->put_named_text({"token/b", "two"}, "one").value());
    EXPECT_TRUE(store->put_named_text({"other", "now"}, "").value());
    const std::vector<NamedText> tokens = {{"token/a_键", "{\"é\":1}"}, {"token/b", "two"}};
    EXPECT_EQ(store->named_texts("token/").value(), tokens);
    EXPECT_EQ(store->named_texts("")->size(), 3U);
    EXPECT_TRUE(store->named_texts("token/%")->empty());
    EXPECT_TRUE(store->named_texts("Token/")->empty());
    // They are no campaign's.
    ASSERT_TRUE(Campaign::begin(*store, beginning("token")));
    ASSERT_TRUE(store->delete_campaign("token"));
    EXPECT_EQ(store->named_texts("")->size(), 3U);
    EXPECT_TRUE(store->check()->empty());
    // A copy does not replace what is there.
    const auto copy = make_memory_store();
    ASSERT_TRUE(copy->put_named_text({"other", "mine"}, std::nullopt).value());
    ASSERT_TRUE(copy_named_texts(*store, *copy));
    EXPECT_EQ(copy->named_texts("token/").value(), tokens);
    EXPECT_EQ(copy->named_texts("other")->at(0).text, "mine");
}

TEST_P(Commits, NamedTextsOfManyWritersLoseNoChange) {
    const auto store = open();
    ASSERT_TRUE(store->put_named_text({"count", "0 -"}, std::nullopt).value());
    std::vector<std::thread> writers;
    for (int writer = 0; writer < 4; ++writer) {
        writers.emplace_back([&, writer] {
            for (int done = 0; done < 10;) {
                const std::string now = store->named_texts("count")->at(0).text;
                // Each text is its writer's own, so a success is not another's.
                const std::string next =
                    std::to_string(std::stoi(now) + 1) + " " + std::to_string(writer);
                done += store->put_named_text({"count", next}, now).value() ? 1 : 0;
            }
        });
    }
    for (std::thread& each : writers) {
        each.join();
    }
    EXPECT_GE(std::stoi(store->named_texts("count")->at(0).text), 40);
}

// A known row is the one that a query would give, and every change has another version.
TEST_P(Commits, AKnownRowIsTheStoredOne) {
    const auto store = open();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    std::set<std::uint64_t> versions;
    std::uint64_t last = 0;  // of SQLite
    const auto check = [&](std::string_view what) {
        SCOPED_TRACE(what);
        const CampaignRow row = store->campaign("c").value();
        EXPECT_EQ(row.head, campaign.head());
        EXPECT_EQ(row.undo, campaign.row().undo);
        const auto known = store->known("c");
        ASSERT_EQ(known.has_value(), GetParam() != "postgres");
        if (known) {
            EXPECT_EQ(known->row, row);
            EXPECT_TRUE(versions.insert(known->version).second);
            EXPECT_EQ(store->known("c")->version, known->version);
        }
        if (GetParam() == "sqlite") {
            EXPECT_EQ(known->before, last);
            last = known->version;
        }
    };
    const auto added = [&] { return store->known("c").value_or(KnownCampaign()).added; };
    check("begun");
    ASSERT_TRUE(say(campaign, "一。"));
    check("a turn");
    EXPECT_EQ(added(), GetParam() == "sqlite" ? std::optional(campaign.head()) : std::nullopt);
    const PreparedTurn rival = prepare(campaign, "二。");
    ASSERT_TRUE(say(campaign, "三。"));
    check("another");
    // Back and forth: the head is an old one, but a turn was added.
    EXPECT_EQ(store->commit(rival.commit).error().code, base::ErrorCode::kHeadMoved);
    const TurnId third = campaign.head();
    ASSERT_TRUE(campaign.rollback(*campaign.record(third)->parent));
    check("a rollback");
    EXPECT_FALSE(added());
    ASSERT_TRUE(campaign.undo());
    check("undone");
    ASSERT_TRUE(store->rename_campaign("c", "新名"));
    EXPECT_EQ(store->campaign("c")->name, "新名");
    ASSERT_TRUE(store->delete_campaign("c"));
    EXPECT_FALSE(store->known("c"));
    EXPECT_EQ(store->campaign("c").error().code, base::ErrorCode::kCampaignUnknown);
}

INSTANTIATE_TEST_SUITE_P(All, Commits, testing::Values("memory", "sqlite", "postgres"),
                         [](const auto& each) { return each.param; });

// Numbers of campaigns are used again; another process may have deleted one and begun another.
TEST(Sqlite, ADeletedCampaignIsNotWrittenByAnotherProcess) {
    const Folder folder;
    const std::string url = "sqlite:" + folder.file("a.db");
    const auto mine = open_store(url).value();
    const auto theirs = open_store(url).value();
    Campaign campaign = Campaign::begin(*mine, beginning("c")).value();
    ASSERT_TRUE(say(campaign, "一。"));
    ASSERT_TRUE(theirs->delete_campaign("c"));
    ASSERT_TRUE(Campaign::begin(*theirs, beginning("d")));
    EXPECT_EQ(campaign.checkpoint("here", 0, 0).error().code, base::ErrorCode::kCampaignUnknown);
    EXPECT_TRUE(theirs->checkpoints("d")->empty());
}

// Nothing counts as known after a commit of another process, whatever this one does meanwhile.
TEST(Sqlite, WhatAnotherProcessWroteIsNotTakenForKnown) {
    const Folder folder;
    const std::string url = "sqlite:" + folder.file("a.db");
    const auto mine = open_store(url).value();
    const auto theirs = open_store(url).value();
    Campaign own = Campaign::begin(*mine, beginning("own")).value();
    Campaign shared = Campaign::begin(*theirs, beginning("shared")).value();
    for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(mine->campaign("shared")->head, shared.head());
        ASSERT_EQ(mine->known("shared")->row.head, shared.head());
        ASSERT_TRUE(say(shared, "他们的。"));
        if (i % 2 == 0) {
            ASSERT_TRUE(say(own, "我们的。"));
        }
        const auto known = mine->known("shared");
        EXPECT_TRUE(!known || known->row.head == shared.head());
        EXPECT_EQ(mine->campaign("shared")->head, shared.head());
        EXPECT_EQ(mine->campaign("own")->head, own.head());
    }
}

// A transaction that changes nothing leaves nothing in the log, and does not hide a commit of
// others.
TEST(Sqlite, EmptyTransactionsAreNotTakenForCommits) {
    const Folder folder;
    const std::string url = "sqlite:" + folder.file("a.db");
    const auto mine = open_store(url).value();
    const auto theirs = open_store(url).value();
    Campaign shared = Campaign::begin(*theirs, beginning("shared")).value();
    ASSERT_TRUE(mine->put_named_text({"name", "text"}, std::nullopt).value());
    for (int i = 0; i < 5; ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(mine->known("shared").has_value(), i > 0);
        ASSERT_EQ(mine->campaign("shared")->head, shared.head());
        ASSERT_TRUE(mine->put_named_text({"name", "text"}, std::nullopt).value());
        ASSERT_EQ(mine->known("shared")->row.head, shared.head());
        ASSERT_TRUE(mine->put_named_text({"name", "text"}, std::nullopt).value());
        ASSERT_TRUE(say(shared, "他们的。"));
        ASSERT_FALSE(mine->known("shared").has_value());
        ASSERT_EQ(mine->campaign("shared")->head, shared.head());
    }
}

TEST(Sqlite, WhatAnotherProcessMovedIsTold) {
    const Folder folder;
    const std::string url = "sqlite:" + folder.file("a.db");
    const auto mine = open_store(url).value();
    const auto theirs = open_store(url).value();
    Campaign campaign = Campaign::begin(*theirs, beginning("c")).value();
    using std::chrono::milliseconds;
    EXPECT_TRUE(mine->moved(milliseconds(0))->empty());
    EXPECT_TRUE(mine->moved(milliseconds(0))->empty());
    ASSERT_TRUE(say(campaign, "一。"));
    EXPECT_EQ(mine->moved(milliseconds(5000)).value(), std::vector<std::string>{"c"});
    EXPECT_TRUE(mine->moved(milliseconds(0))->empty());
    // Its own turns are not told, and hide nothing.
    Campaign own = Campaign::begin(*mine, beginning("d")).value();
    ASSERT_TRUE(say(own, "一。"));
    EXPECT_TRUE(mine->moved(milliseconds(0))->empty());
    ASSERT_TRUE(say(campaign, "二。"));
    ASSERT_TRUE(say(own, "二。"));
    const auto moved = mine->moved(milliseconds(5000)).value();
    EXPECT_NE(std::ranges::find(moved, "c"), moved.end());
}

}  // namespace
}  // namespace arbiter::ledger
