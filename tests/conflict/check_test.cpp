// S1-57, S1-65, A1-14: the text check finds what contradicts the truth, and nothing else. Each test
// is one sentence about a small inn.
#include "conflict/check.h"

#include <gtest/gtest.h>

#include "conflict/declared.h"
#include "value/json.h"

namespace arbiter::conflict {
namespace {

constexpr std::string_view kState = R"({
  "characters": [
    {"character_id": "mo", "name": "莫青", "title": "", "job": "镖师", "race": "人",
     "hp": {"current": 20, "max": 30}, "status": {"alive_state": "alive"}, "area_id": "inn",
     "attributes": {}, "skills": [], "inventory": {"铜钥匙": 1}},
    {"character_id": "ann", "name": "Ann Voss", "title": "", "job": "medic", "race": "human",
     "hp": {"current": 9, "max": 12}, "status": {"alive_state": "alive"}, "area_id": "inn",
     "attributes": {}, "skills": [], "resources": {"mana": {"current": 4, "max": 8}}}],
  "areas": [{"area_id": "inn", "name": "青石客栈", "connects": ["mill"]},
            {"area_id": "mill", "name": "Old Mill", "connects": ["inn"]}],
  "rules": ["夜里不得出城。"], "active_actor_id": "mo"})";

std::vector<Finding> findings(std::string_view narrative, std::vector<Settled> actions = {}) {
    const Truth truth = truth_of(*value::parse_json(kState));
    return check_text({truth, actions, narrative}).findings;
}

Settled hp_delta(std::string_view who, std::int64_t delta) {
    return {"hp_delta", value::Object{{"target_character_id", who}, {"delta", delta}}};
}

TEST(ConflictCheck, ALossThatWasNotSettledIsFound) {
    const auto found = findings("木梁砸下来，莫青掉了6点血。");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].type, Type::kHp);
    EXPECT_EQ(found[0].target, "mo");
    EXPECT_EQ(found[0].quote, "掉了6点血");
    EXPECT_EQ(found[0].expected, "20/30");
    EXPECT_EQ(found[0].found, "-6");
}

TEST(ConflictCheck, ASettledLossAndASumAreTrue) {
    EXPECT_TRUE(findings("莫青掉了6点血。", {hp_delta("mo", -6)}).empty());
    EXPECT_TRUE(findings("莫青一共掉了九点血。", {hp_delta("mo", -6), hp_delta("mo", -3)}).empty());
    EXPECT_EQ(findings("莫青掉了7点血。", {hp_delta("mo", -6)}).size(), 1U);
}

TEST(ConflictCheck, EnglishNumbersPronounsAndPlaces) {
    const auto found = findings("Ann ducks too late. She loses four HP.");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].target, "ann");
    const auto moved = findings("Ann Voss steps into the Old Mill.");
    ASSERT_EQ(moved.size(), 1U);
    EXPECT_EQ(moved[0].type, Type::kPosition);
    EXPECT_EQ(moved[0].found, "mill");
}

TEST(ConflictCheck, WhatIsNotAssertedDoesNotCount) {
    for (const std::string_view text :
         {"莫青没有掉血。", "你要现在就进入Old Mill吗？", "“莫青早就死了。”老板说。",
          "如果走错一步，莫青就会掉6点血。", "莫青打算天亮就动身，先去Old Mill。",
          "夜里莫青梦见自己走进Old Mill，掉了6点血。", "莫青想起三年前那一战，他掉了9点血。",
          "Ann would have lost 9 HP.", "\"Ann is dead,\" the man says.", "Ann almost loses 3 HP.",
          "莫青笑死了。", "大盘今天又掉了20点。"}) {
        EXPECT_TRUE(findings(text).empty()) << text;
    }
}

TEST(ConflictCheck, PanelsAndReadOutsAreAssertions) {
    EXPECT_EQ(findings("【状态】莫青 HP: 12/30").size(), 1U);
    EXPECT_TRUE(findings("【状态】莫青 HP: 20/30").empty());
    const auto mana = findings("Ann's mana drops to 1.");
    ASSERT_EQ(mana.size(), 1U);
    EXPECT_EQ(mana[0].type, Type::kOther);
}

TEST(ConflictCheck, ADeniedSettlementIsFound) {
    EXPECT_EQ(findings("木梁砸在背上，莫青毫发无伤。", {hp_delta("mo", -6)}).size(), 1U);
}

TEST(ConflictCheck, ADenialWithAPronounIsFound) {
    const auto found = findings("棍子扫中莫青。他一点血也没掉。", {hp_delta("mo", -2)});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].target, "mo");
    EXPECT_TRUE(findings("棍子扫中莫青。他一点血也没掉。").empty());
}

TEST(ConflictCheck, ANumberBehindAndCountsSomethingElse) {
    EXPECT_TRUE(
        findings("It costs Ann two points of health and one good shirt.", {hp_delta("ann", -2)})
            .empty());
}

TEST(ConflictCheck, CountsNeedNoVerb) {
    const auto fragment = findings("莫青摸了摸腰间。三把铜钥匙。");
    ASSERT_EQ(fragment.size(), 1U);
    EXPECT_EQ(fragment[0].type, Type::kInventory);
    EXPECT_EQ(fragment[0].target, "mo");
    EXPECT_TRUE(findings("莫青摸了摸腰间。一把铜钥匙。").empty());
    EXPECT_EQ(findings("莫青数起铜钥匙，只剩三把。").size(), 1U);
}

TEST(ConflictCheck, AVerbBehindAndSharesItsSubject) {
    const auto found = findings("Ann grabs the lamp, slips past the cook and enters the Old Mill.");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].target, "ann");
}

