// Goal: cards are read from files of every form, and mistakes in YAML have their place.
// proves: S4-21
#include "config/card_files.h"

#include <gtest/gtest.h>

#include "base/messages.h"

namespace arbiter::config {
namespace {

using base::ErrorCode;
using card::Card;

Card good(std::string_view bytes) {
    auto card = parse_card("card", bytes);
    EXPECT_TRUE(card) << base::explain(card.error().errors[0], base::Language::kEnglish);
    return card ? *std::move(card) : Card{};
}

// The code for which a file is refused; kCount where it is not.
ErrorCode refused(std::string_view bytes) {
    const auto card = parse_card("card", bytes);
    if (card) {
        return ErrorCode::kCount;
    }
    EXPECT_EQ(card.error().errors.size(), 1U);
    EXPECT_FALSE(base::explain(card.error().errors[0], base::Language::kEnglish).empty());
    EXPECT_FALSE(base::explain(card.error().errors[0], base::Language::kChinese).empty());
    return card.error().errors[0].code;
}

TEST(CardFiles, YamlWithProtocols) {
    const Card card = good(
        "name: \"高松灯\"\nfirst_mes: 你好\nconfiguration:\n  protocols:\n"
        "    - variable_update_v1\n    - id: dice\nenabled_schemas: [dice, x]\n");
    EXPECT_EQ(card.form, Card::Form::kYaml);
    EXPECT_EQ(card.name, "高松灯");
    EXPECT_EQ(card.protocols, (std::vector<std::string>{"variable_update_v1", "dice", "x"}));
}

TEST(CardFiles, YamlBombsAreRefused) {
    EXPECT_EQ(refused("name: " + std::string(10 << 20, 'x')), ErrorCode::kTextTooLong);
    // Aliases of aliases.
    std::string yaml = "name: x\na0: &a0 [x]\n";
    for (int i = 1; i < 30; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        yaml += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + "," +
                before + "," + before + "]\n";
    }
    EXPECT_EQ(refused(yaml), ErrorCode::kYamlTooMany);
    // Few of them, of something large.
    std::string large = "name: x\nt: &t " + std::string(100'000, 'x') + "\nl: [";
    for (int i = 0; i < 100; ++i) {
        large += "*t,";
    }
    EXPECT_EQ(refused(large + "*t]"), ErrorCode::kTextTooLong);
    EXPECT_EQ(refused("name: !!python/object x"), ErrorCode::kYamlTag);
}

TEST(CardFiles, MistakesHaveTheirPlace) {
    EXPECT_EQ(refused(""), ErrorCode::kCardNone);
    EXPECT_EQ(refused("[1]"), ErrorCode::kCardNone);
    const auto card = parse_card("mei.yaml", "name: 梅\nalternate_greetings: [a, {b: 1}]\n");
    ASSERT_FALSE(card);
    EXPECT_EQ(base::explain(card.error().errors[0], base::Language::kEnglish),
              "alternate_greetings[1] takes [\"…\", …], not an object.");
    EXPECT_EQ(card.error().errors[0].place->line, 2U);
}

}  // namespace
}  // namespace arbiter::config
