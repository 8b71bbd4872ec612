// Goal: lore is chosen and ordered as SillyTavern 1.19 does it.
//
// Method: a table of small books, the player's words, and the entries that the real SillyTavern
// inserts, in reading order. The rows follow its requests; each is one rule. Members of a world
// entry that the row leaves out have SillyTavern's defaults.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "prompt/assemble.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::prompt {
namespace {

using value::Array;
using value::Object;
using value::Value;

enum class Form : std::uint8_t {
    kWorld,  // a world file with SillyTavern's defaults
    kBare,   // a world file with nothing but what is written
    kCard    // the character_book of a card
};

struct Row {
    std::string_view name;
    Form form;
    std::string_view entries;
    std::string_view said;  // messages of the player, separated by " → "; a reply follows each
    std::string_view told;  // ids in reading order
};

Value parsed(std::string_view text) {
    auto value = value::parse_json(text);
    EXPECT_TRUE(value) << text;
    return value ? *value : Value();
}

Value with_defaults(Value entry, Form form, std::size_t index) {
    Object made = entry.as_object();
    const auto set = [&made](std::string_view key, Value value) {
        if (!made.contains(key)) {
            made = made.set(value::Str(key), std::move(value));
        }
    };
    set("content", std::string_view("[#" + std::to_string(index) + "]"));
    if (form == Form::kWorld) {
        set("selective", true);
        set("useProbability", true);
        set("probability", 100);
        set("position", 0);
    }
    return made;
}

Value book_of(std::string_view entries, Form form) {
    Object by_id;
    Array list;
    std::size_t index = 0;
    const Value written = parsed(entries);
    for (const Value& entry : written.as_array()) {
        const Value whole = with_defaults(entry, form, index);
        by_id = by_id.set(value::Str(std::to_string(index++)), whole);
        list = list.push_back(whole);
    }
    return Object{{"entries", form == Form::kCard ? Value(list) : Value(by_id)}};
}

// A talk with "Lumen"; the lore stays where its author put it.
class Talk {
  public:
    explicit Talk(const LoreSettings& settings = {.names = {"Lumen"}, .tags = {"fox"}})
        : settings_(settings) {
        plan_.volatile_late = false;
        world.character = "Lumen";
        world.user = "User";
        world.texts["description"] = "The {{char}} is a keeper.";
    }

    void says(std::string_view words) { messages_.push_back({Role::kUser, words, {}, 0, true}); }
    void replies(std::string_view words) { messages_.push_back({Role::kAssistant, words}); }
    // "alpha → nil": two messages of the player, the first one answered.
    void says_all(std::string_view said) {
        constexpr std::string_view kArrow = " → ";
        while (true) {
            const std::size_t end = said.find(kArrow);
            says(said.substr(0, end));
            if (end == std::string_view::npos) {
                return;
            }
            replies("(one reply)");
            said.remove_prefix(end + kArrow.size());
        }
    }

    std::string tells(Lore& lore, const Value& book, bool is_of_card = false) {
        const LoreSource source{"b", book, is_of_card};
        lore.follow({&source, 1}, settings_);
        AssemblyInputs inputs{document_, plan_};
        inputs.history = messages_;
        inputs.lore = &lore;
        inputs.world = world;
        inputs.world.seed = 7 + messages_.size();
        last = assemble(inputs);
        std::string ids;
        for (const Placed& placed : last.blocks) {
            if (placed.block.id.starts_with("lore:")) {
                ids += (ids.empty() ? "" : ",") +
                       placed.block.id.substr(placed.block.id.find('/') + 1);
            }
        }
        return ids;
    }

    MacroWorld world;
    Assembly last;

