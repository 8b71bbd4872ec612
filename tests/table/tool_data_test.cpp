// Goal: a tool of data is registered only if it is whole, and every mistake has its place.
// Method: one complete registration, changed in one part at a time.
#include "table/tool_data.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/messages.h"
#include "value/editor.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::table {
namespace {

using value::Object;
using value::Value;

constexpr std::string_view kWhole = R"({
  "name": "rest",
  "agent_text": {"en": "Rests.", "zh": "休息。"},
  "human_text": {"en": "A rest.", "zh": "一次休息。"},
  "args": {"who": {"type": "character", "about": {"en": "who", "zh": "谁"}},
           "hours": {"type": "integer", "min": 1, "max": 12, "about": {"en": "h", "zh": "小时"}}},
  "reasons": {"too_tired": {"en": "{0} is too tired.", "zh": "{0} 太累了。"}},
  "let": {"old": "campaign.characters.$who.hp.current"},
  "conditions": [{"holds": "$old > 0", "reason": "too_tired", "details": ["$who"],
                  "about": {"en": "not down", "zh": "未倒下"}}],
  "effect": [{"set": "campaign.characters.$who.hp.current", "to": "$old + $hours"}],
  "check": ["campaign.characters.$who.hp.current >= $old"]
})";

Value whole() {
    return value::parse_json(kWhole).value();
}

// The mistakes of the registration after a change, one on a line.
std::string mistakes(const Value& written) {
    const auto compiled = compile_tool(written);
    std::string text;
    if (!compiled) {
        for (const value::Diagnostic& each : compiled.error()) {
            text += value::print_path(each.path, value::PathSyntax::kDotted) + ": " +
                    base::explain(each.error, base::Language::kEnglish) + "\n";
        }
    }
    return text;
}
std::string with(std::string_view path, std::string_view json) {
    return mistakes(value::set(whole(), value::parse_path(path, value::PathSyntax::kDotted).value(),
                               value::parse_json(json).value())
                        .value());
}

// proves: S1-78, S1-79, S1-80
TEST(ToolData, ARegistrationThatLacksAPartIsRefusedWithItsName) {
    EXPECT_EQ(mistakes(whole()), "");
    for (const char* part :
         {"name", "agent_text", "human_text", "args", "reasons", "conditions", "effect", "check"}) {
        const Value lacking = Object(whole().as_object()).erase(part);
        EXPECT_NE(mistakes(lacking).find("The key " + std::string(part) + " is missing."),
                  std::string::npos)
            << part << "\n"
            << mistakes(lacking);
        // One mistake, one message; but a formula may use an argument that is gone.
        if (std::string_view(part) != "args" && std::string_view(part) != "reasons") {
            EXPECT_EQ(std::ranges::count(mistakes(lacking), '\n'), 1) << mistakes(lacking);
        }
    }
    EXPECT_EQ(with("agent_text", R"({"en":"Rests."})"), "agent_text: The key zh is missing.\n");
    EXPECT_EQ(with("reasons.too_tired", R"("tired")"), "");  // for both languages
    EXPECT_EQ(with("reasons.too_tired", R"("")"),
              "reasons.too_tired: too_tired takes text, {en: …, zh: …}, not \"\".\n");
    EXPECT_EQ(with("agent_text", "7"),
              "agent_text: agent_text takes text, {en: …, zh: …}, not 7.\n");
    EXPECT_NE(with("check", "[]").find("check takes [FORMULA]"), std::string::npos);
    EXPECT_NE(with("args", "{}").find("args takes"), std::string::npos);
}

TEST(ToolData, MistakesSayWhatWouldHaveWorked) {
    EXPECT_EQ(with("conditions[0].reason", R"("too_tire")"),
              "conditions[0].reason: There is no key too_tire here. Did you mean too_tired?\n");
    EXPECT_EQ(with("effect", R"([{"sett":"a.b","to":"1"}])"),
              "effect[0].sett: There is no key sett here. Did you mean set?\n");
    EXPECT_NE(with("effect[0].to", R"("$olt + 1")").find("$old"), std::string::npos);
    EXPECT_NE(with("args.hours.type", R"("int")").find("integer"), std::string::npos);
    EXPECT_NE(with("name", R"("休息")").find("a-z"), std::string::npos);
    EXPECT_NE(with("let.who", R"("1")").find("$who"), std::string::npos);
    EXPECT_NE(with("colour", "1").find("colour"), std::string::npos);
    EXPECT_NE(with("let.luck", R"({"roll":"2x6"})").find("2d6+3"), std::string::npos);
}

// proves: S1-10, X-3
TEST(ToolData, WhatBelongsToThePlayerAndTheTableStaysClosed) {
    for (const char* path : {"campaign.goal.ultimate_goal_text", "campaign.tools.allow",
                             "campaign.settings.values", "campaign.turn", "campaign",
                             "campaign.characters", "campaign.$who.x", "campaign.rules.**"}) {
        EXPECT_NE(with("effect[0].set", "\"" + std::string(path) + "\""), "") << path;
    }
    for (const char* path :
         {"campaign.rules.magic", "仓库.灯油", "$who.好感度", "campaign.areas.$any.name"}) {
        EXPECT_EQ(with("effect[0].set", "\"" + std::string(path) + "\""), "") << path;
    }
}

TEST(ToolData, ConditionsAreJudgedBeforeDiceAreThrown) {
    const Value dice =
        value::set(whole(), {"let"},
                   value::parse_json(R"({"luck":{"roll":"1d6"},"old":"$luck"})").value())
            .value();
    EXPECT_NE(mistakes(dice).find("conditions[0].holds"), std::string::npos);
}

// A registration of a stranger is bounded in every part.
TEST(ToolData, HasLimits) {
    Object args;
    for (int i = 0; i < 100; ++i) {
        args = std::move(args).set(
            std::string_view("a" + std::to_string(i)),
            value::parse_json(R"({"type":"text","about":{"en":"x","zh":"x"}})").value());
    }
    EXPECT_NE(mistakes(value::set(whole(), {"args"}, args).value()), "");
}

}  // namespace
}  // namespace arbiter::table
