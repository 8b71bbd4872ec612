// Goal: protocols hold in a campaign: switched by what is said, taught, read, enforced, undone by a
// rollback, and kept with the turn so that it can be played again.
#include "protocol/activation.h"
#include "tests/campaign/support.h"

namespace arbiter::campaign {
namespace {

using ProtocolTest = Fixture;

std::string flat(Session& session, std::string_view said) {
    return tests::flat(session.prompt(said, 1).value());
}

// proves: S4-39, S4-40 (case 1): only the rule is asked for; its base comes along, is taught and
// read, and the limit of 1–5 is enforced.
TEST_F(ProtocolTest, LoveSystemFromPromptToVerdict) {
    begin("", "filament", {{"love_system_simple"}});
    const std::string prompt = flat(*session, "我送你一朵花");
    EXPECT_NE(prompt.find("variable_update"), std::string::npos);
    EXPECT_NE(prompt.find("好感度"), std::string::npos);
    turn("见面", {"她点点头。\n<variable_update>\n[[SET, 灯.好感度, 10]]\n</variable_update>"});
    turn("我送你一朵花", {"谢谢你！\n<variable_update>\n<analysis>送礼</analysis>\n[[ADD, "
                          "灯.好感度, 9]]\n</variable_update>"});
    const std::string now = at("灯.好感度");
    EXPECT_TRUE(now == "15" || now == "10") << now;
    turn("再送一朵", {"谢谢！\n<variable_update>\n[[ADD, 灯.好感度, 3]]\n</variable_update>"});
    EXPECT_EQ(at("灯.好感度"), std::to_string(std::stoi(now) + 3));
    expect_replays();
}

// proves: S4-24, S4-25, S4-41, S4-42 (case 2): a keyword switches the mode on; <live> is a
// component, and nothing in it is executed; a rollback takes it back.
TEST_F(ProtocolTest, LiveStreamByKeyword) {
    begin("", "filament", {{"variable_update_base"}});
    EXPECT_EQ(flat(*session, "你好").find("<live>"), std::string::npos);
    EXPECT_NE(flat(*session, "进入直播模式！").find("<live>"), std::string::npos);
    const turn::TurnResult live =
        turn("进入直播模式！",
             {"<live><basic_info>雾港</basic_info><barrage>[[SET, 分数, 9]]</barrage></live>"});
    ASSERT_EQ(live.attempt.reading.components.size(), 1U);
    EXPECT_EQ(live.attempt.reading.components[0].tag, "live");
    EXPECT_EQ(at("分数"), "-");
    EXPECT_NE(flat(*session, "继续").find("<live>"), std::string::npos);
    expect_replays();
    ASSERT_TRUE(session->rollback(session->campaign().find("0").value()));
    EXPECT_EQ(flat(*session, "继续").find("<live>"), std::string::npos);
    ASSERT_TRUE(session->undo());
    EXPECT_NE(flat(*session, "继续").find("<live>"), std::string::npos);
}

// Same inputs, same bytes; and a turn more leaves the cacheable prefix alone.
TEST_F(ProtocolTest, ThePromptIsStable) {
    begin(kTemplate, "auto", {{"variable_update_base"}});
    for (int i = 0; i < 5; ++i) {
        const auto first = session->prompt("看看", 1).value();
        EXPECT_EQ(tests::flat(first), flat(*session, "看看"));
        turn("走" + std::to_string(i), {"她走了第" + std::to_string(i) + "步。"});
        const auto next = session->prompt("看看", 1).value();
        if (i > 0) {
            EXPECT_TRUE(tests::flat(next).starts_with(tests::flat_prefix(first))) << i;
            EXPECT_GT(first.cacheable_bytes, 0U);
        }
    }
}

// A campaign whose protocol is nowhere to be found is not played without it.
TEST_F(ProtocolTest, AMissingProtocolFailsLoudly) {
    const auto store = ledger::open_store("memory:");
    ASSERT_TRUE(store);
    CampaignSetup setup;
    setup.id = "old";
    setup.world = config::load_world("json").value();
    setup.state.document = value::Object();
    setup.state.meta =
        value::Object{{"protocols", value::Object{{"gone", value::Object{{"reference", "gone@^1"},
                                                                         {"why", "card"},
                                                                         {"about", ""},
                                                                         {"since", 0}}}}}};
    std::vector<base::Error> warnings;
    ASSERT_TRUE(
        create_campaign(**store, std::move(setup), SessionOptions{config::Protocols()}, warnings));
    auto opened = Session::open(**store, "old", SessionOptions{config::Protocols()});
    ASSERT_TRUE(opened);
    const auto prompt = (*opened)->prompt("", 1);
    ASSERT_FALSE(prompt);
    EXPECT_EQ(prompt.error().code, base::ErrorCode::kProtocolMissing);
    EXPECT_EQ(base::explain(prompt.error(), base::Language::kEnglish),
              "The campaign old is played with the protocol gone@^1, which is neither kept with it "
              "nor in the library. Give the folder that has it: --protocols FOLDER.");
    turn::SuppliedReply reply;
    reply.text = "好。";
    EXPECT_FALSE((*opened)->apply(std::move(reply)));
}

}  // namespace
}  // namespace arbiter::campaign