  private:
    LoreSettings settings_;
    Value document_ = Object();
    Plan plan_;
    std::vector<Message> messages_;
};

void check(std::span<const Row> rows) {
    for (const Row& row : rows) {
        Talk talk;
        talk.says_all(row.said);
        Lore lore;
        EXPECT_EQ(talk.tells(lore, book_of(row.entries, row.form), row.form == Form::kCard),
                  row.told)
            << row.name;
    }
}

constexpr Form kWorld = Form::kWorld;
constexpr Form kBare = Form::kBare;
constexpr Form kCard = Form::kCard;

TEST(LoreAsInSillyTavern, BooksOfCards) {
    constexpr Row kRows[] = {
        {"use_regex says nothing about plain keys: case", kCard,
         R"([{"enabled":true,"position":"before_char","keys":["dragon"],"use_regex":true}])",
         "A DRAGON!", "0"},
        {"use_regex: whole words", kCard,
         R"([{"enabled":true,"keys":["dragon"],"use_regex":true}])", "dragons", ""},
        {"use_regex: characters of patterns", kCard,
         R"([{"enabled":true,"keys":["C++"],"use_regex":true}])", "I code C++ now", "0"},
        {"use_regex: a dot", kCard, R"([{"enabled":true,"keys":["a.b"],"use_regex":true}])", "axb",
         ""},
        {"selective absent", kCard,
         R"([{"enabled":true,"keys":["alpha"],"secondary_keys":["beta"]}])", "alpha", "0"},
        {"selective absent in a world file", kBare,
         R"([{"key":["alpha"],"keysecondary":["beta"]}])", "alpha", "0"},
        {"equal order", kCard,
         R"([{"enabled":true,"keys":["z"],"constant":true},{"enabled":true,"keys":["z"],"constant":true}])",
         "hi", "1,0"},
        {"equal order goes by id", kCard,
         R"([{"id":9,"keys":["z"],"constant":true},{"id":4,"keys":["z"],"constant":true}])", "hi",
         "0,1"},
        {"match_character_description", kCard,
         R"([{"enabled":true,"extensions":{"match_character_description":true},"keys":["keeper"]}])",
         "hi", "0"},
        {"probability without use", kBare, R"([{"key":["alpha"],"probability":0}])", "alpha", "0"},
        {"probability of a card is used", kCard,
         R"([{"keys":["alpha"],"extensions":{"probability":0}}])", "alpha", ""},
    };
    check(kRows);
    Talk talk;
    talk.says("alpha");
    Lore lore;
    EXPECT_EQ(talk.tells(lore, book_of(R"([{"keys":["alpha"]}])", kCard), true), "0");
    EXPECT_EQ(talk.last.blocks[0].block.target, Target::kAfterCharacter);
}

TEST(LoreAsInSillyTavern, Order) {
    constexpr Row kRows[] = {
        {"ties", kWorld, R"([{"constant":true},{"constant":true},{"constant":true}])", "hi",
         "2,1,0"},
        {"ties with keys", kWorld, R"([{"key":["alpha"]},{"key":["alpha"]},{"key":["alpha"]}])",
         "alpha", "2,1,0"},
        {"ties at a depth", kWorld,
         R"([{"constant":true,"position":4,"depth":1},{"constant":true,"position":4,"depth":1},
             {"constant":true,"position":4,"depth":1}])",
         "hi", "2,1,0"},
        {"woken by recursion", kWorld,
         R"([{"key":["alpha"],"content":"beta"},{"key":["gamma"]},{"key":["beta"]}])",
         "alpha gamma", "2,1,0"},
        {"order wins", kWorld,
         R"([{"constant":true,"order":3},{"constant":true,"order":1},{"constant":true,"order":2}])",
         "hi", "1,2,0"},
        {"roles at one depth", kWorld,
         R"([{"constant":true,"order":1,"position":4,"depth":1},
             {"constant":true,"order":2,"position":4,"depth":1,"role":1},
             {"constant":true,"order":3,"position":4,"depth":1,"role":2}])",
         "hi", "2,1,0"},
        {"roles interleaved", kWorld,
         R"([{"constant":true,"order":1,"position":4,"depth":1},
             {"constant":true,"order":2,"position":4,"depth":1,"role":1},
             {"constant":true,"order":3,"position":4,"depth":1}])",
         "hi", "1,0,2"},
        {"no role by a decorator either", kWorld,
         R"([{"constant":true,"content":"@@role assistant\na","order":1},{"constant":true,"order":2}])",
         "hi", "0,1"},
        {"no role away from depth", kWorld,
         R"([{"constant":true,"order":1,"role":2},{"constant":true,"order":2}])", "hi", "0,1"},
    };
    check(kRows);
}

