// Goal: an MVU card starts with its variables, however they are written, and with the greeting that
// was chosen.
// proves: S4-21
#include "config/card_start.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/limits.h"
#include "base/messages.h"
#include "config/card_files.h"
#include "engine/initvar.h"
#include "tests/support/png.h"
#include "value/json.h"

namespace arbiter::config {
namespace {

using base::ErrorCode;
using card::Card;
using tests::base64;
using tests::png;
using tests::text_chunk;

constexpr std::string_view kV1 =
    R"({"name":"梅","description":"药师","personality":"冷","scenario":"山里","first_mes":"你好。","mes_example":"<START>","own":7})";

Card good(std::string_view bytes) {
    auto card = parse_card("card", bytes);
    EXPECT_TRUE(card) << base::explain(card.error().errors[0], base::Language::kEnglish);
    return card ? *std::move(card) : Card{};
}

Card with_entries(std::string_view entries, std::string_view first = "开始。") {
    return good(R"({"spec":"chara_card_v2","data":{"name":"梅","first_mes":")" +
                std::string(first) + R"(","character_book":{"entries":[)" + std::string(entries) +
                "]}}}");
}

std::string entry(std::string_view comment, std::string_view content, std::string_view more = "") {
    std::string json = R"({"keys":[],"comment":)";
    value::append_json_string(json, comment);
    json += R"(,"content":)";
    value::append_json_string(json, content);
    return json + std::string(more) + "}";
}

std::string started(const Card& card, const StartOptions& options = {}) {
    const auto start = initial_state(card, options);
    return start ? value::print_json(start->document)
                 : start.error().file + ": " +
                       base::explain(start.error().errors[0], base::Language::kEnglish);
}

TEST(CardStart, VariablesOfABookAreMergedInOrder) {
    const Card card = with_entries(
        entry("[InitVar]一", "主角:\n  气血: [100, \"受伤时更新\"]\n  物品: [剑, 盾]\n") + "," +
        entry("别的", "没有变量") + "," +
        entry("x [initvar] y",
              R"({"主角": {"物品": ["弓"], "$meta": {"extensible": true}}, "天": 1})",
              R"(,"enabled":false)"));
    EXPECT_EQ(card.initvars.size(), 2U);
    EXPECT_TRUE(has_variables(card));
    EXPECT_EQ(usual_profile(card), "mvu-card");
    EXPECT_EQ(
        started(card),
        R"({"stat_data":{"主角":{"气血":[100,"受伤时更新"],"物品":["弓"],"$meta":{"extensible":true}},"天":1}})");
    const auto state = engine::take_structure(initial_state(card)->document);
    EXPECT_EQ(value::print_json(state.document),
              R"({"stat_data":{"主角":{"气血":[100,"受伤时更新"],"物品":["弓"]},"天":1}})");
    // Only the name, a world file's members, any case.
    const Card named = good(
        R"({"name":"x","character_book":{"entries":{"7":{"name":"[INITVAR]","content":"a: 1"}}}})");
    EXPECT_EQ(started(named), R"({"stat_data":{"a":1}})");
    EXPECT_EQ(usual_profile(good(kV1)), "auto");
    EXPECT_EQ(started(good(kV1)), "{}");
}

TEST(CardStart, VariablesInEveryWayTheyAreWritten) {
    const auto alone = [](std::string_view content) {
        return started(with_entries(entry("[initvar]", content)));
    };
    const std::string expected = R"({"stat_data":{"a":{"b":[1,"x"]}}})";
    EXPECT_EQ(alone("a:\n  b: [1, x]"), expected);
    EXPECT_EQ(alone("  a:\n    b: [1, x]\n"), expected);
    EXPECT_EQ(alone(R"({"a":{"b":[1,"x"]}})"), expected);
    EXPECT_EQ(alone("{ // why\n  a: {'b': [1, 'x',],},\n}"), expected);
    EXPECT_EQ(alone("```yaml\na:\n  b: [1, x]\n```\n"), expected);
    EXPECT_EQ(alone("words\n<initvar>\n```json\n{\"a\":{\"b\":[1,\"x\"]}}\n```\n</initvar>\nwords"),
              expected);
    EXPECT_EQ(alone("<InitVar>\na:\n  b: 2\n</InitVar>\n<initvar>\na:\n  b: [1, x]\n</initvar>"),
              expected);
    EXPECT_EQ(alone("\n \n"), "{}");
    EXPECT_EQ(alone("just words"),
              "[initvar]: The first variables are names with values, not just "
              "words. Write them as name: value, one a line.");
    EXPECT_EQ(alone("[1]"),
              "[initvar]: The first variables are names with values, not a list. "
              "Write them as name: value, one a line.");
    EXPECT_TRUE(alone("{\"a\": ]}").starts_with("[initvar]: The first variables cannot be read"));
    const auto twice = initial_state(with_entries(entry("[initvar]", "a: 1\na: 2")));
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().errors[0].code, ErrorCode::kYamlDuplicateKey);
    const auto trouble = initial_state(with_entries(entry("[initvar]", "a: 1\nb: [1")));
    ASSERT_FALSE(trouble);
    EXPECT_EQ(trouble.error().text, "a: 1\nb: [1");
    EXPECT_TRUE(trouble.error().errors[0].place);
}

TEST(CardStart, AGreetingMayBringItsOwnVariables) {
    const Card card = good(
        R"({"spec":"chara_card_v2","data":{"name":"梅","first_mes":"{{char}}看着{{User}}。",
        "alternate_greetings":["<initvar>\nb: 2\n</initvar>\n夜里，<USER>。\n<UpdateVariable>\n_.set('b', 3);\n</UpdateVariable>"],
        "character_book":{"entries":[{"comment":"[initvar]","content":"{{user}}: 1\na: {{no_such}}"}]}}})");
    const auto first = initial_state(card, {.user = "阿青"});
    // A macro that is not known stays, and is no YAML: it is said so.
    EXPECT_FALSE(first);
    const auto second = initial_state(card, {.greeting = 1, .user = "阿青"});
    ASSERT_TRUE(second);
    EXPECT_EQ(value::print_json(second->document), R"({"stat_data":{"b":2}})");
    EXPECT_EQ(second->greeting,
              "夜里，阿青。\n<UpdateVariable>\n_.set('b', 3);\n</UpdateVariable>");
    const auto none = initial_state(card, {.greeting = 2});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().errors[0], base::Error(ErrorCode::kGreetingUnknown, {"2", "1"}));
    // Chance is the same for the same seed.
    const Card chance = with_entries(entry("[initvar]", "n: {{random::1::2::3}}"),
                                     "{{char}} {{get::stat_data.n}} <BOT>");
    std::set<std::string> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto start = initial_state(chance, {.seed = seed});
        ASSERT_TRUE(start);
        const std::string shown = value::print_json(start->document);
        EXPECT_EQ(shown, started(chance, {.seed = seed}));
        EXPECT_EQ(start->greeting, "梅 " + shown.substr(18, 1) + " 梅");
        seen.insert(shown);
    }
    EXPECT_EQ(seen.size(), 3U);
    EXPECT_EQ(started(with_entries(entry("[initvar]", "{{user}}:\n  钱: 1")), {.user = "阿青"}),
              R"({"stat_data":{"阿青":{"钱":1}}})");
}

