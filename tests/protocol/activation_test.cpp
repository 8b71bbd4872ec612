// Goal: protocols go on and off by what is said, for as long as they say, and a rollback brings
// back what was on.
#include "protocol/activation.h"

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "tests/protocol/support.h"
#include "value/json.h"

namespace arbiter::protocol {
namespace {

using tests::library_of;
using tests::simple;
using value::Object;

const Library& stage() {
    static const Library library = library_of(
        {simple("live", "",
                "activation: {keywords: [直播模式, Live Mode], end_keywords: "
                "[退出直播模式, leave live]}\n"),
         simple("fight", "", "activation: {keywords: [开打], scope: {turns: 3}}\n"),
         simple("once", "", "activation: {turns: 1}\n"), simple("plain"),
         simple("map", "",
                "activation: {intent_mappings: [{keywords: [看地图], schema: plain}]}\n"),
         simple("two", "version: \"2.0.0\"")});
    return library;
}

ActivationResult player(const Object& meta, std::string_view text, std::int64_t turn = 1,
                        const ActivationPolicy& policy = {}) {
    return update_activation(meta, Speaker::kPlayer, text, turn, stage(), policy);
}

std::string on(const Object& meta) {
    std::string out;
    for (const ProtocolRequest& request : active_requests(meta)) {
        out += (out.empty() ? "" : " ") + request.reference;
    }
    return out;
}

// proves: S4-24, A4-4
TEST(Activation, KeywordsOfThePlayer) {
    const ActivationResult result = player({}, "好，进入直播模式！");
    EXPECT_EQ(on(result.meta), "live");
    ASSERT_EQ(result.changes.size(), 1U);
    EXPECT_TRUE(result.changes[0].on);
    EXPECT_EQ(result.changes[0].why,
              (ActivationReason{ActivationReason::Kind::kKeyword, "直播模式"}));
    EXPECT_EQ(on(player({}, "enter LIVE mode").meta), "live");
    EXPECT_EQ(on(player({}, "ｌｉｖｅ　mode").meta),
              "");  // a full-width blank is another character
    EXPECT_EQ(on(player({}, "ｌｉｖｅ mode").meta), "live");
    EXPECT_EQ(on(player({}, "live  mode").meta), "");
    EXPECT_EQ(on(player({}, "看地图").meta), "plain");
    // Said again it changes nothing.
    const ActivationResult again = player(result.meta, "直播模式", 2);
    EXPECT_TRUE(again.changes.empty());
    EXPECT_TRUE(same_bytes(again.meta, result.meta));
    EXPECT_EQ(on(player({}, "直播模式", 1, {.keywords = false}).meta), "");
}

// proves: A4-4
TEST(Activation, QuotedWordsDoNotCount) {
    // A player who quotes the story does not request for anything.
    EXPECT_EQ(on(player({}, "> 她说要进入直播模式\n什么意思？").meta), "");
    EXPECT_EQ(on(player({}, "```\n直播模式\n```").meta), "");
    const auto model = [](std::string_view text, const ActivationPolicy& policy) {
        return on(
            update_activation({}, Speaker::kModel, reader::read(text), 1, stage(), policy).meta);
    };
    EXPECT_EQ(model("她打开了直播模式。", {}), "");
    EXPECT_EQ(model("她打开了直播模式。", {.model_keywords = true}), "live");
    EXPECT_EQ(model("“直播模式？”她问。", {.model_keywords = true}), "");
    EXPECT_EQ(
        model("「直播模式」と『live mode』 \"live mode\" `live mode`", {.model_keywords = true}),
        "");
    EXPECT_EQ(model("<think>直播模式</think>好。", {.model_keywords = true}), "");
}

// proves: S4-23, A4-5
TEST(Activation, TagsOfThePlayerAndTheCard) {
    EXPECT_EQ(on(player({}, "打！<use_protocol id=\"fight\" />").meta), "fight");
    EXPECT_EQ(on(player({}, "<use_protocol>plain</use_protocol>").meta), "plain");
    EXPECT_EQ(on(player({}, "<use_protocol id='two@^2'/><use_protocol id='plain'/>").meta),
              "two@^2 plain");
    EXPECT_EQ(on(update_activation({}, Speaker::kCard, "<use_protocol id=\"plain\"/> 直播模式", 1,
                                   stage())
                     .meta),
              "plain");
    // In backticks or quotes it is spoken about.
    EXPECT_EQ(on(player({}, "写 `<use_protocol id=\"plain\" />` 是什么意思？").meta), "");
}

// proves: A4-5
TEST(Activation, TheModelMayWhereThePolicyLets) {
    const reader::Reading reply = reader::read("进入！\n<use_protocol id=\"plain\" />\n");
    const ActivationResult refused = update_activation({}, Speaker::kModel, reply, 4, stage());
    EXPECT_EQ(on(refused.meta), "");
    EXPECT_EQ(refused.refused, std::vector<std::string>{"plain"});
    const ActivationResult allowed =
        update_activation({}, Speaker::kModel, reply, 4, stage(), {.model_tags = true});
    EXPECT_EQ(on(allowed.meta), "plain");
    EXPECT_EQ(active(allowed.meta)[0].since, 5);
    EXPECT_EQ(active(allowed.meta)[0].why.about, "model");
    EXPECT_EQ(on(update_activation(allowed.meta, Speaker::kModel,
                                   reader::read("<end_protocol id=\"plain\"/>"), 5, stage(),
                                   {.model_tags = true})
                     .meta),
              "");
    // The tag itself is not narrative.
    EXPECT_EQ(reader::read("a\n<end_protocol id=\"x\" />\nb").text, "a\nb");
    EXPECT_EQ(reader::read("a\n<end_protocol>x</end_protocol>\nb").notices[0].about, "x");
}

// proves: S4-26
TEST(Activation, UnknownIdsAreToldAndSkipped) {
    const ActivationResult result = player({},
                                           "<use_protocol id=\"lvie\"/><use_protocol id=\"plain\"/>"
                                           "<use_protocol id=\"../x\"/><end_protocol id=\"nix\"/>");
    EXPECT_EQ(on(result.meta), "plain");
    ASSERT_EQ(result.warnings.size(), 3U);
    EXPECT_EQ(tests::warnings({result.warnings[0]}), "protocol_unknown [lvie] [live]");
    EXPECT_EQ(result.changes.size(), 1U);
}

// proves: S4-25
TEST(Activation, EndsByTagWordScopeAndCommand) {
    const Object live = player({}, "直播模式 开打 <use_protocol id='plain'/>").meta;
    EXPECT_EQ(on(live), "plain fight live");
    EXPECT_EQ(on(player(live, "<end_protocol id=\"live\" />").meta), "plain fight");
    EXPECT_EQ(on(player(live, "<end_protocol>live</end_protocol>").meta), "plain fight");
    EXPECT_EQ(on(player(live, "<end_protocol />").meta), "");
    const ActivationResult left = player(live, "退出直播模式");
    EXPECT_EQ(on(left.meta), "plain fight");
    EXPECT_EQ(left.changes[0].why,
              (ActivationReason{ActivationReason::Kind::kKeyword, "退出直播模式"}));
    // The word that ends it holds the one that begins it, and does not begin it.
    EXPECT_EQ(on(player({}, "退出直播模式").meta), "");
    EXPECT_EQ(on(switch_on(live, "once", 1, stage()).meta), "plain fight live once");
    // Three turns: 1, 2 and 3.
    EXPECT_EQ(on(player(live, "…", 3).meta), "plain fight live");
    const ActivationResult over = player(live, "…", 4);
    EXPECT_EQ(on(over.meta), "plain live");
    EXPECT_EQ(over.changes[0],
              (ActivationResult::Change{"fight", false, {ActivationReason::Kind::kScope, {}}}));
    // Asked for again, the turns begin anew.
    EXPECT_EQ(on(player(player(live, "开打", 3).meta, "…", 5).meta), "plain fight live");
    // With nothing on, nothing is left behind.
    EXPECT_TRUE(player(live, "<end_protocol/>").meta.empty());
}

// proves: S4-25
TEST(Activation, GoesWithTheState) {
    engine::State state{value::parse_json(R"({"金币":1})").value(), {}};
    const engine::State before = state;
    state.meta = player(state.meta, "直播模式").meta;
    // A turn keeps it beside what the engine remembers.
    const auto reading = reader::read("<UpdateVariable>\n_.add('金币', 2);\n</UpdateVariable>");
    const engine::State after = engine::apply(state, reading.proposals, engine::Policy(), {}).state;
    EXPECT_EQ(on(after.meta), "live");
    EXPECT_EQ(*after.document.as_object().find("金币"), value::Value(3));
    // Saved and loaded it is the same; the state before knows nothing of it.
    const value::Value loaded = value::parse_json(value::print_json(after.meta)).value();
    EXPECT_EQ(active(loaded.as_object()), active(after.meta));
    EXPECT_EQ(on(before.meta), "");
}

TEST(Activation, BrokenMetadataIsNoProtocol) {
    for (const char* meta :
         {R"({"protocols":3})", R"({"protocols":[1]})", R"({"protocols":{"a":1,"b":{}}})",
          R"({"protocols":{"a":{"reference":"b"}}})",
          R"({"protocols":{"a b":{"reference":"a b"}}})",
          R"({"protocols":{"a":{"reference":3,"since":"x","until":[]}}})"}) {
        const value::Value value = value::parse_json(meta).value();
        EXPECT_TRUE(active(value.as_object()).empty()) << meta;
        EXPECT_EQ(on(player(value.as_object(), "直播模式").meta), "live") << meta;
    }
}

}  // namespace
}  // namespace arbiter::protocol