TEST(LoreAsInSillyTavern, Keys) {
    constexpr Row kRows[] = {
        {"several words are found anywhere", kWorld, R"([{"key":["red dragon"]}])",
         "two red dragons", "0"},
        {"before it too", kWorld, R"([{"key":["fig tree"]}])", "bigfig tree", "0"},
        {"an inflected word", kWorld, R"([{"key":["дракон"]}])", "вижу дракона", "0"},
        {"with an ASCII letter", kWorld, R"([{"key":["дракон"]}])", "вижу дракон2", ""},
        {"a compound", kWorld, R"([{"key":["Tür"]}])", "Türöffner", "0"},
        {"an accent is a boundary", kWorld, R"([{"key":["caf"]}])", "un café", "0"},
        {"written in the entry", kWorld, R"([{"key":["caf"],"matchWholeWords":true}])", "un café",
         "0"},
        {"a plural", kWorld, R"([{"key":["cat"]}])", "cats", ""},
        {"not whole words", kWorld, R"([{"key":["cat"],"matchWholeWords":false}])", "cats", "0"},
        {"Chinese anywhere", kWorld, R"([{"key":["剑"]},{"key":["会员"]}])", "剑1号 VIP会员",
         "1,0"},
        {"a space before", kWorld, R"([{"key":["alpha"," beta"]}])", "beta here", "0"},
        {"a space behind", kWorld, R"([{"key":["beta "]}])", "a beta.", "0"},
        {"a space before a secondary key", kWorld,
         R"([{"key":["alpha"],"keysecondary":[" beta"],"selectiveLogic":3}])", "alpha,beta", "0"},
        {"a blank key", kWorld, R"([{"key":[" "]}])", "anything", ""},
        {"scan depth 0 sees nothing", kWorld,
         R"([{"key":["alpha"],"content":"beta"},{"key":["beta"],"scanDepth":0}])", "alpha", "0"},
        {"a negative scan depth", kWorld, R"([{"key":["alpha"],"scanDepth":-1}])", "alpha", ""},
        {"an empty secondary key: and any", kWorld, R"([{"key":["alpha"],"keysecondary":[""]}])",
         "alpha beta", ""},
        {"not all", kWorld, R"([{"key":["alpha"],"keysecondary":["","beta"],"selectiveLogic":1}])",
         "alpha beta", "0"},
        {"and all", kWorld, R"([{"key":["alpha"],"keysecondary":["","beta"],"selectiveLogic":3}])",
         "alpha beta", ""},
        {"the description of the card", kWorld,
         R"([{"key":["keeper"],"matchCharacterDescription":true}])", "hi", "0"},
        {"with its macros", kWorld, R"([{"key":["lumen"],"matchCharacterDescription":true}])", "hi",
         "0"},
    };
    check(kRows);
}

TEST(LoreAsInSillyTavern, MacrosInKeysAndContents) {
    constexpr Row kRows[] = {
        {"the user", kWorld, R"([{"key":["{{user}}"]}])", "says User here", "0"},
        {"the user is never nobody", kWorld, R"([{"key":["{{user}} of"]}])", "friend of mine", ""},
        {"in a secondary key", kWorld,
         R"([{"key":["alpha"],"keysecondary":["{{user}}"],"selectiveLogic":3}])", "alpha User",
         "0"},
        {"in a pattern", kWorld, R"([{"key":["/{{char}}s?/i"]}])", "to lumens here", "0"},
        {"<BOT>", kWorld, R"([{"key":["<BOT>"]}])", "to lumen here", "0"},
        {"<USER> of", kWorld, R"([{"key":["<USER> of"]}])", "user OF mine", "0"},
        {"the last message", kWorld, R"([{"key":["{{lastMessage}}"]}])", "hello you", "0"},
        {"a content is expanded before it wakes others", kWorld,
         R"([{"constant":true,"content":"of {{char}}"},{"key":["Lumen"]}])", "hi", "1,0"},
        {"the name of a macro wakes nothing", kWorld,
         R"([{"constant":true,"content":"{{char}}"},{"key":["char"]}])", "hi", "0"},
    };
    check(kRows);
}

