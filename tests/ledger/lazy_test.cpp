// Goal: opening a campaign, finding turns near the head and appending a turn cost what a turn
// costs, however long the campaign is. Method: a store that counts the turns it is asked for.
#include "tests/ledger/support.h"

namespace arbiter::ledger {
namespace {

class CountingStore final : public Store {
  public:
    explicit CountingStore(Store& store) : store_(store) {}

    base::Result<std::vector<CampaignRow>> campaigns() override { return store_.campaigns(); }
    base::Result<CampaignRow> campaign(std::string_view id) override { return store_.campaign(id); }
    std::vector<base::Result<>> commit_all(std::span<const Commit> commits) override {
        return store_.commit_all(commits);
    }
    base::Result<std::optional<TurnRow>> turn(std::string_view campaign,
                                              const TurnId& id) override {
        ++turns_read;
        return store_.turn(campaign, id);
    }
    base::Result<std::optional<TurnId>> turn_of_key(std::string_view campaign,
                                                    std::string_view key) override {
        return store_.turn_of_key(campaign, key);
    }
    base::Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        auto rows = store_.turns(campaign);
        turns_read += rows ? rows->size() : 0;
        return rows;
    }
    base::Result<std::size_t> turn_count(std::string_view campaign) override {
        return store_.turn_count(campaign);
    }
    base::Result<> visit_turns(std::string_view campaign, const std::optional<TurnId>& after,
                               const std::function<bool(const TurnRow&)>& each) override {
        return store_.visit_turns(campaign, after, counting(each));
    }
    base::Result<> visit_ancestors(std::string_view campaign, const TurnId& from, Content content,
                                   const std::function<bool(const TurnRow&)>& each) override {
        return store_.visit_ancestors(campaign, from, content, counting(each));
    }
    base::Result<std::vector<TurnId>> turn_ids_between(std::string_view campaign,
                                                       const TurnId& first, const TurnId& last,
                                                       std::size_t limit) override {
        return store_.turn_ids_between(campaign, first, last, limit);
    }
    base::Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                      const TurnId& turn) override {
        return store_.keyframe(campaign, turn);
    }
    base::Result<std::vector<TurnId>> keyframes(std::string_view campaign) override {
        return store_.keyframes(campaign);
    }
    base::Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) override {
        return store_.drop_keyframe(campaign, turn);
    }
    base::Result<std::optional<std::string>> blob(std::string_view campaign,
                                                  const Digest& digest) override {
        return store_.blob(campaign, digest);
    }
    base::Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) override {
        return store_.checkpoints(campaign);
    }
    base::Result<> rename_campaign(std::string_view id, std::string_view name) override {
        return store_.rename_campaign(id, name);
    }
    base::Result<> delete_campaign(std::string_view id) override {
        return store_.delete_campaign(id);
    }
    base::Result<> backup(const std::string& file) override { return store_.backup(file); }
    base::Result<std::vector<std::string>> moved(std::chrono::milliseconds wait) override {
        return store_.moved(wait);
    }
    base::Result<std::vector<std::string>> check() override { return store_.check(); }

    std::size_t turns_read = 0;

  private:
    std::function<bool(const TurnRow&)> counting(const std::function<bool(const TurnRow&)>& each) {
        return [this, &each](const TurnRow& row) {
            ++turns_read;
            return each(row);
        };
    }

    Store& store_;
};

TEST(Lazy, OpeningAndOneTurnReadOnlyTheTurnsSinceTheKeyframe) {
    const auto memory = make_memory_store();
    Campaign campaign = Campaign::begin(*memory, beginning("c")).value();
    for (int i = 0; i < 807; ++i) {
        ASSERT_TRUE(say(campaign, "第" + std::to_string(i) + "步。"));
    }
    const TurnId before = campaign.line_to(campaign.head())->at(805);
    CountingStore store(*memory);
    Campaign opened = Campaign::open(store, "c").value();
    // The last keyframe is that of turn 800.
    EXPECT_LE(store.turns_read, 9U);
    store.turns_read = 0;
    EXPECT_EQ(opened.find("head~2").value(), before);
    EXPECT_EQ(opened.find("805").value(), before);
    EXPECT_EQ(opened.find(before.hex().substr(0, 16)).value(), before);
    EXPECT_LE(store.turns_read, 6U);
    store.turns_read = 0;
    EXPECT_TRUE(opened.state_at(opened.head()));
    ASSERT_TRUE(say(opened, "又一步。"));
    EXPECT_EQ(store.turns_read, 0U);
    EXPECT_TRUE(opened.is_one_line().value());
    ASSERT_TRUE(opened.rollback(before));
    EXPECT_LE(store.turns_read, 6U);
    EXPECT_FALSE(opened.is_one_line().value());
}

}  // namespace
}  // namespace arbiter::ledger
