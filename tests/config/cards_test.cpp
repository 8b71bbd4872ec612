// Goal: a character card of any version and form gives the same Card; an MVU card starts with its
// variables; and a hostile or broken file is refused with words that say what would have worked.
// Method: pictures are made here, chunk by chunk, with a checksum of our own.
// proves: S4-21
#include "config/cards.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/limits.h"
#include "base/messages.h"
#include "engine/initvar.h"
#include "tests/support/png.h"
#include "value/json.h"

namespace arbiter::config {
namespace {

using base::ErrorCode;
using tests::base64;
using tests::chunk;
using tests::international_chunk;
using tests::packed_chunk;
using tests::png;
using tests::text_chunk;
using value::Value;

constexpr std::string_view kV1 =
    R"({"name":"梅","description":"药师","personality":"冷","scenario":"山里","first_mes":"你好。","mes_example":"<START>","own":7})";
constexpr std::string_view kV2 = R"({"spec":"chara_card_v2","spec_version":"2.0","name":"旧",
"data":{"name":"梅","description":"药师","personality":"冷","scenario":"山里","first_mes":"你好。",
"mes_example":"<START>","creator_notes":"n","system_prompt":"s","post_history_instructions":"p",
"alternate_greetings":["再来。"],"tags":["a","b"],"creator":"c","character_version":"1.2",
"extensions":{"own":{"x":1},"world":"山"},"character_book":{"entries":[]}}})";

std::string v3(std::string_view name) {
    return R"({"spec":"chara_card_v3","spec_version":"3.0","data":{"name":")" + std::string(name) +
           R"(","first_mes":"V3","group_only_greetings":["众人"],"nickname":"小梅"}})";
}

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