// The expansion of a key changes from turn to turn; what was found before does not stay.
TEST(LoreAsInSillyTavern, KeysFollowTheirMacros) {
    const Value book = book_of(R"([{"key":["{{user}}"]},{"key":["{{lastMessage}}x"]}])", kWorld);
    Lore lore;
    Talk talk;
    talk.says("Rook and User");
    EXPECT_EQ(talk.tells(lore, book), "0");
    talk.world.user = "Rook";
    EXPECT_EQ(talk.tells(lore, book), "0");
    talk.world.user = "Nel";
    EXPECT_EQ(talk.tells(lore, book), "");
}

TEST(LoreAsInSillyTavern, DelayedUntilRecursion) {
    constexpr Row kRows[] = {
        {"nothing that recurses", kWorld, R"([{"key":["alpha"],"delayUntilRecursion":true}])",
         "alpha", ""},
        {"prevented", kWorld,
         R"([{"key":["alpha"],"preventRecursion":true},{"key":["alpha"],"delayUntilRecursion":1}])",
         "alpha", "0"},
        {"constant", kWorld, R"([{"constant":true,"delayUntilRecursion":1}])", "alpha", ""},
        {"the lowest level is the first", kWorld,
         R"([{"key":["alpha"],"content":"beta"},{"key":["beta"],"delayUntilRecursion":2}])",
         "alpha", "1,0"},
        {"after a quiet round", kWorld,
         R"([{"key":["alpha"]},{"key":["zz"],"delayUntilRecursion":1},
             {"key":["alpha"],"delayUntilRecursion":2}])",
         "alpha", "2,0"},
        {"levels 1 and 3", kWorld,
         R"([{"key":["alpha"]},{"key":["alpha"],"delayUntilRecursion":3},
             {"key":["alpha"],"delayUntilRecursion":1}])",
         "alpha", "1,2,0"},
        {"a high level", kWorld,
         R"([{"key":["alpha"]},{"key":["alpha"],"delayUntilRecursion":40}])", "alpha", "1,0"},
        {"excluded too", kWorld,
         R"([{"key":["alpha"]},{"key":["alpha"],"excludeRecursion":true,"delayUntilRecursion":1}])",
         "alpha", "0"},
        {"@@activate", kWorld,
         R"([{"key":["zzz"],"content":"@@activate\n[#0] a","delayUntilRecursion":1}])", "alpha",
         ""},
        {"an empty entry lets others recurse", kWorld,
         R"([{"key":["alpha"],"content":""},{"key":["alpha"],"delayUntilRecursion":1}])", "alpha",
         "1"},
        {"a long chain", kWorld,
         R"([{"key":["a"],"content":"bb"},{"key":["bb"],"content":"cc"},{"key":["cc"],"content":"dd"},
             {"key":["dd"],"content":"ee"},{"key":["ee"],"content":"ff"},{"key":["ff"],"content":"gg"},
             {"key":["gg"],"content":"hh"},{"key":["hh"],"content":"ii"},{"key":["ii"],"content":"jj"},
             {"key":["jj"],"content":"kk"},{"key":["kk"],"content":"ll"}])",
         "a", "10,9,8,7,6,5,4,3,2,1,0"},
    };
    check(kRows);
}

