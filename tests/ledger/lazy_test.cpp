// Goal: opening a campaign, finding turns near the head and appending a turn cost what a turn
// costs, however long the campaign is. Method: a store that counts the turns it is asked for.
#include "ledger/forwarding_store.h"
#include "tests/ledger/support.h"

namespace arbiter::ledger {
namespace {

class CountingStore final : public ForwardingStore {
  public:
    using ForwardingStore::ForwardingStore;

    base::Result<std::optional<TurnRow>> turn(std::string_view campaign,
                                              const TurnId& id) override {
        ++turns_read;
        return inner_.turn(campaign, id);
    }
    base::Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        auto rows = inner_.turns(campaign);
        turns_read += rows ? rows->size() : 0;
        return rows;
    }
    base::Result<> visit_turns(std::string_view campaign, const std::optional<TurnId>& after,
                               const std::function<bool(const TurnRow&)>& each) override {
        return inner_.visit_turns(campaign, after, counting(each));
    }
    base::Result<> visit_ancestors(std::string_view campaign, const TurnId& from, Content content,
                                   const std::function<bool(const TurnRow&)>& each) override {
        return inner_.visit_ancestors(campaign, from, content, counting(each));
    }

    std::size_t turns_read = 0;

  private:
    std::function<bool(const TurnRow&)> counting(const std::function<bool(const TurnRow&)>& each) {
        return [this, &each](const TurnRow& row) {
            ++turns_read;
            return each(row);
        };
    }
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
    // The last keyframe is that of turn 800: 16 is the distance for a small document.
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

// A turn names its rules; an edit does not, and leaves those before it.
TEST(Lazy, TheRulesOfTheHeadAreKnownWithoutReading) {
    const auto memory = make_memory_store();
    Campaign campaign = Campaign::begin(*memory, beginning("c")).value();
    EXPECT_EQ(campaign.rules(), rules_named());
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(say(campaign, "第" + std::to_string(i) + "步。"));
    }
    const TurnId before = campaign.line_to(campaign.head())->at(2);
    ASSERT_TRUE(campaign.edit(campaign.state(), 1, "settings"));
    EXPECT_EQ(campaign.rules(), rules_named());
    CountingStore store(*memory);
    Campaign opened = Campaign::open(store, "c").value();
    EXPECT_EQ(opened.rules(), rules_named());
    ASSERT_TRUE(opened.go_to(before));
    store.turns_read = 0;
    ASSERT_TRUE(say(opened, "另一步。"));
    ASSERT_TRUE(opened.go_to(before));
    EXPECT_EQ(opened.rules(), rules_named());
    EXPECT_EQ(store.turns_read, 0U);
    EXPECT_TRUE(Campaign::open_without_state(store, "c")->rules().empty());
}

}  // namespace
}  // namespace arbiter::ledger
