// Goal: the table of keys is whole, and what stands in a profile arrives in its Policy.
#include <gtest/gtest.h>

#include <set>

#include "profile/keys.h"
#include "profile/profile.h"
#include "value/json.h"

namespace arbiter::profile {
namespace {

std::expected<Profile, value::Diagnostics> parse(std::string_view json, const Profile& base = {}) {
    return parse_profile(*value::parse_json(json), base);
}

TEST(Keys, EachHasItsWordsAndItsName) {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const Key& key : keys()) {
        EXPECT_TRUE(seen.emplace(key.group, key.name).second) << key.name;
        EXPECT_FALSE(key.takes.empty() || !key.help.is_complete()) << key.name;
        // Nothing is taken that is not what it says.
        Profile profile;
        EXPECT_TRUE(key.read(value::Value(1.5), profile)) << key.name;
        EXPECT_TRUE(key.read(value::Value(), profile)) << key.name;
    }
}

TEST(Keys, FeaturesAreTheActionsAndOptionsOfTavern) {
    EXPECT_TRUE(engine::find_feature("update"));
    EXPECT_TRUE(engine::find_feature("ttl"));
    EXPECT_FALSE(engine::find_feature("reason"));
    EXPECT_LE(engine::feature_count(), 64U);
    for (std::size_t i = 0; i < engine::feature_count(); ++i) {
        EXPECT_EQ(engine::find_feature(engine::feature(i).name), i);
        EXPECT_FALSE(engine::feature(i).english.empty() || engine::feature(i).chinese.empty());
    }
    engine::Features features;
    EXPECT_TRUE(features.has_all());
    features.turn_all(false);
    features.turn(3, true);
    EXPECT_TRUE(features.has(3) && !features.has(2) && !features.has_all());
    features.turn_all(true);
    EXPECT_EQ(features, engine::Features());
}

TEST(Profile, WhatIsWrittenArrives) {
    const auto profile = parse(R"({"name":"x","summary":"s","hybrid":"both",
        "reads":{"model":["json"],"player":[]},"tags":{"live":"component","b":"ignore"},
        "policy":{"tavern_root":"","recycle_bin":"a.bin","old_check":"strict","coercion":"refuse",
          "parents":"require","reason":"required","on_conflict":"merge","delete_as_null":true,
          "strict_set":true,"set_creates":true,"locks_structure":true,"locks_top":true,
          "closed":["a.b",{"path":"/c/d","to":["model","player"]}],"marks_max":5},
        "warnings":{"placeholders":true,"example_names":["e"],"clock":"t.now","timeline":"t.l"},
        "features":{"all":false,"ttl":true}})");
    ASSERT_TRUE(profile);
    const engine::Policy& policy = profile->policy;
    EXPECT_EQ(profile->summary.chinese, "s");
    EXPECT_TRUE(profile->hybrid_both);
    EXPECT_TRUE(profile->of_model.has(proposal::Dialect::kJson) && profile->of_player.empty());
    EXPECT_EQ(profile->tags.size(), 2U);
    EXPECT_TRUE(policy.tavern_root.empty());
    EXPECT_EQ(policy.recycle_bin, (value::Path{"a", "bin"}));
    EXPECT_EQ(policy.old_check, engine::OldCheck::kStrict);
    EXPECT_EQ(policy.coercion, engine::Coercion::kRefuse);
    EXPECT_EQ(policy.on_conflict, engine::OnConflict::kMerge);
    EXPECT_TRUE(policy.needs_parents && policy.needs_reason && policy.delete_as_null &&
                policy.strict_set && policy.set_creates && policy.locks_structure &&
                policy.locks_top && policy.warns_placeholders);
    ASSERT_EQ(policy.closed.size(), 2U);
    EXPECT_FALSE(policy.closed[0].to_player);
    EXPECT_TRUE(policy.closed[1].to_player);
    EXPECT_EQ(policy.closed[1].path, (value::Path{"c", "d"}));
    EXPECT_EQ(policy.marks_max, 5U);
    EXPECT_EQ(policy.clock, (value::Path{"t", "now"}));
    EXPECT_TRUE(policy.features.has("ttl") && !policy.features.has("limit"));
    const reader::Options options = reading(*profile, engine::Actor::kPlayer);
    EXPECT_TRUE(options.dialects.empty() && options.hybrid_both && options.hints.size() == 2);
}

TEST(Profile, OverABaseListsAreReplacedAndMapsAreJoined) {
    const auto base = parse(R"({"name":"base","summary":"s","tags":{"a":"ignore","b":"ignore"},
        "policy":{"closed":["x","y"],"marks_max":9},"features":{"ttl":false}})");
    ASSERT_TRUE(base);
    const auto over = parse(R"({"tags":{"b":"display"},"policy":{"closed":["z"]},
        "features":{"limit":false}})",
                            *base);
    ASSERT_TRUE(over);
    EXPECT_EQ(over->name, "");
    EXPECT_EQ(over->summary.english, "");
    EXPECT_EQ(over->tags.size(), 2U);
    EXPECT_EQ(over->tags[1].meaning, reader::TagMeaning::kDisplay);
    EXPECT_EQ(over->policy.closed.size(), 1U);
    EXPECT_EQ(over->policy.marks_max, 9U);
    EXPECT_FALSE(over->policy.features.has("ttl") || over->policy.features.has("limit"));
}

TEST(Profile, ThinkingCannotBeGivenToATagAndNothingClosesEverything) {
    EXPECT_FALSE(parse(R"({"tags":{"a":"thinking"}})"));
    EXPECT_FALSE(parse(R"({"policy":{"closed":[""]}})"));
    EXPECT_FALSE(parse(R"({"policy":{"closed":[{"path":"a","to":["player"]}]}})"));
    EXPECT_FALSE(parse(R"({"policy":{"closed":[{"to":["model"]}]}})"));
    EXPECT_FALSE(parse(R"({"policy":{"closed":[{"path":"a","for":["model"]}]}})"));
}

}  // namespace
}  // namespace arbiter::profile
