// Goal: a request that is repeated is stored once, whatever happened in between, and a session goes
// on after another writer.
#include "ledger/archive.h"
#include "tests/campaign/support.h"
#include "tests/support/archive_lines.h"

namespace arbiter::campaign {
namespace {

using base::ErrorCode;

class Once : public Fixture {
  protected:
    static turn::SuppliedReply reply(const std::string& text, const std::string& said = "") {
        turn::SuppliedReply reply;
        reply.text = text;
        reply.said = said;
        return reply;
    }
    static TurnCondition key(const std::string& key) { return {key, {}}; }
    [[nodiscard]] std::size_t turns() const { return session->campaign().turns()->size(); }
};

constexpr const char* kGold =
    "她捡起金币。\n<UpdateVariable>\n_.set('gold', 3);\n_.add('x'\n</UpdateVariable>";

// proves: G4, D6
TEST_F(Once, TheSameKeyReturnsTheStoredTurn) {
    begin();
    const std::size_t before = turns();
    const auto first = session->apply(reply(kGold, "捡"), {}, key("k"));
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->already_stored);
    ASSERT_TRUE(session->apply(reply("下一回合。"), {}, key("l")));
    // By another session, later, and with another clock.
    open();
    turn::SuppliedReply later = reply(kGold, "捡");
    later.now = 99'000;
    const auto again = session->apply(later, {}, key("k"));
    ASSERT_TRUE(again) << base::explain(again.error(), base::Language::kEnglish);
    EXPECT_TRUE(again->already_stored);
    EXPECT_EQ(again->id, first->id);
    EXPECT_EQ(again->shown.str(), first->shown.str());
    ASSERT_EQ(again->attempt.outcome.verdicts.size(), first->attempt.outcome.verdicts.size());
    EXPECT_EQ(again->attempt.refused, first->attempt.refused);
    EXPECT_EQ(again->attempt.reading.lost.size(), first->attempt.reading.lost.size());
    EXPECT_EQ(turns(), before + 2);
    expect_replays();
}

// proves: G4
TEST_F(Once, AKeyMeansOneRequest) {
    begin();
    ASSERT_TRUE(session->apply(reply("一。", "说"), {}, key("k")));
    const std::size_t before = turns();
    EXPECT_EQ(session->apply(reply("二。", "说"), {}, key("k")).error().code,
              ErrorCode::kKeyReused);
    EXPECT_EQ(session->apply(reply("一。", "别的"), {}, key("k")).error().code,
              ErrorCode::kKeyReused);
    turn::SuppliedReply players = reply("一。", "说");
    players.actor = engine::Actor::kPlayer;
    EXPECT_EQ(session->apply(players, {}, key("k")).error().code, ErrorCode::kKeyReused);
    for (const std::string& bad : {std::string(), std::string(201, 'k'), std::string("a\nb"),
                                   std::string("\xff"), std::string(1, '\0')}) {
        EXPECT_EQ(session->apply(reply("一。"), {}, key(bad)).error().code, ErrorCode::kBadTurnKey);
    }
    EXPECT_TRUE(session->apply(reply("一。"), {}, key(std::string(200, 'k'))));
    EXPECT_EQ(turns(), before + 1);
}

// proves: G4
TEST_F(Once, AModelsTurnIsNotAskedForAgain) {
    begin();
    model::Scripted model = says({"门开了。", "再说一次。"});
    const auto first = session->turn(request("开门", 5), model, {}, key("k"));
    ASSERT_TRUE(first);
    const auto again = session->turn(request("开门", 9), model, {}, key("k"));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->already_stored);
    EXPECT_EQ(again->id, first->id);
    EXPECT_EQ(again->shown.str(), "门开了。");
}

// proves: D6
TEST_F(Once, AnotherHeadIsRefused) {
    begin();
    const ledger::TurnId beginning = session->campaign().head();
    ASSERT_TRUE(session->apply(reply("一。"), {}, {.after = beginning}));
    const std::size_t before = turns();
    EXPECT_EQ(session->apply(reply("二。"), {}, {.after = beginning}).error().code,
              ErrorCode::kHeadElsewhere);
    EXPECT_EQ(turns(), before);
    ASSERT_TRUE(
        session->apply(reply("二。"), {}, {.key = "k", .after = session->campaign().head()}));
    // The key comes first.
    EXPECT_TRUE(
        session->apply(reply("二。"), {}, {.key = "k", .after = beginning})->already_stored);
}

// proves: G4: two callers with one key; the second has seen the campaign before the first wrote.
TEST_F(Once, TheLoserOfARaceGetsTheTurnOfTheWinner) {
    begin();
    const auto rival = Session::open(*store, "c", options()).value();
    const auto first = rival->apply(reply("一。"), {}, key("k"));
    ASSERT_TRUE(first);
    const auto second = session->apply(reply("一。"), {}, key("k"));
    ASSERT_TRUE(second);
    EXPECT_EQ(second->id, first->id);
    EXPECT_TRUE(second->already_stored);
}

// A turn that begins the story again has no key, whatever was played before it.
TEST_F(Once, AKeyIsOfOneTurnOnly) {
    begin();
    const ledger::Campaign beginning = session->campaign();
    const auto keyed = session->apply(reply("一。"), {}, key("k"));
    ASSERT_TRUE(keyed);
    const auto greeting =
        session->begin_again(beginning.head(), beginning.state(), reply("你好。"), "greeting");
    ASSERT_TRUE(greeting) << base::explain(greeting.error(), base::Language::kEnglish);
    EXPECT_EQ(session->apply(reply("一。"), {}, key("k"))->id, keyed->id);
}

// proves: G4: keys are part of a campaign, wherever it is taken.
TEST_F(Once, KeysAreExportedAndCopied) {
    begin();
    const auto first = session->apply(reply("一。"), {}, key("k"));
    ASSERT_TRUE(first);
    const auto imported = ledger::make_memory_store();
    const auto text = ledger::export_campaign(session->campaign()).value();
    ASSERT_TRUE(ledger::import_campaign(*imported, tests::lines_of(text)));
    const auto copied = ledger::make_memory_store();
    ASSERT_TRUE(ledger::copy_campaign(session->campaign(), *copied));
    for (ledger::Store* each : {imported.get(), copied.get()}) {
        const auto there = Session::open(*each, "c", options()).value();
        const auto again = there->apply(reply("一。"), {}, key("k"));
        ASSERT_TRUE(again);
        EXPECT_TRUE(again->already_stored);
        EXPECT_EQ(again->id, first->id);
    }
}

// proves: D13
TEST_F(Once, ASessionFollowsAnotherWriter) {
    begin();
    EXPECT_FALSE(session->refresh().value());
    const auto rival = Session::open(*store, "c", options()).value();
    ASSERT_TRUE(rival->apply(reply("<UpdateVariable>_.set('gold', 3);</UpdateVariable>")));
    EXPECT_EQ(session->apply(reply("二。")).error().code, ErrorCode::kHeadMoved);
    EXPECT_TRUE(session->refresh().value());
    EXPECT_EQ(session->campaign().head(), rival->campaign().head());
    ASSERT_TRUE(session->apply(reply("二。")));
    expect_replays();
}

}  // namespace
}  // namespace arbiter::campaign