TEST(CardStart, VariablesBesideTheCard) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("arbiter-cards-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const auto written = [&](const char* name, std::string_view text) {
        std::ofstream(folder / name, std::ios::binary) << text;
        return (folder / name).string();
    };
    StartOptions options;
    options.more = *load_initvars(written("more.yaml", "a:\n  y: 2\n"));
    const Card card = with_entries(entry("[initvar]", "a: {x: 1, y: 1}"));
    EXPECT_EQ(started(card, options), R"({"stat_data":{"a":{"x":1,"y":2}}})");
    options.more = *load_initvars(written(
        "world.json",
        R"({"entries":{"0":{"comment":"[initvar]","content":"z: 3"},"1":{"comment":"b","content":"q"}}})"));
    EXPECT_EQ(started(card, options), R"({"stat_data":{"a":{"x":1,"y":1},"z":3}})");
    options.more = *load_initvars(written("plain.json", R"({"entries": 5})"));
    EXPECT_EQ(started(good(kV1), options), R"({"stat_data":{"entries":5}})");
    options.more = *load_initvars(written("bytes", "a: \xFF"));
    EXPECT_TRUE(started(card, options).contains("UTF-8"));
    EXPECT_FALSE(load_initvars((folder / "none").string()));
    EXPECT_FALSE(load_card((folder / "none").string()));
    EXPECT_TRUE(load_card(written("card.png", png(text_chunk("chara", base64(kV1))))));
    std::filesystem::remove_all(folder);
}

TEST(CardStart, TooManyVariablesAreRefused) {
    const auto sized = [](std::size_t bytes) {
        return started(
            with_entries(entry("[initvar] 1", "a: " + std::string(100'000, 'x')) + "," +
                         entry("[initvar] 2", "b: " + std::string(bytes - 100'003 - 3, 'x'))));
    };
    EXPECT_TRUE(sized(base::kInitvarBytesMax).starts_with("{"));
    EXPECT_TRUE(sized(base::kInitvarBytesMax + 1).starts_with("[initvar] 2: The text has"));
    // A few aliases stand for more than a document may hold.
    std::string yaml = "t: &t " + std::string(100'000, 'x') + "\nl: [";
    for (int i = 0; i < 200; ++i) {
        yaml += "*t,";
    }
    EXPECT_TRUE(started(with_entries(entry("[initvar]", yaml + "*t]")))
                    .starts_with("[initvar]: The text has"));
}

}  // namespace
}  // namespace arbiter::config