TEST(Cards, EveryVersionGivesItsFields) {
    const Card one = good(kV1);
    EXPECT_EQ(one.version, 1);
    EXPECT_EQ(one.name, "梅");
    EXPECT_EQ(one.description, "药师");
    EXPECT_EQ(one.personality, "冷");
    EXPECT_EQ(one.scenario, "山里");
    EXPECT_EQ(one.greetings, std::vector<std::string>{"你好。"});
    EXPECT_EQ(one.example_messages, "<START>");
    EXPECT_TRUE(one.character_book.is_null());
    // What is not known here is kept.
    EXPECT_EQ(one.whole.as_object().find("own")->as_int(), 7);

    const Card two = good(kV2);
    EXPECT_EQ(two.version, 2);
    EXPECT_EQ(two.name, "梅");
    EXPECT_EQ(two.creator_notes, "n");
    EXPECT_EQ(two.system_prompt, "s");
    EXPECT_EQ(two.post_history_instructions, "p");
    EXPECT_EQ(two.greetings, (std::vector<std::string>{"你好。", "再来。"}));
    EXPECT_EQ(two.tags, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(two.creator, "c");
    EXPECT_EQ(two.character_version, "1.2");
    EXPECT_EQ(value::print_json(two.extensions), R"({"own":{"x":1},"world":"山"})");
    EXPECT_TRUE(two.character_book.is_object());
    EXPECT_EQ(two.linked_world, "");

    const Card three = good(v3("梅"));
    EXPECT_EQ(three.version, 3);
    EXPECT_EQ(three.nickname, "小梅");
    EXPECT_EQ(three.group_greetings, std::vector<std::string>{"众人"});
    // A version that is newer is read as the newest that is known.
    EXPECT_EQ(good(R"({"spec":"chara_card_v4","data":{"name":"x"}})").version, 3);
}

TEST(Cards, OtherNamesOfOlderPrograms) {
    const Card card = good(
        R"({"char_name":"A","char_persona":"B","world_scenario":"C","char_greeting":"D","example_dialogue":"E"})");
    EXPECT_EQ(card.name, "A");
    EXPECT_EQ(card.description, "B");
    EXPECT_EQ(card.scenario, "C");
    EXPECT_EQ(card.greetings[0], "D");
    EXPECT_EQ(card.example_messages, "E");
    EXPECT_EQ(good("\xEF\xBB\xBF{\"name\":\"BOM\"}").name, "BOM");
}

TEST(Cards, YamlWithProtocols) {
    const Card card = good(
        "name: \"高松灯\"\nfirst_mes: 你好\nconfiguration:\n  protocols:\n"
        "    - variable_update_v1\n    - id: dice\nenabled_schemas: [dice, x]\n");
    EXPECT_EQ(card.form, Card::Form::kYaml);
    EXPECT_EQ(card.name, "高松灯");
    EXPECT_EQ(card.protocols, (std::vector<std::string>{"variable_update_v1", "dice", "x"}));
    const Card inside = good(
        R"({"spec":"chara_card_v2","data":{"name":"x","extensions":{"configuration":{"protocols":["p"]}}}})");
    EXPECT_EQ(inside.protocols, std::vector<std::string>{"p"});
}

TEST(Cards, PicturesInEveryKindOfChunk) {
    const std::string text = base64(kV2);
    for (const std::string& bytes :
         {png(text_chunk("chara", text)), png(text_chunk("Chara", text)),
          png(text_chunk("Comment", "x") + packed_chunk("chara", text)),
          png(international_chunk("chara", text, false)),
          png(international_chunk("chara", text, true)), png(text_chunk("chara", kV2)),
          // Lines of base64, and bytes behind the picture.
          png(text_chunk("chara", text.substr(0, 76) + "\n" + text.substr(76))) + "PK\x03\x04"}) {
        const Card card = good(bytes);
        EXPECT_EQ(card.form, Card::Form::kPng);
        EXPECT_EQ(card.name, "梅");
        EXPECT_EQ(card.greetings.size(), 2U);
    }
    // The newer one wins, wherever it stands.
    const std::string old = text_chunk("chara", text);
    const std::string fresh = text_chunk("ccv3", base64(v3("新")));
    EXPECT_EQ(good(png(old + fresh)).name, "新");
    EXPECT_EQ(good(png(fresh + old)).name, "新");
}

TEST(Cards, BrokenPicturesAreRefused) {
    const std::string whole = png(text_chunk("chara", base64(kV1)));
    EXPECT_EQ(refused(png("")), ErrorCode::kPngNoCard);
    EXPECT_EQ(refused(png(text_chunk("parameters", "steps"))), ErrorCode::kPngNoCard);
    EXPECT_EQ(refused(png(text_chunk("chara", "no base64 ***"))), ErrorCode::kCardNotBase64);
    EXPECT_EQ(refused(png(text_chunk("chara", base64("{\"name\":")))), ErrorCode::kJsonUnclosed);
    // A ccv3 that is broken is not silently replaced by what is older.
    EXPECT_EQ(refused(png(text_chunk("chara", base64(kV1)) + text_chunk("ccv3", "***"))),
              ErrorCode::kCardNotBase64);
    EXPECT_EQ(refused(std::string(tests::kPngSignature) + chunk("IDAT", "x")),
              ErrorCode::kPngHeader);
    EXPECT_EQ(refused(png(chunk("tEXt", "chara"))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(text_chunk("", "x"))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(text_chunk(std::string(80, 'k'), "x"))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(text_chunk(std::string(79, 'k'), "x"))), ErrorCode::kPngNoCard);
    EXPECT_EQ(refused(png(chunk("zTXt", std::string("chara\0\1x", 8)))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(chunk("zTXt", std::string("chara\0\0x", 8)))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(chunk("iTXt", std::string("chara\0\2\0", 8)))),
              ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(chunk("iTXt", std::string("chara\0\0\0zh", 10)))),
              ErrorCode::kPngTextBroken);
    // Cut anywhere, it is never taken for whole.
    for (std::size_t size = tests::kPngSignature.size(); size < whole.size(); ++size) {
        const ErrorCode code = refused(std::string_view(whole).substr(0, size));
        EXPECT_TRUE(code == ErrorCode::kPngTruncated || code == ErrorCode::kPngHeader) << size;
    }
    // Any bit that flips behind the signature is noticed.
    for (std::size_t at = tests::kPngSignature.size(); at < whole.size(); ++at) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
        EXPECT_NE(refused(flipped), ErrorCode::kCount) << at;
    }
    EXPECT_EQ(refused(png(text_chunk("chara", base64(kV1))).replace(8 + 25 + 20, 1, "!")),
              ErrorCode::kPngDamaged);
    // A length that would run over the end of all numbers.
    EXPECT_EQ(refused(whole.substr(0, 33) + "\xFF\xFF\xFF\xFFtEXt" + whole.substr(41)),
              ErrorCode::kPngTruncated);
}

