// Goal: lore is told when the talk turns to it and not otherwise; books are read in both spellings;
// what is remembered from turn to turn never changes what is told.
#include "prompt/lore.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "tests/support/random.h"
#include "value/json.h"

namespace arbiter::prompt {
namespace {

using value::Array;
using value::Object;
using value::Value;

Value parsed(std::string_view text) {
    auto value = value::parse_json(text);
    EXPECT_TRUE(value) << text;
    return value ? *value : Value();
}

struct Table {
    Value state = parsed(R"({"好感度":60,"hp":[3,"剩余"]})");
    MacroWorld world;
    text::TokenCounter count;
    std::vector<Message> said;
    std::size_t budget = 0;
    bool lists_silent = false;
    LoreResult last;

    void says(std::initializer_list<std::string_view> texts) {
        said.clear();
        for (const std::string_view text : texts) {
            said.push_back({said.size() % 2 == 0 ? Role::kUser : Role::kAssistant, text, {}});
        }
    }
    // The ids of what is told, without the book's name.
    std::string tells(Lore& lore) {
        world.outlets.clear();
        last = lore.activate({state, said, world, count, budget, lists_silent});
        std::vector<std::string> ids;
        for (const Block& block : last.blocks) {
            ids.push_back(block.id.substr(block.id.find('/') + 1));
        }
        std::ranges::sort(ids);
        std::string all;
        for (const std::string& id : ids) {
            all += (all.empty() ? "" : " ") + id;
        }
        return all;
    }
    [[nodiscard]] std::string why_out(std::string_view id) const {
        for (const LoreOut& each : last.out) {
            if (each.id.ends_with("/" + std::string(id))) {
                return std::string(name(each.why.reason));
            }
        }
        return "-";
    }
};

Lore lore_of(const Value& book, const LoreSettings& settings = {}) {
    Lore lore;
    const LoreSource source{"b", book};
    lore.follow({&source, 1}, settings);
    return lore;
}
Lore lore_in(std::string_view book, const LoreSettings& settings = {}) {
    return lore_of(parsed(book), settings);
}
// {"entries":{…}} of entries by id.
std::string book_of(std::string_view entries) {
    return R"({"entries":{)" + std::string(entries) + "}}";
}

TEST(Lore, KeysInTheNewestMessages) {
    Lore lore = lore_in(book_of(R"(
        "1":{"key":["灯塔"],"content":"a"},
        "2":{"key":["Cat","犬"],"content":"b"},
        "3":{"key":["cat"],"content":"c","matchWholeWords":false},
        "4":{"key":["cat"],"content":"d","caseSensitive":true},
        "5":{"key":["old"],"content":"e","scanDepth":3},
        "6":{"key":["never"],"content":"f","scanDepth":0})"));
    Table table;
    table.says({"old old cat", "x", "旧灯塔边"});
    EXPECT_EQ(table.tells(lore), "1 5");
    table.says({"", "a CAT never", "x"});
    EXPECT_EQ(table.tells(lore), "2 3");
    table.says({"cats", "犬吠"});
    EXPECT_EQ(table.tells(lore), "2 3");
    table.says({"cat"});
    EXPECT_EQ(table.tells(lore), "2 3 4");
    EXPECT_EQ(table.last.silent, 3U);
    table.lists_silent = true;
    table.tells(lore);
    EXPECT_EQ(table.why_out("1"), "lore_silent");
}

TEST(Lore, ReasonsNameTheKeyAndTheMessage) {
    Lore lore = lore_in(book_of(R"("1":{"key":["x","灯塔"],"content":"a","comment":"塔"})"));
    Table table;
    table.says({"灯塔", "好"});
    EXPECT_EQ(table.tells(lore), "1");
    EXPECT_EQ(table.last.blocks[0].why, (Why{Reason::kLoreKey, {"灯塔", "1"}}));
    EXPECT_EQ(table.last.blocks[0].source, "b: 塔");
    EXPECT_FALSE(table.last.blocks[0].cacheable);
}

TEST(Lore, SecondaryKeys) {
    std::string entries;
    for (int logic = 0; logic < 4; ++logic) {
        entries +=
            (logic == 0 ? "\"" : ",\"") + std::to_string(logic) +
            R"(":{"key":["k"],"keysecondary":["x","y"],"selective":true,"content":"c","selectiveLogic":)" +
            std::to_string(logic) + "}";
    }
    Lore lore = lore_in(book_of(entries));
    Table table;
    table.says({"k"});
    EXPECT_EQ(table.tells(lore), "1 2");  // not all, not any
    EXPECT_EQ(table.why_out("0"), "lore_second");
    table.says({"k x"});
    EXPECT_EQ(table.tells(lore), "0 1");
    table.says({"k", "x y"});
    EXPECT_EQ(table.tells(lore), "0 3");
    table.says({"x y"});
    EXPECT_EQ(table.tells(lore), "");
}

TEST(Lore, Patterns) {
    Lore lore = lore_in(book_of(R"(
        "1":{"key":["/drag(on|oness)s?/i"],"content":"a"},
        "2":{"key":["/第[一二三]章/"],"content":"b"},
        "3":{"key":["/a(?!b)/"],"content":"c"},
        "4":{"key":["/x.a/s"],"content":"d"},
        "5":{"key":["/a\\/b/"],"content":"e"},
        "6":{"key":["and/or"],"content":"f"})"));
    Table table;
    table.says({"DRAGONS in 第二章 ab x a/b and/or"});
    EXPECT_EQ(table.tells(lore), "1 2 4 5 6");
    const value::Diagnostics diagnostics = lore.diagnostics("b");
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].error.code, base::ErrorCode::kRegexUnsupported);
    EXPECT_EQ(diagnostics[0].path, (value::Path{"3", "keys"}));
    // A pattern that cannot be read is plain text, and it is said.
    Lore odd = lore_in(book_of(R"("1":{"key":["/a(/"],"content":"a"})"));
    table.says({"/A(/"});
    EXPECT_EQ(table.tells(odd), "1");
    ASSERT_EQ(odd.diagnostics("b").size(), 1U);
    EXPECT_EQ(odd.diagnostics("b")[0].error.code, base::ErrorCode::kLorePattern);
    EXPECT_EQ(odd.diagnostics("b")[0].error.arguments[0], "\"/a(/\"");
}

// A condition on the state, with described values read as their values.
TEST(Lore, TemplatesThatFailAreNamedByTheirLine) {
    Lore lore = lore_in(R"({"entries":{
        "1":{"constant":true,"content":"@@preprocessing\na\n<% setvar('x', 1) %>"},
        "2":{"constant":true,"content":"@@if getvar('好感度') > 50\n近"},
        "3":{"constant":true,"content":"@@if(getvar('好感度') > 90)\n亲"},
        "4":{"constant":true,"content":"<%= getvar('好感度') %>级"}}})");
    Table table;
    table.world.document = &table.state;
    table.says({"你好"});
    EXPECT_EQ(table.tells(lore), "2 4");
    EXPECT_EQ(table.why_out("1"), "template_writes");
    EXPECT_EQ(table.why_out("3"), "lore_condition");
    const auto out = std::ranges::find(table.last.out, "lore:b/1", &LoreOut::id);
    ASSERT_NE(out, table.last.out.end());
    EXPECT_EQ(out->why.words, (std::vector<std::string>{"3", "setvar"}));
}

TEST(Lore, When) {
    Lore lore = lore_in(book_of(R"(
        "1":{"key":["灯"],"content":"a","when":"好感度 > 50"},
        "2":{"key":["灯"],"content":"b","when":"好感度 > 70"},
        "3":{"constant":true,"content":"c","when":"hp < 5"},
        "4":{"constant":true,"content":"d","when":"hp <"})"));
    Table table;
    table.says({"灯"});
    EXPECT_EQ(table.tells(lore), "1 3");
    EXPECT_EQ(table.why_out("2"), "lore_condition");
    // A condition that cannot be read lets nothing through, and says so.
    EXPECT_EQ(table.why_out("4"), "lore_disabled");
    EXPECT_EQ(lore.diagnostics("b").size(), 1U);
    table.state = parsed(R"({"好感度":80,"hp":[9,"剩余"]})");
    EXPECT_EQ(table.tells(lore), "1 2");
}

TEST(Lore, BothSpellings) {
    const Value card = parsed(
        R"({"spec":"chara_card_v2","data":{"character_book":{"scan_depth":1,"token_budget":500,
        "recursive_scanning":false,"entries":[
        {"id":7,"keys":["a"],"secondary_keys":["b"],"selective":true,"content":"A","enabled":true,"insertion_order":5,
         "position":"after_char","extensions":{"position":4,"depth":2,"role":1,"selectiveLogic":3}},
        {"keys":["a"],"content":"B","enabled":false},
        {"keys":["a"],"content":"C","position":"after_char","case_sensitive":true,"name":"n"},
        {"keys":["a"],"content":"","constant":true}]}}})");
    Lore lore = lore_of(card);
    Table table;
    table.says({"x", "a b"});
    EXPECT_EQ(table.tells(lore), "0 2");
    const Block& first =
        table.last.blocks[0].text == "A" ? table.last.blocks[0] : table.last.blocks[1];
    EXPECT_EQ(first.target, Target::kDepth);
    EXPECT_EQ(first.depth, 2U);
    EXPECT_EQ(first.role, Role::kUser);
    EXPECT_EQ(first.priority, 5);
    EXPECT_EQ(table.why_out("3"), "empty");
    table.says({"a b", "x"});
    EXPECT_EQ(table.tells(lore), "");  // the book looks at one message
    const Value world =
        parsed(R"({"entries":{"0":{"uid":0,"key":["a"],"keysecondary":[],"comment":"","content":"W",
        "constant":false,"disable":false,"order":100,"position":0,"depth":4,"role":null,"scanDepth":null,
        "caseSensitive":null,"matchWholeWords":null,"probability":100,"useProbability":true,"vectorized":true,
        "characterFilter":{"isExclude":false,"names":[],"tags":[]}}}})");
    Lore other = lore_of(world);
    table.says({"a"});
    EXPECT_EQ(table.tells(other), "0");
    ASSERT_EQ(other.diagnostics("b").size(), 1U);  // this has no effect, and it is said
    EXPECT_EQ(other.diagnostics("b")[0].error.code, base::ErrorCode::kLoreUnsupported);
}