TEST(ConflictCheck, DeathIsFoundAndStrangersAreNot) {
    const auto found = findings("莫青吐出一口血，当场气绝身亡。");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].type, Type::kAliveState);
    EXPECT_TRUE(findings("门口的醉汉气绝身亡。").empty());
}

TEST(ConflictCheck, ACampaignCanAddWords) {
    Lexicon lexicon = shipped_lexicon();
    lexicon.add(*value::parse_json(R"({"hp": ["灵元"]})"));
    const Truth truth = truth_of(*value::parse_json(kState));
    const std::string_view text = "莫青损失了6点灵元。";
    EXPECT_TRUE(check_text({truth, {}, text}).findings.empty());
    EXPECT_EQ(check_text({truth, {}, text, lexicon}).findings.size(), 1U);
}

// The cache is rebuilt when a name or the words differ, and only then matters.
TEST(ConflictCheck, AKeptCacheOfNamesDoesNotChangeTheResult) {
    NameCache cache;
    Truth truth = truth_of(*value::parse_json(kState));
    const auto names = [&](const Lexicon& lexicon, std::string_view text) {
        return check_text({.truth = truth,
                           .actions = {},
                           .narrative = text,
                           .lexicon = lexicon,
                           .names = &cache})
            .findings;
    };
    EXPECT_EQ(names(shipped_lexicon(), "莫青走进了Old Mill。").size(), 1U);
    truth.characters[0].name = "江晚";
    EXPECT_TRUE(names(shipped_lexicon(), "莫青走进了Old Mill。").empty());
    EXPECT_EQ(names(shipped_lexicon(), "江晚走进了Old Mill。").size(), 1U);
    Lexicon lexicon = shipped_lexicon();
    lexicon.add(*value::parse_json(R"({"honor_after": ["舵主"]})"));
    EXPECT_EQ(names(lexicon, "江舵主走进了Old Mill。").size(), 1U);
}

TEST(ConflictCheck, EntriesOfALexiconStandForSeveral) {
    Lexicon lexicon;
    lexicon.add(std::string_view("[die]\n断(了/)气, pass~ on, grab~~, take/takes the veil\n"));
    for (const std::string_view text : {"断了气", "断气", "pass on", "passes on", "passed on",
                                        "passing on", "grabbed", "grabbing", "takes the veil"}) {
        EXPECT_TRUE(lexicon.has(text, Word::kDie)) << text;
    }
    EXPECT_FALSE(lexicon.has("grabed", Word::kDie));
}

// Each frame with its reverse: what was settled, held, negated, planned or nearly happened.
TEST(ConflictCheck, ThingsChangeHandsByFramesOfVerbs) {
    for (const std::string_view wrong :
         {"莫青把铜钥匙递给了掌柜。", "铜钥匙从莫青手里滑落，掉进了河里。", "莫青把铜钥匙折断了。",
          "莫青怀里的铜钥匙已被人摸走。"}) {
        ASSERT_EQ(findings(wrong).size(), 1U) << wrong;
        EXPECT_EQ(findings(wrong)[0].type, Type::kInventory) << wrong;
    }
    for (const std::string_view fine :
         {"莫青摸出铜钥匙看了看，又收了回去。", "莫青没有把铜钥匙交给掌柜。",
          "莫青打算把铜钥匙交给掌柜。", "铜钥匙险些从莫青手里滑落。",
          "要是莫青把铜钥匙递给掌柜，事情就简单了。", "“铜钥匙被人偷走了！”掌柜喊道。"}) {
        EXPECT_TRUE(findings(fine).empty()) << fine;
    }
}

TEST(ConflictCheck, TheConfidenceThresholdHoldsBackFindings) {
    const Truth truth = truth_of(*value::parse_json(kState));
    EXPECT_TRUE(
        check_text({truth, {}, "莫青掉了6点血。", shipped_lexicon(), 100}).findings.empty());
}

TEST(ConflictDeclared, TrueClaimsGiveNothing) {
    const auto document =
        value::parse_json(R"({"campaign": {"characters": {"mo": {"hp": {"current": 20}}}}})");
    protocol::Claims claims;
    claims.list.push_back({{"campaign", "characters", "mo", "hp", "current"}, value::Value(20), 1});
    EXPECT_TRUE(check_declared(claims, *document).empty());
    claims.list[0].value = value::Value(7);
    const auto found = check_declared(claims, *document);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].type, Type::kHp);
    EXPECT_EQ(found[0].target, "mo");
    EXPECT_EQ(found[0].layer, Layer::kDeclared);
}

TEST(ConflictTruth, ACampaignDocumentReadsTheSame) {
    const auto document = value::parse_json(R"({"campaign": {
        "selected": {"active_actor_id": "mo"},
        "characters": {"mo": {"name": "莫青", "hp": {"current": 20, "max": 30}, "area_id": "inn"}},
        "areas": {"inn": {"name": "青石客栈"}, "mill": {"name": "Old Mill"}},
        "paths": {"p": {"from": "inn", "to": "mill"}}}})");
    const Truth truth = truth_of(*document);
    ASSERT_EQ(truth.characters.size(), 1U);
    EXPECT_EQ(truth.active_actor, "mo");
    ASSERT_EQ(truth.areas.size(), 2U);
    EXPECT_EQ(truth.areas[0].connects, std::vector<std::string>{"mill"});
    EXPECT_EQ(check_text({truth, {}, "你走进了Old Mill。"}).findings.size(), 1U);
}

}  // namespace
}  // namespace arbiter::conflict
