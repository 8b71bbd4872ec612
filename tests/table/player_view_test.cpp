// Goal: no text for a player quotes a hidden goal, however it is written, cut or nested; everything
// else passes unchanged. Method: quotations in many disguises, and random texts in random pieces.
// proves: S1-10, D-28
#include "table/player_view.h"

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "value/editor.h"
#include "value/json.h"

namespace arbiter::table {
namespace {

using value::Object;
using value::Value;

Value document_with(std::string_view goal, bool is_hidden = true) {
    return Object{{"campaign", Object{{"goal", Object{{"ultimate_goal_text", goal},
                                                      {"is_hidden", is_hidden}}}}}};
}

std::string shown(std::string_view goal, std::string_view text) {
    return Redactor(document_with(goal)).text(text).str();
}

TEST(Redactor, FindsTheGoalInAnyCaseWidthAndPunctuation) {
    constexpr std::string_view kGoal = "Light the old lighthouse";
    for (const char* quoted :
         {"Light the old lighthouse", "LIGHT THE OLD LIGHTHOUSE", "light  the\n old\tlighthouse",
          "Light-the-old-light-house", "L.i.g.h.t t,h,e (old) \"light\" house", "Lightтоthe",
          "Ｌｉｇｈｔ　ｔｈｅ　ｏｌｄ　ｌｉｇｈｔｈｏｕｓｅ", "light_the_old_lighthouse",
          "Light the\xE2\x80\x8B old lighthouse"}) {
        const std::string text = "You must " + std::string(quoted) + ", soon.";
        if (std::string_view(quoted) == "Lightтоthe") {
            EXPECT_EQ(shown(kGoal, text), text);
        } else {
            EXPECT_EQ(shown(kGoal, text), "You must ……, soon.");
        }
    }
}

// D-28: at least eight characters in a row, or half of a goal that is shorter than sixteen.
TEST(Redactor, RunsFromEightCharactersOrHalfOfTheGoal) {
    constexpr std::string_view kGoal = "abcdefghijklmnopqrst";  // 20: runs of 8
    EXPECT_EQ(shown(kGoal, "x cdefghi y"), "x cdefghi y");
    EXPECT_EQ(shown(kGoal, "x cdefghij y"), "x …… y");
    EXPECT_EQ(shown(kGoal, "x cdef-ghij-klm y"), "x …… y");
    // Parts that do not stand together in the goal are none of it.
    EXPECT_EQ(shown(kGoal, "abcdmnopefgh"), "abcdmnopefgh");
    constexpr std::string_view kShort = "点亮灯塔";  // 4: runs of 2
    EXPECT_EQ(shown(kShort, "点灯"), "点灯");
    EXPECT_EQ(shown(kShort, "亮灯了"), "……了");
    EXPECT_EQ(shown(kShort, "目标是点亮灯塔，点 亮「灯」塔！"), "目标是……，……！");
    EXPECT_EQ(shown("abc", "ab c b"), "…… b");  // 3: runs of 2
    EXPECT_EQ(shown("a", "a cat"), "…… c……t");
    // A goal without a character that counts hides nothing.
    EXPECT_EQ(shown("……！", "……！"), "……！");
}

// A name that every player sees is not a secret, also if half of the goal stands in it.
TEST(Redactor, LeavesPublicNamesUnlessMoreIsQuoted) {
    const Value document = *value::set(document_with("点亮灯塔"), {"campaign", "areas"},
                                       Object{{"tower", Object{{"name", "灯塔"}}}});
    const Redactor redactor(document);
    constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
        {"灯塔亮着，灯塔。", "灯塔亮着，灯塔。"},
        {"去点亮灯塔！", "去……！"},
        {"亮灯塔", "……"},
        {"点亮", "……"}};
    for (const auto& [text, seen] : kTexts) {
        EXPECT_EQ(redactor.text(text).str(), seen);
        RedactedStream stream(redactor);
        std::string streamed;
        for (const char byte : text) {
            streamed += stream.feed(std::string_view(&byte, 1)).str();
        }
        EXPECT_EQ(streamed + stream.finish().str(), seen);
    }
}

// D-28: a long word and the small ones beside it are not a run of the goal; half of the goal is.
TEST(Redactor, LeavesSingleWordsOfAnAlphabet) {
    constexpr std::string_view kGoal = "Burn the lighthouse before the admiralty arrives";
    for (const std::string_view text : {"The LIGHTHOUSE stands; the admiralty sleeps.",
                                        "A lighthouse, an admiralty", "light-house"}) {
        EXPECT_EQ(shown(kGoal, text), text);
        RedactedStream stream(Redactor(document_with(kGoal)));
        std::string streamed;
        for (const char byte : text) {
            streamed += stream.feed(std::string_view(&byte, 1)).str();
        }
        EXPECT_EQ(streamed + stream.finish().str(), text);
    }
    EXPECT_EQ(shown(kGoal, "They burn the lighthouse."), "They …….");
    EXPECT_EQ(shown(kGoal, "the lighthouse before the"), "……");
    EXPECT_EQ(shown("Burn lighthouse", "A lighthouse."), "A …….");
    EXPECT_EQ(shown("让灯塔永远熄灭以放走亡魂 lighthouse", "lighthouse"), "lighthouse");
}

TEST(Redactor, MasksValuesAtAnyDepthAndSharesTheRest) {
    const Value document = document_with("点亮灯塔");
    const Redactor redactor(document);
    EXPECT_EQ(value::print_json(redactor.value(document).get()),
              R"({"campaign":{"goal":{"ultimate_goal_text":"……","is_hidden":true}}})");
    const Value value = Object{
        {"notes", value::Array{"去点亮灯塔", Object{{"last", "点亮灯塔"}}, 3}},
        {"calm", Object{{"text", "无事"}}},
        {"npc", Object{{"secret", Object{{"_filter", true}, {"_showInEJS", false}, {"x", 1}}}}}};
    const Value seen = redactor.value(value).get();
    EXPECT_EQ(value::print_json(*value::find(seen, {"notes"})), R"(["去……",{"last":"……"},3])");
    EXPECT_TRUE(value::find(seen, {"calm"})->is_identical(*value::find(value, {"calm"})));
    EXPECT_EQ(value::print_json(*value::find(seen, {"npc", "secret"})), "\"……\"");
}

TEST(Redactor, AnOperatorAndAnOpenGoalSeeEverything) {
    constexpr std::string_view kText = "去点亮灯塔";
    const Value hidden = document_with("点亮灯塔");
    for (const Redactor& open : {Redactor(hidden, Viewer::kOperator),
                                 Redactor(document_with("点亮灯塔", false)), Redactor(Object())}) {
        EXPECT_EQ(open.text(kText).str(), kText);
        RedactedStream stream(open);
        EXPECT_EQ(stream.feed(kText).str(), kText);
        EXPECT_TRUE(stream.finish().empty());
    }
    EXPECT_TRUE(Redactor(hidden, Viewer::kOperator).value(hidden).get().is_identical(hidden));
}

std::string streamed(const Redactor& redactor, std::string_view text, tests::Random* random,
                     std::size_t size) {
    RedactedStream stream(redactor);
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t piece = random != nullptr ? 1 + random->below(7) : size;
        shown += stream.feed(text.substr(at, piece)).str();
        at += piece;
    }
    return shown + stream.finish().str();
}

