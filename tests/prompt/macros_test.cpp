// Goal: every macro gives what it says, nothing that comes out of one is run, and no text can make
// expansion slow or large.
#include "prompt/macros.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "base/limits.h"
#include "prompt/template_notes.h"
#include "value/json.h"

namespace arbiter::prompt {
namespace {

value::Value document() {
    return value::parse_json(
               R"({"角色":{"气血":82,"心情":["平静","此刻"],"_v":1},"stat_data":{"a":{"b":[5,"五"]}},
        "线人":{"线索":"x","_filter":true,"_showInEJS":false},"list":[1,2],"evil":"{{user}}"})")
        .value();
}

struct World {
    value::Value state = document();
    std::vector<Message> history = {{Role::kAssistant, "欢迎", {}}, {Role::kUser, "你好", {}}};
    MacroWorld world;

    World() {
        world.character = "灯";
        world.user = "阿明";
        world.document = &state;
        world.history = history;
        world.texts = {{"description", "{{char}}很高"}, {"scenario", "海边"}};
        world.seed = 7;
        world.pick_seed = 9;
    }
    std::string of(std::string_view text, std::string_view where = "x") {
        return expand_macros(text, world, where).text;
    }
};

TEST(Macros, NamesAndTexts) {
    World w;
    EXPECT_EQ(w.of("{{char}}和{{ USER }}，<USER>与<BOT>"), "灯和阿明，阿明与灯");
    EXPECT_EQ(w.of("{{description}} 在 {{scenario}}"), "灯很高 在 海边");
    EXPECT_EQ(w.of("{{group}}"), "灯");
    EXPECT_EQ(w.of("{{lastMessage}}/{{lastCharMessage}}/{{lastUserMessage}}/{{lastMessageId}}"),
              "你好/欢迎/你好/1");
    EXPECT_EQ(w.of("a{{newline}}b{{space}}c{{noop}}d{{// gone}}e{{comment:gone}}"), "a\nb cde");
    EXPECT_EQ(w.of("a\n\n{{trim}}\n\nb"), "ab");
    EXPECT_EQ(w.of("{{reverse:ab汉}}"), "汉ba");
    EXPECT_EQ(w.of("{{{char}}}"), "{灯}");
    EXPECT_EQ(w.of("{{reverse:{{user}}}}"), "明阿");
    EXPECT_EQ(w.of("{{hasExtension::x}}{{banned \"y\"}}"), "false");
}

TEST(Macros, State) {
    World w;
    EXPECT_EQ(w.of("{{get::角色.气血}} {{get::角色.心情}}"), "82 平静");
    EXPECT_EQ(w.of("{{get_message_variable::stat_data.a.b}}"), "5");
    EXPECT_EQ(w.of("{{get::角色}}"), R"({"气血":82,"心情":"平静"})");
    EXPECT_EQ(w.of("{{format_message_variable::角色}}"), "气血: 82\n心情: 平静");
    EXPECT_EQ(w.of("[{{get::角色._v}}{{get::无}}]"), "[]");
    EXPECT_EQ(w.of("{{get::线人}} {{get::线人.线索}}"),
              "[已隐藏] 请勿修改或重新初始化此字段 [已隐藏] 请勿修改或重新初始化此字段");
    const Expanded expanded = expand_macros("{{get::无}}", w.world, "x");
    EXPECT_EQ(expanded.missing, std::vector<std::string>{"无"});
    EXPECT_FALSE(expanded.stable);
    // A macro that a model wrote into the state is never expanded.
    EXPECT_EQ(w.of("{{get::evil}}"), "{{user}}");
}

TEST(Macros, Variables) {
    World w;
    EXPECT_EQ(w.of("{{setvar::a::1}}{{addvar::a::2.5}}{{getvar::a}} {{incvar::a}} {{decvar::a}}"),
              "3.5 4.5 3.5");
    EXPECT_EQ(w.of("{{addvar::s::x}}{{addvar::s::y}}{{getvar::s}}{{hasvar::s}}{{hasvar::t}}"),
              "xytruefalse");
    EXPECT_EQ(w.of("{{deletevar::s}}[{{getvar::s}}]{{getglobalvar::s}}"), "[]");
    EXPECT_EQ(w.of("{{setglobalvar::s::g}}{{getglobalvar::s}}"), "g");
}

TEST(Macros, ChanceComesFromSeedAndPlaceAlone) {
    World w;
    const std::string one = w.of("{{random::a::b::c::d::e::f::g::h}}{{roll:3d6}}");
    EXPECT_EQ(one, w.of("{{random::a::b::c::d::e::f::g::h}}{{roll:3d6}}"));
    std::set<std::string> seen;
    std::set<std::string> picked;
    for (w.world.seed = 0; w.world.seed < 50; ++w.world.seed) {
        seen.insert(w.of("{{random:a,b,c}}"));
        picked.insert(w.of("{{pick::a::b::c}}"));
        const int rolled = std::stoi(w.of("{{roll 2d6+3}}"));
        EXPECT_GE(rolled, 5);
        EXPECT_LE(rolled, 15);
    }
    EXPECT_EQ(seen.size(), 3U);
    EXPECT_EQ(picked.size(), 1U);  // stable for a campaign
    seen.clear();
    for (int i = 0; i < 50; ++i) {
        seen.insert(w.of("{{random::a::b::c}}", std::to_string(i)));
    }
    EXPECT_EQ(seen.size(), 3U);
    EXPECT_EQ(w.of("{{roll:0d6}}{{roll:2d}}{{roll:99999d6}}"),
              "{{roll:0d6}}{{roll:2d}}{{roll:99999d6}}");
    EXPECT_EQ(w.of("{{random:a\\,b}}"), "a,b");
}

TEST(Macros, Time) {
    World w;
    // No clock came in: nothing is made up.
    EXPECT_EQ(w.of("{{time}}"), "{{time}}");
    w.world.now = 1'767'225'600'000 + 5 * 3'600'000;  // 2026-01-01 05:00 UTC, a Thursday
    w.world.utc_minutes = 8 * 60;
    w.world.last_user_at = *w.world.now - 7'200'000;
    EXPECT_EQ(w.of("{{isodate}} {{isotime}} {{weekday}} {{idle_duration}}"),
              "2026-01-01 13:00 星期四 2 小时");
    EXPECT_EQ(w.of("{{datetimeformat YYYY/M/D [at] hh:mm A}}"), "2026/1/1 at 01:00 PM");
    EXPECT_EQ(w.of("{{timeDiff::2026-01-03T00:00:00Z::2026-01-01T00:00:00Z}}"), "2 天");
    EXPECT_FALSE(expand_macros("{{time}}", w.world, "").stable);
}

TEST(Macros, UnknownOnesStayAndAreReported) {
    World w;
    const Expanded expanded =
        expand_macros("{{fly}} {{char::x}} {{eval::1+1}} {{ {{user}} }} {{open", w.world, "x");
    EXPECT_EQ(expanded.text, "{{fly}} {{char::x}} {{eval::1+1}} {{ {{user}} }} {{open");
    EXPECT_EQ(expanded.unknown.size(), 4U);
    EXPECT_EQ(w.of("}} } {"), "}} } {");
    EXPECT_EQ(w.of("{{#if x}}"), "{{#if x}}");
}

TEST(Macros, TemplatesAreRenderedAfterMacros) {
    World w;
    EXPECT_EQ(w.of("<%= getvar('stat_data.a.b[0]') > 4 ? '{{user}}' : '' %>{{char}}"), "阿明灯");
    EXPECT_EQ(w.of("{{setvar::x::3}}<%= getvar('x') * 2 + lastUserMessage %>"), "6你好");
    EXPECT_FALSE(expand_macros("<%= 1 %>", w.world, "").stable);
    // A template that fails is never told as program text.
    const Expanded failed = expand_macros("a\n<% code() %>b", w.world, "");
    EXPECT_EQ(failed.text, "a\nb");
    ASSERT_TRUE(failed.failure);
    EXPECT_EQ(explain(*failed.failure, base::Language::kEnglish),
              "line 2 of its template: code is not defined");
    EXPECT_EQ(explain(*failed.failure, base::Language::kChinese), "模板第 2 行：code 未定义");
}

TEST(Macros, EveryFailureOfATemplateHasWords) {
    for (int fault = 0; fault <= static_cast<int>(ejs::Fault::kDepth); ++fault) {
        const Why why = why_of({static_cast<ejs::Fault>(fault), 7, {"AAA", "BBB"}});
        for (const base::Language language : {base::Language::kEnglish, base::Language::kChinese}) {
            const std::string text = explain(why, language);
            EXPECT_NE(text.find('7'), std::string::npos) << text;
            EXPECT_NE(text.find("AAA"), std::string::npos) << text;
        }
    }
}

TEST(Macros, StableOnlyWithoutChanceTimeStateAndTalk) {
    World w;
    EXPECT_TRUE(expand_macros("{{char}}{{description}}{{pick::a::b}}", w.world, "").stable);
    for (const std::string_view text : {"{{random::a::b}}", "{{get::角色}}", "{{lastMessage}}",
                                        "{{getvar::x}}", "{{outlet::x}}"}) {
        EXPECT_FALSE(expand_macros(text, w.world, "").stable) << text;
    }
    w.world.texts["description"] = "{{random::a::b}}";
    EXPECT_FALSE(expand_macros("{{description}}", w.world, "").stable);
}

// ---- texts that are made to hurt

TEST(MacrosHostile, TextsThatNameEachOther) {
    World w;
    w.world.texts = {{"description", "{{personality}}{{personality}}"},
                     {"personality", "{{description}}{{description}}"}};
    const Expanded expanded = expand_macros("{{description}}", w.world, "x");
    EXPECT_TRUE(expanded.limited);
    EXPECT_LT(expanded.text.size(), 2 * base::kMacroBytesMax);
}

TEST(MacrosHostile, OutputAndNestingHaveLimits) {
    World w;
    w.world.texts["description"] = std::string(100'000, 'd');
    std::string many;
    for (int i = 0; i < 1000; ++i) {
        many += "{{description}}";
    }
    const Expanded large = expand_macros(many, w.world, "x");
    EXPECT_TRUE(large.limited);
    EXPECT_LE(large.text.size(), base::kMacroBytesMax + many.size());
    std::string deep;
    for (int i = 0; i < 100'000; ++i) {
        deep += "{{reverse:";
    }
    deep += "x";
    for (int i = 0; i < 100'000; ++i) {
        deep += "}}";
    }
    EXPECT_TRUE(expand_macros(deep, w.world, "x").limited);
    const std::string open(1'000'000, '{');
    EXPECT_EQ(w.of(open).size(), open.size());
    const std::string closed(1'000'000, '}');
    EXPECT_EQ(w.of(closed), closed);
    std::string counted;
    for (std::size_t i = 0; i < base::kMacrosMax + 5; ++i) {
        counted += "{{noop}}";
    }
    EXPECT_EQ(w.of(counted), "{{noop}}{{noop}}{{noop}}{{noop}}{{noop}}");
}

// Twice the text takes about twice the time; the factor leaves room for a busy machine.
TEST(MacrosHostile, TimeGrowsWithTheText) {
    World w;
    const auto seconds = [&w](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) {
            text += "{{ {{char}} {unknown {{{ {{x::{{y";
        }
        const auto start = std::chrono::steady_clock::now();
        w.of(text);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    seconds(1000);
    EXPECT_LT(seconds(40'000), 20 * (seconds(10'000) + 0.01));
}

TEST(MacrosHostile, BrokenBytesStay) {
    World w;
    const std::string text = "\xFF{{char}}\xE4\xB8{{reverse:\xE4\xB8z}}";
    EXPECT_EQ(w.of(text), "\xFF灯\xE4\xB8z\xE4\xB8");
    std::string nul = "a{{char}}b";
    nul[0] = '\0';
    EXPECT_EQ(w.of(nul).size(), nul.size() - 8 + 3);
}

}  // namespace
}  // namespace arbiter::prompt