TEST(Cards, BombsAreRefused) {
    // Zeros pack a thousandfold.
    EXPECT_EQ(refused(png(packed_chunk("chara", std::string(1 << 20, '0')))), ErrorCode::kPngBomb);
    EXPECT_EQ(refused(png(international_chunk("ccv3", std::string(40 << 20, '0'), true))),
              ErrorCode::kPngBomb);
    // 10 MB of text, in a picture and alone.
    EXPECT_EQ(refused(png(text_chunk("chara", std::string(10 << 20, 'A')))),
              ErrorCode::kPngChunkTooLong);
    EXPECT_EQ(refused("{\"name\":\"" + std::string(10 << 20, 'x') + "\"}"),
              ErrorCode::kTextTooLong);
    EXPECT_EQ(refused("name: " + std::string(10 << 20, 'x')), ErrorCode::kTextTooLong);
    EXPECT_EQ(refused("{\"name\":" + std::string(1000, '[') + std::string(1000, ']') + "}"),
              ErrorCode::kTooDeep);
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

TEST(Cards, LimitsHoldAtTheirBorders) {
    // A text chunk of just the limit is walked over; one byte more is not.
    const auto padded = [](std::size_t bytes) {
        return png(text_chunk("k", std::string(bytes - 2, 'x')) + text_chunk("chara", base64(kV1)));
    };
    EXPECT_EQ(refused(padded(base::kPngTextBytesMax)), ErrorCode::kCount);
    EXPECT_EQ(refused(padded(base::kPngTextBytesMax + 1)), ErrorCode::kPngChunkTooLong);
    // Of pixels there may be more in one chunk, up to what a file may have.
    const std::string small = png(chunk("IDAT", "") + text_chunk("chara", base64(kV1)));
    const std::size_t room = base::kPngBytesMax - small.size();
    const auto filled = [](std::size_t bytes) {
        return png(chunk("IDAT", std::string(bytes, 'x')) + text_chunk("chara", base64(kV1)));
    };
    EXPECT_EQ(refused(filled(room)), ErrorCode::kCount);
    EXPECT_EQ(refused(filled(room + 1)), ErrorCode::kTextTooLong);
    // Packed exactly a hundredfold, and a byte beyond.
    const auto unpacks = [](std::size_t wanted) {
        const std::string json = R"({"name":"x"})";
        const std::string text = json + std::string(wanted - json.size(), ' ');
        return std::pair(tests::packed(text).size(), refused(png(packed_chunk("chara", text))));
    };
    std::size_t last = 0;
    for (std::size_t wanted = 2000; wanted < 12'000; wanted += 7) {
        const auto [size, code] = unpacks(wanted);
        EXPECT_EQ(code, wanted <= size * base::kInflateRatioMax ? ErrorCode::kCount
                                                                : ErrorCode::kPngBomb);
        last += code == ErrorCode::kCount ? 1U : 0U;
    }
    EXPECT_GT(last, 0U);
    EXPECT_LT(last, 10'000U / 7);
    const auto of_bytes = [](std::size_t bytes) {
        return "{\"name\":\"" + std::string(bytes - 11, 'x') + "\"}";
    };
    EXPECT_EQ(refused(of_bytes(base::kCardBytesMax)), ErrorCode::kCount);
    EXPECT_EQ(refused(of_bytes(base::kCardBytesMax + 1)), ErrorCode::kTextTooLong);
}

TEST(Cards, WhatIsNoCardSaysWhatWouldBe) {
    EXPECT_EQ(refused("PK\x03\x04zip"), ErrorCode::kCardForm);
    EXPECT_EQ(refused("\xFF\xD8\xFF\xE0jpeg"), ErrorCode::kCardForm);
    EXPECT_EQ(refused("RIFF1234WEBPVP8 "), ErrorCode::kCardForm);
    EXPECT_EQ(refused(""), ErrorCode::kCardNone);
    EXPECT_EQ(refused("[1]"), ErrorCode::kCardNone);
    EXPECT_EQ(refused("{}"), ErrorCode::kCardNone);
    EXPECT_EQ(refused(R"({"spec":"chara_card_v2","data":{}})"), ErrorCode::kCardNone);
    EXPECT_EQ(refused(R"({"entries":{"0":{"comment":"x"}}})"), ErrorCode::kCardLorebook);
    EXPECT_EQ(refused(R"({"spec":"lorebook_v3","data":{"entries":[]}})"), ErrorCode::kCardLorebook);
    EXPECT_EQ(refused(R"({"name":["x"]})"), ErrorCode::kBadField);
    EXPECT_EQ(refused(R"({"name":"x","tags":"a"})"), ErrorCode::kBadField);
    EXPECT_EQ(refused(R"({"name":"x","character_book":7})"), ErrorCode::kBadField);
    const auto card = parse_card("mei.yaml", "name: 梅\nalternate_greetings: [a, {b: 1}]\n");
    ASSERT_FALSE(card);
    EXPECT_EQ(base::explain(card.error().errors[0], base::Language::kEnglish),
              "alternate_greetings[1] takes [\"…\", …], not object.");
    EXPECT_EQ(card.error().errors[0].place->line, 2U);
    const auto json = parse_card("mei.json", "{\"name\": \"梅\",\n \"tags\": [}");
    ASSERT_FALSE(json);
    EXPECT_EQ(json.error().errors[0].place->line, 2U);
}

TEST(Cards, ScriptsAreNamedAndNeverRun) {
    const Card card = good(R"json({"spec":"chara_card_v2","data":{"name":"x",
        "first_mes":"<%= getvar('a') %>","description":"<SCRIPT src=x>",
        "character_book":{"entries":[{"comment":"E","content":"<% if (1) { %>a<% } %>"}]},
        "extensions":{"regex_scripts":[{"scriptName":"hide","replaceString":"<script>1</script>"}],
        "TavernHelper_scripts":[{"type":"script","value":{"name":"old","content":"alert(1)"}}],
        "tavern_helper":{"scripts":[{"name":"zod","content":"registerMvuSchema(z.object({}))"},
        {"type":"folder","scripts":[{"name":"in"}]}]}}}})json");
    using enum CardScript::Kind;
    EXPECT_EQ(card.scripts, (std::vector<CardScript>{{kRegex, "hide"},
                                                     {kHtml, "hide"},
                                                     {kHelper, "old"},
                                                     {kSchema, "zod"},
                                                     {kHelper, "in"},
                                                     {kHtml, "description"},
                                                     {kTemplate, "first_mes"},
                                                     {kTemplate, "E"}}));
    const Card pairs = good(
        R"({"name":"x","extensions":{"tavern_helper":[["scripts",[{"name":"p"}]],["variables",{}]]}})");
    EXPECT_EQ(pairs.scripts, (std::vector<CardScript>{{kHelper, "p"}}));
}

TEST(Cards, VariablesOfABookAreMergedInOrder) {
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

TEST(Cards, VariablesInEveryWayTheyAreWritten) {
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
              "[initvar]: The first variables are names with values, not array. "
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

TEST(Cards, AGreetingMayBringItsOwnVariables) {
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

TEST(Cards, VariablesBesideTheCard) {
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

TEST(Cards, TooManyVariablesAreRefused) {
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