// Pieces are cut anywhere, also within a character.
// proves: X-20
TEST(RedactedStream, PiecesJoinedAreTheWholeText) {
    const std::vector<std::string> goals = {
        "点亮灯塔", "Light the old lighthouse", "aab",
        "a",        "abababababababababab",     "İstanbul ẞtraße"};
    const std::vector<std::string> parts = {
        "点",   "亮",    "灯",    "塔", "点亮", "，",   " ",    "Light", " the ",
        "OLD ", "light", "house", "a",  "b",    "ab",   "-",    "İstan", "bul",
        "ẞtra", "SSE",   "\n\n",  "x",  "……",   "\xE7", "\xFF", "Ａ"};
    std::size_t masked = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        tests::Random random(seed);
        const std::string& goal = random.pick(goals);
        const Redactor redactor(document_with(goal));
        std::string text;
        for (std::size_t i = random.below(40); i > 0; --i) {
            text += random.chance(10) ? goal : random.pick(parts);
        }
        const std::string whole = redactor.text(text).str();
        masked += whole != text ? 1U : 0U;
        for (const std::size_t size : {1U, 2U, 3U, 5U, 64U}) {
            ASSERT_EQ(streamed(redactor, text, nullptr, size), whole) << seed << " " << text;
        }
        ASSERT_EQ(streamed(redactor, text, &random, 0), whole) << seed << " " << text;
    }
    EXPECT_GT(masked, 100U);
}

// Text that cannot become a quotation is not held back for long.
TEST(RedactedStream, HoldsBackOnlyWhatCouldBeginAQuotation) {
    RedactedStream stream{Redactor(document_with("Light the old lighthouse"))};
    std::string shown = stream.feed("The fog is thick tonight. ").str();
    EXPECT_GE(shown.size(), 26U - 12U);
    shown += stream.feed("Nothing else happens.").str();
    EXPECT_TRUE(shown.starts_with("The fog is thick tonight."));
}

}  // namespace
}  // namespace arbiter::table
