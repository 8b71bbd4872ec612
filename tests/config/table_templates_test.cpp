// Goal: every mistake of a template of a table is found at once, where it stands, with the name
// that was probably meant; one mistake is one message. Method: templates with known mistakes,
// compared with the sorted messages.
#include "config/table_templates.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/messages.h"

namespace arbiter::config {
namespace {

// "t.yaml:3:5: There is …", one line for each error.
std::string mistakes(const std::string& text, const std::string& file = "t.yaml",
                     base::Language language = base::Language::kEnglish) {
    const auto loaded = load_table(file, text, {});
    std::string lines;
    if (loaded) {
        return lines;
    }
    for (const FileDiagnostics& each : loaded.error()) {
        for (const base::Error& error : each.errors) {
            lines += std::filesystem::path(each.file).filename().string();
            if (error.place) {
                lines += ":" + std::to_string(error.place->line) + ":" +
                         std::to_string(error.place->column);
            }
            lines += ": " + base::explain(error, language) + "\n";
        }
    }
    return lines;
}

constexpr std::string_view kGood = R"(id: inn
map:
  id: m
  areas: {hall: {name: Hall}, yard: {name: Yard}}
  paths: {door: {from: hall, to: yard}}
characters:
  guest: {name: Guest, hp: {current: 3, max: 5}, area_id: hall}
party: [guest]
active_actor: guest
tools: [move, roll]
)";

std::string with(std::string_view old, std::string_view now) {
    std::string text(kGood);
    text.replace(text.find(old), old.size(), now);
    return mistakes(text);
}

TEST(TableTemplates, AGoodOneHasNone) {
    EXPECT_EQ(mistakes(std::string(kGood)), "");
}

TEST(TableTemplates, NamesThatDoNotExistAreAnsweredWithTheNearest) {
    EXPECT_EQ(with("to: yard", "to: yrad"),
              "t.yaml:5:34: to takes the id of an area, not \"yrad\". Did you mean yard?\n");
    EXPECT_EQ(with("to: yard", "to: cellar"),
              "t.yaml:5:34: to takes the id of an area: hall | yard, not \"cellar\".\n");
    EXPECT_EQ(with("to: yard", "to: hall"),
              "t.yaml:5:34: to takes an area other than from, not \"hall\".\n");
    EXPECT_EQ(with("area_id: hall", "area_id: hal"),
              "t.yaml:7:59: area_id takes the id of an area, not \"hal\". Did you mean hall?\n");
    EXPECT_EQ(with("party: [guest]", "party: [gest]"),
              "t.yaml:8:9: party takes the id of a character, not \"gest\". Did you mean guest?\n");
    EXPECT_EQ(with("party: [guest]", "party: [guest, guest]"),
              "t.yaml:8:16: party takes each character once, not \"guest\".\n");
    EXPECT_EQ(with("active_actor: guest", "active_actor: host"),
              "t.yaml:9:15: active_actor takes the id of a character: guest, not \"host\".\n");
    EXPECT_EQ(with("[move, roll]", "[mvoe, roll]"),
              "t.yaml:10:9: tools takes the name of a tool, not \"mvoe\". Did you mean move?\n");
}

TEST(TableTemplates, APlanOfADialogTypeIsCheckedWhereItStands) {
    const std::string text = std::string(kGood) + R"(dialog_types:
  duel:
    extends: action
    title: {en: Duel, zh: 决斗}
    prompt: {withot: [lore], budgets: {stat: 10%}}
)";
    EXPECT_EQ(mistakes(text),
              "t.yaml:15:14: There is no key withot here. Did you mean without?\n"
              "t.yaml:15:40: There is no key stat here. Did you mean state?\n");
    const auto read = parse_yaml("t.yaml", text);
    ASSERT_TRUE(read);
    const auto made = table_template(*read);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().errors.size(), 2U);
}

TEST(TableTemplates, MistakesAreSortedAndDoNotCascade) {
    EXPECT_EQ(
        mistakes("id: inn\nsed: 7\ngoal: {ultimate_goal_txt: x}\n"
                 "characters:\n  a: {nmae: A, hp: {current: 20, max: 12}}\n"
                 "  b: {name: B, hp: 5}\n"),
        "t.yaml:2:1: There is no key sed here. Did you mean seed?\n"
        "t.yaml:3:8: There is no key ultimate_goal_txt here. Did you mean ultimate_goal_text?\n"
        "t.yaml:5:7: There is no key nmae here. Did you mean name?\n"
        "t.yaml:5:30: current takes 0 – 12, not 20.\n"
        "t.yaml:6:20: hp takes key: value, not 5.\n");
    // Free members may resemble a key that is there.
    EXPECT_EQ(mistakes("id: inn\ncharacters: {a: {name: A, hp: {max: 3}, mp: 4}}\n"), "");
    EXPECT_EQ(mistakes(""), "t.yaml:1:1: campaign takes {id, …}, not null.\n");
    EXPECT_EQ(mistakes("id: [a\n"), "t.yaml:1:5: This [ is not closed.\n");
    EXPECT_EQ(mistakes("id: x\nsed: 1\n", "t.yaml", base::Language::kChinese),
              "t.yaml:2:1: 这里没有键 sed。是不是想写 seed？\n");
}

TEST(TableTemplates, ToolsOfItsOwnAreCheckedToo) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "arbiter_table_templates_test";
    std::filesystem::create_directories(folder / "tools");
    std::ofstream(folder / "tools/rest.yaml") << "name: rest\nagent_txt: x\n";
    const std::string found = mistakes(
        "id: inn\nsed: 7\ntools: [move, tools/rest.yaml, tools/none.yaml, ../out.yaml, {name: "
        "nap}]\n",
        (folder / "t.yaml").string());
    // The template first, sorted; then the file of the tool. An entry is reported once.
    EXPECT_TRUE(
        found.starts_with("t.yaml:2:1: There is no key sed here. Did you mean seed?\n"
                          "t.yaml:3:32: There is no file "))
        << found;
    EXPECT_NE(found.find("t.yaml:3:49: "), std::string::npos) << found;
    EXPECT_NE(
        found.find("rest.yaml:2:1: There is no key agent_txt here. Did you mean agent_text?\n"),
        std::string::npos)
        << found;
    EXPECT_NE(found.find("t.yaml:3:62: The key human_text is missing.\n"), std::string::npos)
        << found;
    EXPECT_EQ(found.find("the name of a tool"), std::string::npos) << found;
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace arbiter::config
