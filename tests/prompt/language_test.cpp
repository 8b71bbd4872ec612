// Goal: the language of a prompt is the player's, and does not change for a single word of another
// one. Method: texts, campaigns and the language that is expected.
#include "prompt/language.h"

#include <gtest/gtest.h>

#include "value/json.h"

namespace arbiter::prompt {
namespace {

using base::Language;

Language language(std::string_view document, std::string_view said,
                  Language otherwise = Language::kEnglish) {
    return prompt_language(*value::parse_json(document), {}, said, otherwise);
}

constexpr std::string_view kChinese =
    R"({"campaign": {"title": "雾港夜船", "world": {"background": "大雾封港第九天。"}}})";
constexpr std::string_view kEnglish =
    R"({"campaign": {"title": "The Ferry in the Fog", "world": {"background": "Day nine."}}})";

TEST(PromptLanguage, AShortTextOfTheOtherLanguageIsNotAChangeOfLanguage) {
    for (const std::string_view said :
         {"", "ok", "ok, let's go", "Fireball!", "去 harbour", "看 HP",
          "<use_protocol id=\"mood\"/>", "继续 <use_protocol id=\"live_stream_mode\"/>"}) {
        EXPECT_EQ(language(kChinese, said), Language::kChinese) << said;
    }
    EXPECT_EQ(language(kEnglish, "ok"), Language::kEnglish);
    EXPECT_EQ(language(kEnglish, "I ask Zhou about the 钥匙"), Language::kEnglish);
}

TEST(PromptLanguage, APlayerWhoSpeaksTheOtherLanguageIsAnsweredInIt) {
    EXPECT_EQ(language(kEnglish, "去灯塔"), Language::kChinese);
    EXPECT_EQ(language(kEnglish, "问老周 Zhou 要钥匙"), Language::kChinese);
    EXPECT_EQ(language(kChinese, "I walk up to the lighthouse and knock."), Language::kEnglish);
}

TEST(PromptLanguage, ChineseNamesAreOfAChineseGameAndEnglishOnesOfAny) {
    EXPECT_EQ(language(R"({"stat_data": {"天气": "晴", "时间": "早"}})", "ok"), Language::kChinese);
    EXPECT_EQ(language(R"({"stat_data": {"player": 1}})", "ok", Language::kChinese),
              Language::kChinese);
    EXPECT_EQ(language(R"({"stat_data": {"player": 1}})", "go on, then", Language::kChinese),
              Language::kEnglish);
    EXPECT_EQ(language("{}", ""), Language::kEnglish);
}

}  // namespace
}  // namespace arbiter::prompt
