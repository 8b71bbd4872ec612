#include "turn/narration.h"

#include <gtest/gtest.h>

namespace arbiter::turn {
namespace {

using Sentences = std::vector<std::optional<std::string>>;

TEST(Narration, AnswersOfAMending) {
    EXPECT_EQ(mended_sentences("[1] New.\n[2] -\n", 2), (Sentences{"New.", ""}));
    EXPECT_EQ(mended_sentences("Sure:\n  [2]  Later. \r\n", 2),
              (Sentences{std::nullopt, "Later."}));
    EXPECT_EQ(mended_sentences("[0] a\n[3] b\n[x] c\n[9999999999999999999999] d\n[1", 2),
              std::nullopt);
    EXPECT_EQ(mended_sentences("A whole new reply.", 1), std::nullopt);
    EXPECT_EQ(mended_sentences("", 1), std::nullopt);
}

TEST(Narration, SentencesAreReplacedWhereTheyWereTold) {
    const std::vector<WrongSentence> wrong = {{"He falls.", 1, {0}}, {"She dies.", 0, {1}}};
    const std::vector<std::string> replies = {"He falls. A. He falls. B.", "C. She dies. D."};
    EXPECT_EQ(with_sentences(replies, wrong, Sentences{"He stands.", ""}),
              (std::vector<std::string>{"He falls. A. He stands. B.", "C. D."}));
    EXPECT_EQ(with_sentences(replies, wrong, Sentences{std::nullopt, std::nullopt}), replies);
    EXPECT_EQ(with_sentences({"nothing"}, wrong, Sentences{"a", "b"}),
              std::vector<std::string>{"nothing"});
}

}  // namespace
}  // namespace arbiter::turn
