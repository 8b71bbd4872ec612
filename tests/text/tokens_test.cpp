// Goal: the estimate is the same everywhere, linear, counts Chinese apart from words, and is as far
// off as its header says: rules of thumb of the makers of models are the yardstick.
// proves: A1-11
#include "text/tokens.h"

#include <gtest/gtest.h>

#include <string>

#include "text/case_fold.h"

namespace arbiter::text {
namespace {

constexpr std::string_view kEnglish =
    "The innkeeper wiped the counter and looked at the stranger for a long time. Nobody had asked "
    "about the old lighthouse since the winter of the great storm, and those who remembered it did "
    "not like to talk. \"You will need a boat,\" she said at last, \"and somebody who is not "
    "afraid of the rocks.\" Outside the wind had turned, and the first drops of rain struck the "
    "shutters.";
constexpr std::string_view kChinese =
    "掌柜擦了擦柜台，打量了来人许久。自从那年冬天的大风暴之后，再没有人问起过那座旧灯塔，"
    "记得它的人也不愿多谈。她终于开口：“你得有条船，还得有个不怕礁石的人。”";

TEST(Tokens, EnglishIsNearFourBytesEach) {
    const auto tokens = static_cast<double>(estimate_tokens(kEnglish));
    const double by_bytes = static_cast<double>(kEnglish.size()) / 4;
    EXPECT_GT(tokens, 0.8 * by_bytes);
    EXPECT_LT(tokens, 1.2 * by_bytes);
}

TEST(Tokens, ChineseIsCountedByCharacter) {
    const std::size_t characters = kChinese.size() / 3;
    EXPECT_EQ(estimate_tokens(kChinese), characters);
    // A model made for Chinese.
    EXPECT_NEAR(static_cast<double>(estimate_tokens(kChinese, {.cjk = 600})),
                0.6 * static_cast<double>(characters), 2);
    EXPECT_EQ(estimate_tokens("가나다 かな 汉字"), 7U);
}

TEST(Tokens, Parts) {
    EXPECT_EQ(estimate_tokens(""), 0U);
    EXPECT_EQ(estimate_tokens("hello world"), 2U);
    EXPECT_EQ(estimate_tokens("incomprehensibilities"), 3U);
    EXPECT_EQ(estimate_tokens("1234567"), 3U);
    EXPECT_EQ(estimate_tokens("a    b"), 3U);
    EXPECT_EQ(estimate_tokens("a\n\n\nb"), 3U);
    EXPECT_EQ(estimate_tokens("========"), 2U);
    EXPECT_EQ(estimate_tokens("{\"a\":1}"), 7U);
    EXPECT_EQ(estimate_tokens("😀"), 2U);
    EXPECT_EQ(estimate_tokens("привет"), 3U);
}

// Garbage must not be free, or a budget could be walked around.
TEST(Tokens, BrokenBytesCount) {
    EXPECT_EQ(estimate_tokens("\x80\x80\x80"), 3U);
    EXPECT_EQ(estimate_tokens("\xE4\xE4\xE4"), 3U);
    EXPECT_GE(estimate_tokens("\xF0\x9F"), 1U);
    std::string all;
    for (int i = 0; i < 256; ++i) {
        all += static_cast<char>(i);
    }
    EXPECT_GT(estimate_tokens(all), 100U);
}

TEST(Tokens, MoreTextIsNeverLess) {
    for (std::size_t i = 1; i <= kEnglish.size(); ++i) {
        EXPECT_LE(estimate_tokens(kEnglish.substr(0, i - 1)),
                  estimate_tokens(kEnglish.substr(0, i)));
    }
    EXPECT_GT(estimate_tokens(std::string(std::size_t{8} << 20, 'a')), 1'000'000U);
}

TEST(Tokens, WhoKnowsBetterIsAsked) {
    TokenCounter counter;
    EXPECT_EQ(counter("hello world"), 2U);
    counter.exact = [](std::string_view text) { return text.size(); };
    EXPECT_EQ(counter("hello world"), 11U);
}

TEST(CaseFold, Alphabets) {
    EXPECT_EQ(fold_case("Straße ÀÉÎ Ÿ ŁŃŽ ΑΒΓΣς Ά ЖЁ ԱԲ Ａｂ 汉字 123"),
              "straße àéî ÿ łńž αβγσσ ά жё աբ ａｂ 汉字 123");
    EXPECT_EQ(fold_case("İı"), "İı");
    const std::string broken = "A\xC3\xE1\x80Z\xEF";
    EXPECT_EQ(fold_case(broken), "a\xC3\xE1\x80z\xEF");
    for (char32_t c = 0x80; c < 0x600; ++c) {
        const std::string text = {static_cast<char>(0xC0 | (c >> 6)),
                                  static_cast<char>(0x80 | (c & 0x3F))};
        const std::string once = fold_case(text);
        EXPECT_EQ(once.size(), text.size());
        EXPECT_EQ(fold_case(once), once) << static_cast<unsigned>(c);
    }
}

TEST(CaseFold, Words) {
    const auto is_in = [](std::string_view key, std::string_view text) {
        return mark_words(text).find(mark_words(key)) != std::string::npos;
    };
    EXPECT_TRUE(is_in("cat", "a cat."));
    EXPECT_FALSE(is_in("cat", "cats"));
    EXPECT_FALSE(is_in("cat", "concat"));
    EXPECT_TRUE(is_in("cat", "黑cat猫"));
    EXPECT_TRUE(is_in("o'brien", "Mr o'brien!"));
    EXPECT_FALSE(is_in("o'brien", "o'briens"));
    EXPECT_FALSE(is_in("caf", "café"));
    EXPECT_TRUE(is_in("灯塔", "那座旧灯塔边"));
    EXPECT_TRUE(is_in("fire ball", "a fire ball here"));
    EXPECT_FALSE(is_in("fire ball", "a fire balls here"));
    EXPECT_TRUE(is_in("R2", "R2，你好"));
}

}  // namespace
}  // namespace arbiter::text