TEST(LoreAsInSillyTavern, GroupsAndDecorators) {
    constexpr Row kRows[] = {
        {"a winner that fails its roll leaves the group empty", kWorld,
         R"([{"key":["alpha"],"order":2,"probability":0,"group":"G","groupOverride":true},
             {"key":["alpha"],"order":1,"group":"G","groupOverride":true}])",
         "alpha", ""},
        {"in that round", kWorld,
         R"([{"key":["alpha"],"order":2,"probability":0,"group":"G","groupOverride":true},
             {"key":["alpha"],"order":1,"group":"G","groupOverride":true},{"key":["alpha"]}])",
         "alpha", "1,2"},
        {"scoring", kWorld,
         R"([{"key":["alpha","beta"],"order":1,"group":"G","groupOverride":true,"useGroupScoring":true},
             {"key":["alpha"],"order":2,"group":"G","groupOverride":true,"useGroupScoring":true}])",
         "alpha beta", "0"},
        {"scoring counts secondary keys", kWorld,
         R"([{"key":["alpha"],"keysecondary":["beta"],"order":1,"group":"G","useGroupScoring":true},
             {"key":["alpha"],"order":2,"group":"G","useGroupScoring":true}])",
         "alpha beta", "0"},
        {"an empty entry takes its group", kWorld,
         R"([{"key":["alpha"],"order":2,"content":"","group":"G","groupOverride":true},
             {"key":["alpha"],"order":1,"group":"G","groupOverride":true}])",
         "alpha", ""},
        {"activating wins", kWorld,
         R"([{"key":["zzz"],"content":"@@activate\n@@dont_activate\nc"}])", "alpha", "0"},
        {"in the other order", kWorld,
         R"([{"key":["zzz"],"content":"@@dont_activate\n@@activate\nc"}])", "alpha", "0"},
        {"a fallback without need", kWorld, R"([{"key":["zzz"],"content":"@@@activate\ne"}])",
         "alpha", ""},
        {"a fallback behind an unknown decorator", kWorld,
         R"([{"key":["zzz"],"content":"@@fly\n@@@activate\ne"}])", "alpha", "0"},
        {"words behind it", kWorld, R"([{"key":["alpha"],"content":"@@dont_activate x\nu"}])",
         "alpha", "0"},
        {"V3 decorators count here", kWorld,
         R"([{"key":["zzz"],"content":"@@additional_keys gamma\ny"}])", "alpha gamma", "0"},
    };
    check(kRows);
}

TEST(LoreAsInSillyTavern, Patterns) {
    constexpr Row kRows[] = {
        {"case beyond ASCII", kWorld, R"([{"key":["/дракон/i"]}])", "ДРАКОН", "0"},
        {"unreadable: plain text", kWorld, R"([{"key":["/[/"]}])", "a /[/ b", "0"},
        {"an unescaped slash: plain text", kWorld, R"([{"key":["/a/b/"]}])", "see a/b", ""},
        {"repeated flags: plain text", kWorld, R"([{"key":["/a/ii"]}])", "see a", ""},
        {"unknown flags: plain text", kWorld, R"([{"key":["/usr/bin"]}])", "in /usr/bin", "0"},
        {"all messages are one text", kWorld, R"([{"key":["/two[\\s\\S]*one/"]}])",
         "nil → two begins", "0"},
        {"all entries of a round too", kWorld,
         R"([{"key":["alpha"],"content":"[#0] one","order":20},
             {"key":["alpha"],"content":"[#1] two","order":10},{"key":["/one\\n\\[#1\\] two/"]}])",
         "alpha", "1,0,2"},
        {"a match over two rounds", kWorld,
         R"([{"key":["alpha"],"content":"beta"},{"key":["beta"],"content":"gamma"},
             {"key":["/alpha[^]*beta[^]*gamma$/"]}])",
         "alpha", "2,1,0"},
        {"m", kWorld, R"([{"key":["/^two/m"]}])", "one\ntwo", "0"},
        {"s", kWorld, R"([{"key":["/one.two/s"]}])", "one\ntwo", "0"},
        {"a lookahead at the end", kWorld, R"([{"key":["/one(?=.*two)/"]}])", "one and two", "0"},
        {"a script", kWorld, R"([{"key":["/\\p{Script=Han}/u"]}])", "汉", "0"},
        {"the beginning of a message", kWorld, R"([{"key":["/^two/"]}])", "two begins", "0"},
        {"its mark", kWorld, R"([{"key":["/\\x01two/"]}])", "two begins", "0"},
        {"excluded from recursion", kWorld,
         R"([{"key":["alpha"],"content":"beta"},{"key":["/beta/"],"excludeRecursion":true}])",
         "alpha", "0"},
    };
    check(kRows);
}

