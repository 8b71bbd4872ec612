// Goal: the estimate is the same everywhere, linear, counts Chinese apart from words, and is as far
// off as its header says: rules of thumb of the makers of models are the yardstick.
// proves: A1-11
#include "text/tokens.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "text/case_fold.h"
#include "text/utf8.h"

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
    EXPECT_EQ(fold_case_and_width("ＡＢｃ Ｚｚ！ ÀЖ 汉Ａ"), "abc zz！ àж 汉a");
    EXPECT_EQ(fold_case_and_width("\xEF\xBD"), "\xEF\xBD");
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

TEST(CaseFold, FullWidthLettersBecomeAscii) {
    EXPECT_EQ(fold_case_and_width("ＲＰＧ模式 Ａz＋ÄΣς"), "rpg模式 az＋äσσ");
    EXPECT_EQ(fold_case_and_width("\xEF\xBD"), "\xEF\xBD");
    EXPECT_EQ(fold_case_and_width(""), "");
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
    EXPECT_TRUE(is_in("caf", "café"));
    EXPECT_FALSE(is_in("café", "cafés"));
    EXPECT_TRUE(is_in("café", "éŒcaféи"));
    EXPECT_TRUE(is_in("дракон", "вижу дракона"));
    EXPECT_FALSE(is_in("дракон", "2дракон"));
    EXPECT_TRUE(is_in("Tür", "Türöffner"));
    EXPECT_FALSE(is_in("Tür", "aTür"));
    EXPECT_TRUE(is_in("C++", "in C++!"));
    EXPECT_FALSE(is_in("++C", "++Cx"));
    EXPECT_TRUE(is_in("灯塔", "那座旧灯塔边"));
    EXPECT_TRUE(is_in("fire ball", "a fire ball here"));
    EXPECT_FALSE(is_in("fire ball", "a fire balls here"));
    EXPECT_TRUE(is_in("R2", "R2，你好"));
}

// Plain twins of fold_case and mark_words, byte by byte.
std::string folded_plainly(std::string_view text) {
    std::string folded;
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<std::uint8_t>(text[at]);
        const bool is_wide = byte == 0xEF && text.substr(at + 1, 1) == "\xBC" &&
                             text.substr(at + 2, 1) >= "\xA1" && text.substr(at + 2, 1) <= "\xBA";
        if (is_wide || (byte >= 0xC3 && byte <= 0xD5) || byte == 0xE1) {
            const std::size_t size = decode(text.substr(at)).size;
            folded += fold_case(text.substr(at, size));
            at += size;
            continue;
        }
        for (std::size_t left = byte >= 0xE0 && byte <= 0xEF ? 3 : 1; left > 0 && at < text.size();
             --left, ++at) {
            const char c = text[at];
            folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        }
    }
    return folded;
}
std::string marked_plainly(std::string_view text) {
    const auto is_word = [&](std::size_t at) {
        const auto byte = static_cast<std::uint8_t>(at < text.size() ? text[at] : ' ');
        return (byte < 0x80 && std::isalnum(byte) != 0) || byte == '_';
    };
    std::string marked;
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<std::uint8_t>(text[at]);
        const bool is_letter = is_word(at) || (byte >= 0xC3 && byte <= 0xDF) || byte == 0xE1;
        std::size_t end = at + 1;
        while (byte >= 0x80 && end < text.size() && static_cast<std::uint8_t>(text[end]) >= 0x80 &&
               static_cast<std::uint8_t>(text[end]) < 0xC0) {
            ++end;
        }
        marked += is_letter && (at == 0 || !is_word(at - 1)) ? "\x02" : "";
        marked += text.substr(at, end - at);
        marked += is_letter && !is_word(end) ? "\x01" : "";
        at = end;
    }
    return marked;
}

// Method: texts of all lengths, whole and with bytes out of their places, against the plain way.
TEST(CaseFold, BlocksChangeNothing) {
    const std::vector<std::string> pieces = {
        "灯塔", "，", "Ａ", "Ｚ",   "。",   "ｚ",   "Cat_9", " ",    "É",    "Ж",    "Ẁ",    "😀",
        "@",    "[",  "`",  "\xE1", "\xEF", "\xBC", "\xA1",  "\xE2", "\xC3", "\x80", "\xF0", ""};
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        tests::Random random(seed);
        const std::size_t known = seed % 2 == 0 ? 15 : pieces.size();
        const std::size_t often = random.below(known);
        std::string text;
        for (std::size_t i = random.below(40); i > 0; --i) {
            text += pieces[random.chance(60) ? often : random.below(known)];
        }
        ASSERT_EQ(fold_case(text), folded_plainly(text)) << seed;
        ASSERT_EQ(mark_words(text), marked_plainly(text)) << seed;
    }
}

}  // namespace
}  // namespace arbiter::text
