// Goal: `arbiter card lint` finds the mistakes of a card's author: misspelled fields, variables
// that cannot be read, protocols that do not exist; and fields of other programs are no mistakes.
#include "config/card_lint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/messages.h"
#include "config/protocols.h"

namespace arbiter::config {
namespace {

class CardLintTest : public testing::Test {
  protected:
    CardLintTest() { std::filesystem::create_directories(folder_); }
    ~CardLintTest() override { std::filesystem::remove_all(folder_); }

    std::string mistakes(std::string_view text) {
        const std::string file = (folder_ / "card.yaml").string();
        std::ofstream(file) << text;
        Sources sources;
        add_sources(sources, folder_.string(), std::size_t{1} << 20, kCardExtensions);
        const Lint lint = lint_cards(sources.texts, *protocols_.library()).lint;
        std::string lines;
        for (const FileDiagnostics& each : lint.diagnostics) {
            for (const base::Error& error : each.errors) {
                EXPECT_TRUE(each.file.starts_with(file)) << each.file;
                lines += each.file.substr(folder_.string().size() + 1);
                if (error.place) {
                    lines += ":" + std::to_string(error.place->line) + ":" +
                             std::to_string(error.place->column);
                }
                lines += ": " + base::explain(error, base::Language::kEnglish) + "\n";
            }
        }
        return lines;
    }

  private:
    std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                    ("arbiter_card_lint_test_" + std::to_string(::getpid()));
    Protocols protocols_;
};

TEST_F(CardLintTest, FieldsOfOtherProgramsAreNoMistakes) {
    EXPECT_EQ(mistakes("name: a\nfirst_mes: b\nmy_program: {x: 1}\ntags: [c]\n"), "");
    EXPECT_EQ(mistakes(R"({"spec":"chara_card_v3","data":{"name":"a","first_mes":"b","foo":1}})"),
              "");
}

TEST_F(CardLintTest, MisspelledFieldsHaveTheirPlace) {
    EXPECT_EQ(mistakes("name: a\nfirst_mess: b\ndescripton: c\n"),
              "card.yaml:2:1: There is no key first_mess here. Did you mean first_mes?\n"
              "card.yaml:3:1: There is no key descripton here. Did you mean description?\n");
    EXPECT_EQ(
        mistakes("{\"spec\":\"chara_card_v2\",\n \"data\":{\"name\":\"a\",\n  \"senario\":\"b\"}}"),
        "card.yaml:3:3: There is no key senario here. Did you mean scenario?\n");
}

TEST_F(CardLintTest, VariablesOfEveryGreetingAreRead) {
    const std::string found = mistakes(
        "name: a\nfirst_mes: b\nalternate_greetings: [c, \"<initvar>only words</initvar>\"]\n"
        "character_book: {entries: [{comment: \"[initvar] x\", content: \"a: [1\"}]}\n");
    // Two greetings share the entry; it is reported once.
    EXPECT_TRUE(
        found.starts_with("card.yaml: [initvar] x:1:4: This [ is not closed.\n"
                          "card.yaml: greeting 2"))
        << found;
    EXPECT_EQ(std::ranges::count(found, '\n'), 2) << found;
}

TEST_F(CardLintTest, ProtocolsAreThere) {
    const std::string found = mistakes("name: a\nfirst_mes: b\nprotocols: [choice, choise]\n");
    EXPECT_EQ(found, "card.yaml: There is no protocol choise. Available: choice.\n");
}

TEST_F(CardLintTest, ABrokenCardIsOneMistake) {
    EXPECT_EQ(mistakes("name: [a\n"), "card.yaml:1:7: This [ is not closed.\n");
    EXPECT_EQ(mistakes("name: {}\n"), "card.yaml:1:7: name takes \"…\", not an object.\n");
}

}  // namespace
}  // namespace arbiter::config