TEST(Lore, EntriesWakeEntries) {
    Lore lore = lore_in(book_of(R"(
        "1":{"key":["a"],"content":"tells of bb"},
        "2":{"key":["bb"],"content":"tells of cc","preventRecursion":true},
        "3":{"key":["cc"],"content":"x"},
        "4":{"key":["bb"],"content":"y","excludeRecursion":true},
        "5":{"key":["a"],"content":"z","delayUntilRecursion":true},
        "6":{"key":["6"],"content":"6"})"));
    Table table;
    table.says({"a"});
    EXPECT_EQ(table.tells(lore), "1 2 5");
    const auto second = std::ranges::find(table.last.blocks, "lore:b/2", &Block::id);
    EXPECT_EQ(second->why, (Why{Reason::kLoreRecursion, {"bb", "1"}}));
    // A ring of entries ends.
    Lore ring =
        lore_in(book_of(R"("1":{"key":["a"],"content":"b"},"2":{"key":["b"],"content":"a"})"));
    EXPECT_EQ(table.tells(ring), "1 2");
    LoreSettings still;
    still.recursive = false;
    Lore alone = lore_in(
        book_of(R"("1":{"key":["a"],"content":"b"},"2":{"key":["b"],"content":"a"})"), still);
    EXPECT_EQ(table.tells(alone), "1");
}

TEST(Lore, GroupsChanceDelayTriggersDecorators) {
    Lore lore = lore_in(book_of(R"(
        "1":{"constant":true,"content":"a","group":"g"},
        "2":{"constant":true,"content":"b","group":"g, h","groupOverride":true},
        "3":{"constant":true,"content":"c","probability":0,"useProbability":true},
        "4":{"constant":true,"content":"d","delay":3},
        "5":{"constant":true,"content":"e","triggers":["swipe"]},
        "6":{"key":["z"],"content":"@@activate\n@@depth 3\n@@unknown x\nf"},
        "7":{"constant":true,"content":"@@dont_activate\ng"},
        "8":{"constant":true,"content":"o","position":7,"outletName":"out"})"));
    Table table;
    table.says({"x"});
    EXPECT_EQ(table.tells(lore), "2 6");
    EXPECT_EQ(table.why_out("1"), "lore_group");
    EXPECT_EQ(table.why_out("3"), "lore_chance");
    EXPECT_EQ(table.why_out("4"), "lore_delay");
    EXPECT_EQ(table.why_out("5"), "lore_trigger");
    EXPECT_EQ(table.why_out("7"), "lore_disabled");
    EXPECT_EQ(table.why_out("8"), "lore_outlet");
    EXPECT_EQ(table.world.outlets.at("out"), "o");
    const auto six = std::ranges::find(table.last.blocks, "lore:b/6", &Block::id);
    EXPECT_EQ(six->text, "f");
    EXPECT_EQ(six->depth, 3U);
    EXPECT_EQ(lore.diagnostics("b").size(), 1U);
}

TEST(Lore, BudgetKeepsTheHighestOrder) {
    Lore lore = lore_in(book_of(R"(
        "1":{"constant":true,"content":"one two three","order":1},
        "2":{"constant":true,"content":"four five six","order":3},
        "3":{"constant":true,"content":"seven","order":2,"ignoreBudget":true})"));
    Table table;
    table.says({"x"});
    table.budget = 4;
    EXPECT_EQ(table.tells(lore), "2 3");
    EXPECT_EQ(table.why_out("1"), "over_kind");
    table.budget = 0;
    EXPECT_EQ(table.tells(lore), "1 2 3");
}

TEST(Lore, MacrosInTextsAndKeys) {
    Lore lore = lore_in(book_of(R"("1":{"key":["{{char}}塔"],"content":"{{char}} {{fly}}"})"));
    Table table;
    table.world.character = "灯";
    table.says({"灯塔"});
    EXPECT_EQ(table.tells(lore), "1");
    EXPECT_EQ(table.last.blocks[0].text, "灯 {{fly}}");
    EXPECT_EQ(table.last.unknown, std::vector<std::string>{"{{fly}}"});
}

TEST(Lore, TextsOfTheCard) {
    Lore lore = lore_in(book_of(R"("1":{"key":["灯塔"],"content":"a","matchScenario":true},
        "2":{"key":["灯塔"],"content":"b"})"));
    Table table;
    table.world.texts["scenario"] = "旧灯塔";
    table.says({"x"});
    EXPECT_EQ(table.tells(lore), "1");
    EXPECT_EQ(table.last.blocks[0].why, (Why{Reason::kLoreText, {"灯塔", "scenario"}}));
}

// Method: a book and a talk that change at random; what a Lore with a memory tells must be what a
// new one tells.
TEST(Lore, MemoryChangesNothing) {
    const std::vector<std::string> words = {"灯塔",   "海",    "cat",  "Dog",
                                            "/d.g/i", "风 暴", "铁匠", "x"};
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        tests::Random random(seed);
        Lore kept;
        Table table;
        const bool is_list = random.chance(50);
        Array list;
        Object map;
        for (int turn = 0; turn < 30; ++turn) {
            const auto entry = [&] {
                Object made{{"content", std::string_view(random.pick(words))},
                            {"order", static_cast<std::int64_t>(random.below(5))},
                            {"constant", random.chance(10)},
                            {"group", random.chance(20) ? "g" : ""},
                            {"scanDepth", static_cast<std::int64_t>(random.below(4))}};
                return Value(
                    std::move(made).set("key", Array{std::string_view(random.pick(words)),
                                                     std::string_view(random.pick(words))}));
            };
            const std::string id = std::to_string(random.below(12));
            if (is_list && (list.empty() || random.chance(60))) {
                list = list.insert(random.below(list.size() + 1), entry());
            } else if (is_list) {
                list = list.erase(random.below(list.size()));
            } else if (random.chance(75)) {
                map = map.set(value::Str(id), entry());
            } else {
                map = map.erase(id);
            }
            std::string text;
            for (std::size_t i = random.below(3); i > 0; --i) {
                text += random.pick(words) + " ";
            }
            if (random.chance(20) && !table.said.empty()) {
                table.said.pop_back();  // a swipe
            }
            table.said.push_back({Role::kUser, std::string_view(text), {}});
            const Value book = Object{{"entries", is_list ? Value(list) : Value(map)}};
            const LoreSource source{"b", book};
            kept.follow({&source, 1});
            Lore anew = lore_of(book);
            const std::string told = table.tells(kept);
            const LoreResult of_kept = std::move(table.last);
            ASSERT_EQ(told, table.tells(anew)) << "seed " << seed << " turn " << turn;
            ASSERT_EQ(of_kept.silent, table.last.silent);
            ASSERT_EQ(of_kept.out.size(), table.last.out.size());
            for (std::size_t i = 0; i < of_kept.blocks.size(); ++i) {
                ASSERT_EQ(of_kept.blocks[i].why, table.last.blocks[i].why);
            }
            ASSERT_EQ(kept.diagnostics("b"), anew.diagnostics("b"));
        }
    }
}

// All that is told and not told, and why.
std::string shown(const LoreResult& result) {
    const auto why = [](const Why& each) {
        std::string all(name(each.reason));
        for (const std::string& word : each.words) {
            all += "," + word;
        }
        return all;
    };
    std::string all = std::to_string(result.silent) + "\n";
    for (const Block& block : result.blocks) {
        all += block.id + "|" + block.source + "|" + why(block.why) + "|" + block.text + "\n";
    }
    for (const LoreOut& out : result.out) {
        all += "-" + out.id + "|" + why(out.why) + "\n";
    }
    return all;
}

// Goal: another version of a book is as if it had been read alone, whatever was searched before.
// Method: two books of entries that wake each other change at random, some entries or many at a
// time, with and without a turn in between, and go back to versions of before as swipes do; the
// talk stays for several turns, so that what is remembered is brought up to date.
TEST(Lore, AnotherVersionIsAsIfReadAlone) {
    const std::vector<std::string> words = {
        "灯塔", "海", "cat", "Dog", "风 暴", "铁匠", "渡口", "/d.g|海/i", "{{lastMessage}}"};
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        tests::Random random(seed);
        Lore kept;
        Table table;
        table.lists_silent = random.chance(50);
        const auto some_words = [&](std::size_t most) {
            std::string text;
            for (std::size_t i = random.below(most + 1); i > 0; --i) {
                text += random.pick(words) + "，";
            }
            return text;
        };
        const auto entry = [&] {
            Object made{{"content", std::string_view(some_words(3))},
                        {"comment", random.chance(30) ? "名" : ""},
                        {"order", static_cast<std::int64_t>(random.below(3))},
                        {"constant", random.chance(5)},
                        {"disable", random.chance(5)},
                        {"caseSensitive", random.chance(30)},
                        {"group", random.chance(10) ? "g" : ""},
                        {"delayUntilRecursion", random.chance(10)},
                        {"sticky", static_cast<std::int64_t>(random.chance(10) ? 3 : 0)},
                        {"cooldown", static_cast<std::int64_t>(random.chance(10) ? 3 : 0)},
                        {"excludeRecursion", random.chance(10)},
                        {"scanDepth", static_cast<std::int64_t>(random.below(4))}};
            if (random.chance(30)) {
                made = std::move(made)
                           .set("keysecondary", Array{std::string_view(random.pick(words))})
                           .set("selective", true);
            }
            return Value(std::move(made).set("key", Array{std::string_view(random.pick(words)),
                                                          std::string_view(random.pick(words))}));
        };
        std::vector<std::array<Object, 2>> versions(1);
        for (int turn = 0; turn < 40; ++turn) {
            for (std::size_t follows = random.below(4); follows > 0; --follows) {
                std::array<Object, 2> books =
                    random.chance(30) ? random.pick(versions) : versions.back();
                const bool many = random.chance(5);
                for (std::size_t i = many ? 150 : random.below(3); i > 0; --i) {
                    Object& book = books[random.below(2)];
                    const std::string id = std::to_string(random.below(many ? 200 : 15));
                    book = random.chance(70) ? book.set(value::Str(id), entry()) : book.erase(id);
                }
                versions.push_back(books);
                const std::array<Value, 2> written = {Object{{"entries", books[0]}},
                                                      Object{{"entries", books[1]}}};
                const std::array<LoreSource, 2> sources = {LoreSource{"b", written[0]},
                                                           LoreSource{"a", written[1]}};
                kept.follow(sources);
            }
            if (random.chance(20) && !table.said.empty()) {
                table.said.pop_back();
            }
            if (random.chance(60)) {
                table.said.push_back({random.chance(50) ? Role::kUser : Role::kAssistant,
                                      std::string_view(some_words(2)),
                                      {}});
            }
            const std::array<Value, 2> written = {Object{{"entries", versions.back()[0]}},
                                                  Object{{"entries", versions.back()[1]}}};
            const std::array<LoreSource, 2> sources = {LoreSource{"b", written[0]},
                                                       LoreSource{"a", written[1]}};
            kept.follow(sources);
            Lore anew;
            anew.follow(sources);
            table.tells(kept);
            const std::string of_kept = shown(table.last);
            table.tells(anew);
            ASSERT_EQ(of_kept, shown(table.last)) << "seed " << seed << " turn " << turn;
        }
    }
}

// ---- books that are made to hurt

TEST(LoreHostile, SizesHaveLimits) {
    const std::string long_key(std::size_t{1} << 20, 'k');
    const Value book =
        Object{{"entries",
                Array{Object{{"keys", Array{std::string_view(long_key), "k"}}, {"content", "a"}}}}};
    Lore lore = lore_of(book);
    Table table;
    table.says({"k"});
    EXPECT_EQ(table.tells(lore), "0");
    ASSERT_EQ(lore.diagnostics("b").size(), 1U);
    EXPECT_EQ(lore.diagnostics("b")[0].error.code, base::ErrorCode::kLoreKeyLong);
    Array keys;
    for (std::size_t i = 0; i < base::kLoreKeysMax + 1; ++i) {
        keys = std::move(keys).push_back(std::string_view("key" + std::to_string(i)));
    }
    Lore many = lore_of(Value(Array{Object{{"keys", keys}, {"content", "a"}}}));
    table.says({"key999"});
    EXPECT_EQ(table.tells(many), "0");
    table.says({"key1000"});
    EXPECT_EQ(table.tells(many), "");
    EXPECT_EQ(many.diagnostics("b")[0].error.code, base::ErrorCode::kLoreTooMany);
}

TEST(LoreHostile, HundredThousandEntries) {
    const Value entry = parsed(R"({"keys":["灯塔"],"content":"x"})");
    Array entries;
    for (std::size_t i = 0; i < base::kLoreEntriesMax + 1; ++i) {
        entries = std::move(entries).push_back(entry);
    }
    Lore lore = lore_of(Value(entries));
    EXPECT_EQ(lore.size(), base::kLoreEntriesMax);
    ASSERT_EQ(lore.diagnostics("b").size(), 1U);
    EXPECT_EQ(lore.diagnostics("b")[0].error.code, base::ErrorCode::kLoreTooMany);
    Table table;
    table.budget = 10;
    table.says({"灯塔"});
    table.tells(lore);
    EXPECT_EQ(table.last.blocks.size(), 10U);
}

TEST(LoreHostile, NoBookAtAll) {
    for (const std::string_view text : {"null", "1", "\"x\"", "{}", R"({"entries":5})",
                                        R"({"data":{"data":{"data":{"data":{}}}}})"}) {
        Lore lore = lore_in(text);
        EXPECT_EQ(lore.size(), 0U);
        ASSERT_EQ(lore.diagnostics("b").size(), 1U) << text;
        EXPECT_EQ(lore.diagnostics("b")[0].error.code, base::ErrorCode::kLoreNone);
    }
    Lore odd = lore_in(
        R"([1,null,{"keys":5,"content":[],"order":"x","position":99,"role":7,"when":3,"probability":-1,"depth":1e300}])");
    EXPECT_EQ(odd.size(), 3U);
    EXPECT_GE(odd.diagnostics("b").size(), 9U);
    Table table;
    table.says({"x"});
    EXPECT_EQ(table.tells(odd), "");
}

// Patterns beyond the work of a turn are left alone, and it is said; keys are still found.
TEST(LoreHostile, PatternsHaveAWorkLimit) {
    Array entries;
    for (int i = 0; i < 300; ++i) {
        entries = std::move(entries).push_back(
            Object{{"keys", Array{"/(a|b|c|d|e|f|g|h){1,60}z/"}}, {"content", "x"}});
    }
    entries = std::move(entries).push_back(Object{{"keys", Array{"灯塔"}}, {"content", "y"}});
    Lore lore = lore_of(Value(entries));
    Table table;
    const std::string text = std::string(60'000, 'a') + "灯塔";
    table.said.push_back({Role::kUser, std::string_view(text), {}});
    EXPECT_EQ(table.tells(lore), "300");
    EXPECT_TRUE(std::ranges::any_of(
        table.last.out, [](const LoreOut& each) { return each.why.reason == Reason::kLoreWork; }));
}

// Thousands of groups, and as many members of one group, over as many rounds as there are.
TEST(LoreHostile, GroupsAndRounds) {
    Array entries;
    const std::size_t rounds = base::kLoreRoundsMax + 10;
    for (std::size_t i = 0; i < rounds; ++i) {
        entries = std::move(entries).push_back(
            Object{{"keys", Array{std::string_view("w" + std::to_string(i))}},
                   {"content", std::string_view("w" + std::to_string(i + 1))}});
    }
    for (std::size_t i = 0; i < 2000; ++i) {
        const std::string own = "g" + std::to_string(i);
        entries = std::move(entries).push_back(
            Object{{"constant", true}, {"content", "x"}, {"group", std::string_view(own)}});
        entries = std::move(entries).push_back(Object{
            {"constant", true}, {"content", "y"}, {"group", "one"}, {"groupOverride", true}});
    }
    Lore lore = lore_of(Value(entries));
    Table table;
    table.says({"w0"});
    table.tells(lore);
    EXPECT_EQ(table.last.blocks.size(), base::kLoreRoundsMax + 1 + 2000 + 1);
}

// Keys that expand to the last message stop at a limit.
TEST(LoreHostile, KeysOfMacros) {
    std::string key;
    for (int i = 0; i < 200; ++i) {
        key += "{{lastMessage}}";
    }
    Array entries;
    for (int i = 0; i < 200; ++i) {
        entries = std::move(entries).push_back(
            Object{{"keys", Array{std::string_view(key), "k"}}, {"content", "x"}});
    }
    Lore lore = lore_of(Value(entries));
    Table table;
    const std::string text = "k " + std::string(20'000, 'a');
    table.said.push_back({Role::kUser, std::string_view(text), {}});
    table.world.history = table.said;
    table.tells(lore);
    EXPECT_EQ(table.last.blocks.size(), 200U);
}

TEST(LoreHostile, BrokenBytes) {
    const Value book =
        Array{Object{{"keys", Array{"\xFF\xFE", "\xB8灯", "ok"}}, {"content", "\xE4"}}};
    Lore lore = lore_of(book);
    Table table;
    table.said.push_back({Role::kUser, "\xE4\xFF\xFE ok", {}});
    EXPECT_EQ(table.tells(lore), "0");
}

}  // namespace
}  // namespace arbiter::prompt
