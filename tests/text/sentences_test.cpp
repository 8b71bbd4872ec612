#include "text/sentences.h"

#include <gtest/gtest.h>

#include <string>

namespace arbiter::text {
namespace {

std::string around(std::string_view text, std::string_view part) {
    const std::size_t at = text.find(part);
    const Sentence found = sentence_around(text, at, at + part.size());
    return std::string(text.substr(found.begin, found.end - found.begin));
}

TEST(Sentences, EndAtTheirPunctuation) {
    EXPECT_EQ(around("It rains. Mara falls! Odo laughs.", "falls"), "Mara falls!");
    EXPECT_EQ(around("It rains. Mara falls! Odo laughs.", "rains"), "It rains.");
    EXPECT_EQ(around("It rains. Mara falls! Odo laughs.", "Odo"), "Odo laughs.");
    EXPECT_EQ(around("雨下着。玛拉掉了六点血！奥多笑了。", "六点血"), "玛拉掉了六点血！");
    EXPECT_EQ(around("她想了想……然后走了。", "走了"), "然后走了。");
}

TEST(Sentences, KeepClosingMarks) {
    EXPECT_EQ(around("“走吧。”她说。门开了。", "她说"), "她说。");
    EXPECT_EQ(around("(Mara falls.) Odo laughs.", "falls"), "(Mara falls.)");
}

TEST(Sentences, NumbersAndLines) {
    EXPECT_EQ(around("She has 3.5 coins left. Odo has none.", "coins"), "She has 3.5 coins left.");
    EXPECT_EQ(around("HP: 8/20\nMP: 3/5\n", "MP"), "MP: 3/5");
    EXPECT_EQ(around("one\n\n  two words\nthree", "words"), "two words");
}

TEST(Sentences, SeveralAndNone) {
    const std::string_view text = "One. Two. Three.";
    const Sentence both = sentence_around(text, text.find("ne."), text.find("wo") + 2);
    EXPECT_EQ(text.substr(both.begin, both.end - both.begin), "One. Two.");
    EXPECT_EQ(sentence_around("", 0, 0), (Sentence{0, 0}));
    EXPECT_EQ(sentence_around("no end", 9, 12).end, 6U);
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const Sentence each = sentence_around(text, at, at);
        EXPECT_LE(each.begin, each.end);
        EXPECT_LE(each.end, text.size());
    }
}

}  // namespace
}  // namespace arbiter::text