TEST(LoreAsInSillyTavern, Filters) {
    constexpr Row kRows[] = {
        {"another character", kWorld,
         R"([{"key":["alpha"],"characterFilter":{"isExclude":false,"names":["Someone"],"tags":[]}}])",
         "alpha", ""},
        {"this one", kWorld,
         R"([{"key":["alpha"],"characterFilter":{"isExclude":false,"names":["X","Lumen"],"tags":[]}}])",
         "alpha", "0"},
        {"not this one", kWorld,
         R"([{"key":["alpha"],"characterFilter":{"isExclude":true,"names":["Lumen"],"tags":[]}}])",
         "alpha", ""},
        {"a tag", kWorld,
         R"([{"key":["alpha"],"characterFilter":{"names":[],"tags":["fox"]}},
             {"key":["alpha"],"characterFilter":{"names":[],"tags":["cat"]}}])",
         "alpha", "0"},
    };
    check(kRows);
}

TEST(LoreAsInSillyTavern, StickyAndCooldown) {
    constexpr Row kRows[] = {
        {"sticky", kWorld, R"([{"key":["alpha"],"scanDepth":1,"sticky":4}])", "alpha → nil", "0"},
        {"sticky ends", kWorld, R"([{"key":["alpha"],"scanDepth":1,"sticky":4}])",
         "alpha → nil → nil", ""},
        {"sticky is not renewed", kWorld, R"([{"key":["alpha"],"scanDepth":1,"sticky":4}])",
         "alpha → alpha → nil", ""},
        {"cooldown", kWorld, R"([{"key":["alpha"],"scanDepth":1,"cooldown":4}])", "alpha → alpha",
         ""},
        {"cooldown ends", kWorld, R"([{"key":["alpha"],"scanDepth":1,"cooldown":4}])",
         "alpha → alpha → alpha", "0"},
        {"cooldown after sticky", kWorld,
         R"([{"key":["alpha"],"scanDepth":1,"sticky":3,"cooldown":3}])",
         "alpha → nil → alpha → alpha", ""},
        {"and its end", kWorld, R"([{"key":["alpha"],"scanDepth":1,"sticky":3,"cooldown":3}])",
         "alpha → nil → alpha → alpha → alpha", "0"},
        {"a constant entry rests too", kWorld, R"([{"constant":true,"cooldown":3}])", "a → b", ""},
        {"sticky needs no roll and no recursion", kWorld,
         R"([{"key":["alpha"],"scanDepth":1},{"key":["alpha"],"scanDepth":1,"sticky":9,"delayUntilRecursion":1}])",
         "alpha → nil", "1"},
        {"sticky wins its group", kWorld,
         R"([{"key":["alpha"],"scanDepth":1,"sticky":9,"group":"G","order":1},
             {"key":["beta"],"scanDepth":1,"group":"G","groupOverride":true,"order":9}])",
         "alpha → beta", "0"},
    };
    check(kRows);
}

// The timers follow from the branch, not from what a process has seen: another line of the same
// length, a turn that is taken back, and a lore that starts in the middle tell the same.
TEST(LoreAsInSillyTavern, TimersBelongToTheBranch) {
    const Value book = book_of(
        R"([{"key":["alpha"],"scanDepth":1,"sticky":6},{"key":["beta"],"scanDepth":1,"cooldown":6}])",
        kWorld);
    Lore kept;
    Talk first;
    first.says_all("alpha → beta → nil");
    EXPECT_EQ(first.tells(kept, book), "0");
    first.replies(".");
    first.says("beta");
    EXPECT_EQ(first.tells(kept, book), "");  // alpha's time is over, beta rests
    Talk other;
    other.says_all("nil → nil → nil → beta");
    EXPECT_EQ(other.tells(kept, book), "1");
    Talk shorter;
    shorter.says_all("alpha → nil");
    EXPECT_EQ(shorter.tells(kept, book), "0");
    Lore anew;
    EXPECT_EQ(first.tells(anew, book), "");
    EXPECT_EQ(first.tells(kept, book), "");
}

}  // namespace
}  // namespace arbiter::prompt
