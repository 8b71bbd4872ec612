// Goal: a prompt is the same bytes for the same inputs in whatever order they come; it stays within
// its budget by the stated order; adding a turn keeps the beginning that can be cached; every piece
// that is in it, or is not, says why.
#include "prompt/assemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "prompt/explain.h"
#include "table/registries.h"
#include "tests/prompt/flat.h"
#include "tests/support/random.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::prompt {
namespace {

using tests::flat;
using tests::flat_prefix;
using tests::Random;
using tests::text_of;
using value::Object;
using value::Value;

Value parsed(std::string_view text) {
    auto value = value::parse_json(text);
    EXPECT_TRUE(value) << text;
    return value ? *value : Value();
}

Block piece(std::string_view id, Kind kind, Target target, std::string_view text,
            std::int64_t priority = 100) {
    Block block;
    block.id = id;
    block.kind = kind;
    block.target = target;
    block.text = text;
    block.priority = priority;
    block.why = {Reason::kGiven, {"because of " + std::string(id)}};
    return block;
}

constexpr std::string_view kBook = R"({"entries":{
    "1":{"key":["灯塔"],"content":"灯塔在海边。","order":60},
    "2":{"constant":true,"content":"世界名为{{char}}界。","order":10},
    "3":{"key":["铁匠"],"content":"铁匠姓王。","position":4,"depth":2},
    "4":{"key":["塔"],"content":"低处的传说。","order":20}}})";
constexpr std::string_view kState =
    R"({"stat_data":{"hp":[82,"剩余"],"npc":{"线人":{"x":1,"_showInEJS":false}}},
    "assa_data":{"summary":{"big":{"誓":{"t":"守","_is_protected":true},"旧":"事","新":"事"},"small":{"昨":"雨"}},
    "config":{"hide_latest_count":1}}})";

// Everything that goes into a prompt.
struct Scene {
    Value state = parsed(kState);
    Value book = parsed(kBook);
    Plan plan = plan_of(table::shipped_registries()->dialogs.all()[0]);
    Context context = Context::kFull;
    std::vector<Block> pieces = {
        piece("main", Kind::kRules, Target::kSystemStart, "你是主持人。"),
        piece("card", Kind::kCharacter, Target::kCharacter, "{{char}}是守塔人。"),
        piece("protocol:a", Kind::kProtocol, Target::kSystemEnd, "协议甲", 100),
        piece("protocol:b", Kind::kProtocol, Target::kSystemEnd, "协议乙", 200),
        piece("examples", Kind::kExamples, Target::kExamples, "User: 例\nAssistant: 例"),
        piece("after", Kind::kProtocol, Target::kAfterHistory, "只输出正文。")};
    std::vector<Message> said = {{Role::kAssistant, "欢迎来到海边。", {}},
                                 {Role::kUser, "我去找灯塔。", {}}};
    Lore lore;
    MacroWorld world;

    Scene() {
        pieces[1].macros = true;
        world.character = "灯";
    }
    Assembly built() {
        const LoreSource source{"海", book};
        lore.follow({&source, 1});
        AssemblyInputs inputs{state, plan};
        inputs.context = context;
        inputs.pieces = pieces;
        inputs.history = said;
        inputs.lore = &lore;
        inputs.world = world;
        return assemble(inputs);
    }
};

std::string ids(const Assembly& assembly) {
    std::string all;
    for (const Placed& placed : listed_blocks(assembly)) {
        all += (all.empty() ? "" : " ") + placed.block.id;
    }
    return all;
}
std::string why_out(const Assembly& assembly, std::string_view id) {
    const auto found = std::ranges::find(assembly.omitted, id, &Omitted::id);
    return found == assembly.omitted.end() ? "-" : std::string(name(found->why.reason));
}

// proves: X-11, S1-36
TEST(Assemble, OneOfEverything) {
    Scene scene;
    const Assembly assembly = scene.built();
    EXPECT_EQ(
        ids(assembly),
        "main lore:海/2 card protocol:a protocol:b examples pin:1 big:旧 history:start history:0 "
        "lore:海/4 lore:海/1 small:昨 state:stat_data history:1 after");
    ASSERT_EQ(assembly.messages.size(), 8U);
    EXPECT_EQ(assembly.messages[0].content,
              "你是主持人。\n\n世界名为灯界。\n\n灯是守塔人。\n\n协议甲\n\n协议乙");
    EXPECT_EQ(assembly.messages[2].content,
              "# 不可遗忘\n- 誓: {\"t\":\"守\"}\n\n# 长期记忆\n- 旧: 事");
    EXPECT_EQ(assembly.messages[5].content,
              "低处的传说。\n\n灯塔在海边。\n\n# 近期记忆\n- 昨: 雨\n\n# 当前状态\nstat_data:\n"
              "  hp: 82  # 剩余\n  npc:\n    线人: [已隐藏] 请勿修改或重新初始化此字段");
    EXPECT_EQ(assembly.messages[6].content, "我去找灯塔。");
    EXPECT_EQ(assembly.messages[7].content, "只输出正文。");
    EXPECT_EQ(why_out(assembly, "big:新"), "hidden_latest");
    EXPECT_EQ(assembly.silent_lore, 1U);
    for (const Placed& placed : listed_blocks(assembly)) {
        EXPECT_FALSE(text_of(assembly, placed).empty());
        EXPECT_FALSE(explain(placed.block.why, base::Language::kEnglish).empty());
    }
    // Four messages and no changing piece: all up to the newest turn can be kept.
    EXPECT_EQ(assembly.cacheable_messages, 5U);
    EXPECT_TRUE(flat(assembly).starts_with(flat_prefix(assembly)));
}

// proves: S1-37
TEST(Assemble, TheTypeOfDialogChangesThePromptAndNothingElse) {
    Scene scene;
    const Value before = scene.state;
    std::map<std::string, std::string> prompts;
    for (const table::DialogType& dialog : table::shipped_registries()->dialogs.all()) {
        const Plan plan = plan_of(dialog);
        scene.plan = plan;
        prompts[plan.name] = ids(scene.built());
        EXPECT_TRUE(value::same_bytes(before, scene.state));
    }
    EXPECT_EQ(prompts["rules"].find("lore:海/1"), std::string::npos);
    EXPECT_NE(prompts["rules"].find("protocol:a"), std::string::npos);
    EXPECT_EQ(prompts["action"].find("examples"), std::string::npos);
    EXPECT_EQ(prompts["free_chat"].find("protocol"), std::string::npos);
    std::set<std::string> different;
    for (const auto& [type, prompt] : prompts) {
        different.insert(prompt);
    }
    EXPECT_EQ(different.size(), 4U);
}

// proves: A1-1, A1-2
TEST(Assemble, CompressedAndMinimal) {
    Scene scene;
    scene.said.clear();
    for (int i = 0; i < 40; ++i) {
        scene.said.push_back({i % 2 == 0 ? Role::kUser : Role::kAssistant,
                              std::string_view("说 " + std::to_string(i)),
                              {}});
    }
    scene.plan.recent_messages = 4;
    const std::string full = ids(scene.built());
    EXPECT_NE(full.find("history:0 "), std::string::npos);
    scene.context = Context::kCompress;
    const Assembly compressed = scene.built();
    EXPECT_EQ(ids(compressed).find("history:35"), std::string::npos);
    EXPECT_NE(ids(compressed).find("history:36"), std::string::npos);
    EXPECT_NE(ids(compressed).find("big:旧"), std::string::npos);
    EXPECT_EQ(why_out(compressed, "history:0-35"), "not_in_plan");
    scene.context = Context::kMinimal;
    const std::string minimal = ids(scene.built());
    EXPECT_EQ(minimal.find("big:"), std::string::npos);
    EXPECT_EQ(minimal.find("lore:"), std::string::npos);
    EXPECT_NE(minimal.find("pin:1"), std::string::npos);
    EXPECT_NE(minimal.find("state:stat_data"), std::string::npos);
}

// Method: the inputs in every order that comes up; the bytes must not differ.
TEST(Assemble, SameInputsSameBytesInAnyOrder) {
    Scene first;
    first.pieces.push_back(
        piece("dice", Kind::kOther, Target::kSystemEnd, "{{random::a::b::c::d}}{{roll:9d9}}"));
    first.pieces.push_back(
        piece("dice2", Kind::kOther, Target::kSystemEnd, "{{setvar::x::1}}{{random::a::b::c::d}}"));
    first.pieces.push_back(piece("dice3", Kind::kOther, Target::kSystemEnd, "{{getvar::x}}", 300));
    first.pieces.push_back(piece("main", Kind::kRules, Target::kSystemStart, "另一个", 50));
    for (Block& each : first.pieces) {
        each.macros = true;
    }
    const Value other = parsed(R"([{"keys":["海"],"content":"另一本书"}])");
    std::string wanted;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        Scene scene;
        scene.pieces = first.pieces;
        scene.world.seed = 5;
        for (std::size_t i = scene.pieces.size(); i > 1; --i) {
            std::swap(scene.pieces[i - 1], scene.pieces[random.below(i)]);
        }
        // The same members in another order are the same book.
        Object entries;
        std::vector<std::string> keys = {"1", "2", "3", "4"};
        for (std::size_t i = keys.size(); i > 1; --i) {
            std::swap(keys[i - 1], keys[random.below(i)]);
        }
        for (const std::string& key : keys) {
            entries = std::move(entries).set(
                value::Str(key), *scene.book.as_object().find("entries")->as_object().find(key));
        }
        const Value shuffled = Object{{"entries", entries}};
        std::vector<LoreSource> sources = {{"海", shuffled}, {"乙", other}};
        if (random.chance(50)) {
            std::swap(sources[0], sources[1]);
        }
        Lore lore;
        lore.follow(sources);
        AssemblyInputs inputs{scene.state, scene.plan};
        inputs.pieces = scene.pieces;
        inputs.history = scene.said;
        inputs.lore = &lore;
        inputs.world = scene.world;
        const Assembly assembly = assemble(inputs);
        const std::string bytes = flat(assembly) + value::print_json(explained(assembly)) +
                                  explain(assembly, base::Language::kChinese);
        if (seed == 0) {
            wanted = bytes;
            EXPECT_NE(bytes.find("另一本书"), std::string::npos);
            EXPECT_EQ(why_out(assembly, "main"), "repeated");
        }
        ASSERT_EQ(bytes, wanted) << seed;
    }
}

// Method: a random talk on a state that changes with every turn; the beginning that was said to
// stay must begin the next prompt.
TEST(Assemble, ATurnKeepsTheCacheablePrefix) {
    const std::vector<std::string> words = {"灯塔", "铁匠", "海", "风", "walks", "塔"};
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        Random random(seed);
        Scene scene;
        scene.pieces.push_back(
            piece("clock", Kind::kOther, Target::kSystemEnd, "{{get::stat_data.hp}}"));
        scene.pieces.back().macros = true;
        std::string before;
        std::size_t share = 0;
        for (int turn = 0; turn < 25; ++turn) {
            for (const Role role : {Role::kAssistant, Role::kUser}) {
                std::string text;
                for (std::size_t i = 1 + random.below(20); i > 0; --i) {
                    text += random.pick(words);
                }
                scene.said.push_back({role, std::string_view(text), {}});
            }
            scene.state = parsed(R"({"stat_data":{"hp":)" + std::to_string(random.below(100)) +
                                 R"(},"assa_data":{"summary":{"big":{"旧":"事"},"small":{"昨":")" +
                                 std::to_string(turn) + R"("}}}})");
            const Assembly assembly = scene.built();
            const std::string now = flat(assembly);
            ASSERT_TRUE(before.empty() || now.starts_with(before))
                << "seed " << seed << " turn " << turn;
            before = flat_prefix(assembly);
            ASSERT_TRUE(now.starts_with(before));
            share = assembly.cacheable_bytes * 100 / assembly.bytes;
        }
        EXPECT_GT(share, 70U);
        // When a source changes, so does the prefix.
        scene.pieces[0].text = "你是另一个主持人。";
        EXPECT_FALSE(flat(scene.built()).starts_with(before));
    }
}

// With changing pieces where their authors put them, nothing behind the first of them can be kept.
TEST(Assemble, AsWrittenOrLate) {
    Scene scene;
    const Assembly late = scene.built();
    scene.plan.volatile_late = false;
    const Assembly written = scene.built();
    EXPECT_LT(written.cacheable_bytes, late.cacheable_bytes);
    EXPECT_EQ(ids(written).find("main lore:海/2 lore:海/4 lore:海/1 card"), 0U);
    const auto moved = std::ranges::find(late.blocks, "lore:海/1",
                                         [](const Placed& each) { return each.block.id; });
    ASSERT_EQ(moved->notes.size(), 1U);
    EXPECT_EQ(moved->notes[0].reason, Reason::kMovedLate);
}

// Older messages go in steps, so that the beginning stays for some turns.
TEST(Assemble, HistoryGoesInSteps) {
    Scene scene;
    scene.pieces.clear();
    scene.state = Object();
    scene.book = parsed(R"({"entries":{}})");
    scene.plan.context_tokens = 600;
    scene.plan.recent_messages = 4;
    scene.said.clear();
    std::size_t kept = 0;
    std::size_t moved = 0;
    std::string prefix;
    for (int i = 0; i < 120; ++i) {
        scene.said.push_back({Role::kUser, "一二三四五六七八九十一二三四五六", {}});
        const Assembly assembly = scene.built();
        EXPECT_LE(assembly.tokens, 600U);
        moved += prefix.empty() || flat(assembly).starts_with(prefix) ? 0 : 1;
        prefix = flat_prefix(assembly);
        kept = assembly.said.size();
    }
    EXPECT_GE(kept, 15U);
    EXPECT_GT(moved, 5U);
    EXPECT_LE(moved, 13U);  // not with every message
}

// The stated order: each kind is gone before the next one loses anything.
TEST(Assemble, OrderOfSacrifice) {
    Scene scene;
    scene.said.clear();
    for (int i = 0; i < 30; ++i) {
        scene.said.push_back({Role::kUser, "我去找灯塔和铁匠，很久很久以前。", {}});
    }
    scene.plan.recent_messages = 4;
    scene.plan.history_step = 1;
    scene.state = parsed(R"({"stat_data":{"hp":1},"assa_data":{"summary":{"facts":{"a":1},
        "big":{"誓":{"t":"守","_is_protected":true},"旧":"事"},"small":{"昨":"雨","今":"晴"}},"config":{"hide_latest_count":0}}})");
    const std::vector<std::vector<std::string>> order = {{"lore:海/4"},
                                                         {"history:0"},
                                                         {"examples"},
                                                         {"lore:海/1", "lore:海/3"},
                                                         {"small:昨", "small:今"},
                                                         {"big:旧"},
                                                         {"lore:海/2"},
                                                         {"facts", "state:stat_data"},
                                                         {"history:28"}};
    std::size_t tokens = scene.built().tokens;
    std::vector<std::size_t> gone_at(order.size());
    for (std::size_t room = tokens + 400; room > 10; room -= 5) {
        scene.plan.context_tokens = room;
        const Assembly assembly = scene.built();
        if (assembly.notices.empty()) {
            EXPECT_LE(assembly.tokens, room);
        }
        const std::string in = " " + ids(assembly) + " ";
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (const std::string& id : order[i]) {
                if (in.find(" " + id + " ") == std::string::npos) {
                    gone_at[i] = std::max(gone_at[i], room);
                }
            }
        }
        for (const std::string_view never :
             {" main ", " card ", " protocol:a ", " pin:1 ", " history:29 ", " after "}) {
            EXPECT_NE(in.find(never), std::string::npos) << room;
        }
    }
    for (std::size_t i = 1; i < order.size(); ++i) {
        EXPECT_GE(gone_at[i - 1], gone_at[i]) << order[i][0];
        EXPECT_GT(gone_at[i], 0U) << order[i][0];
    }
    // Mandatory blocks beyond the budget are reported.
    scene.plan.context_tokens = 20;
    const Assembly over = scene.built();
    ASSERT_FALSE(over.notices.empty());
    EXPECT_EQ(over.notices.back().reason, Reason::kOverBudget);
}

// proves: S0-69
TEST(Assemble, BudgetsOfBlocksAndKinds) {
    Scene scene;
    scene.plan.fragments = {{{"stat_data"}, 0, 0, 12, 100}};
    const Assembly cut = scene.built();
    const auto state = std::ranges::find(cut.blocks, "state:stat_data",
                                         [](const Placed& each) { return each.block.id; });
    ASSERT_NE(state, cut.blocks.end());
    EXPECT_LE(state->tokens, 12U);
    EXPECT_EQ(state->block.why.reason, Reason::kStatePart);
    scene.plan.fragments[0].budget = 1;
    EXPECT_EQ(why_out(scene.built(), "state:stat_data"), "over_block");
    scene.plan.fragments.clear();
    scene.pieces.push_back(
        piece("long", Kind::kOther, Target::kSystemEnd, "one line\ntwo lines\nthree lines"));
    scene.pieces.back().budget = 6;
    const Assembly trimmed = scene.built();
    const auto text =
        std::ranges::find(trimmed.blocks, "long", [](const Placed& each) { return each.block.id; });
    ASSERT_NE(text, trimmed.blocks.end());
    EXPECT_EQ(text_of(trimmed, *text), "one line\n…");
    EXPECT_EQ(text->notes[0].reason, Reason::kTrimmed);
    scene.plan.budgets[static_cast<std::size_t>(Kind::kProtocol)].tokens = 4;
    const Assembly kinds = scene.built();
    EXPECT_EQ(why_out(kinds, "protocol:a"), "over_kind");  // the lower priority goes
    EXPECT_NE(ids(kinds).find("protocol:b"), std::string::npos);
}

TEST(Assemble, DepthsAndRoles) {
    Scene scene;
    scene.pieces = {piece("n", Kind::kOther, Target::kDepth, "note"),
                    piece("far", Kind::kOther, Target::kDepth, "far"),
                    piece("end", Kind::kOther, Target::kDepth, "end")};
    scene.pieces[0].depth = 1;
    scene.pieces[0].role = Role::kUser;
    scene.pieces[1].depth = 99;
    scene.state = Object();
    scene.book = parsed("[]");
    const Assembly assembly = scene.built();
    EXPECT_EQ(ids(assembly), "far history:start history:0 n history:1 end");
    EXPECT_EQ(assembly.messages[3].role, Role::kUser);
    // A note does not run into what the player said.
    EXPECT_EQ(assembly.messages.size(), 6U);
}

// proves: X-11
TEST(Assemble, RolesAlternateAndTheUserBegins) {
    Scene scene;
    scene.pieces.clear();
    scene.state = Object();
    scene.book = parsed("[]");
    Block note;
    note.id = "note";
    note.text = "现在是夜里。";
    note.target = Target::kDepth;
    note.depth = 1;
    scene.pieces.push_back(note);
    const auto roles = [&] {
        std::string all;
        for (const Message& message : scene.built().messages) {
            all += std::string(name(message.role)).substr(0, 1);
        }
        return all;
    };
    // A run of the player's words is one message, with the note before it.
    scene.said = {
        {Role::kUser, "一"}, {Role::kAssistant, "二"}, {Role::kUser, "三"}, {Role::kUser, "四"}};
    EXPECT_EQ(roles(), "uasu");
    EXPECT_EQ(scene.built().messages.back().content, "三\n\n四");
    // A greeting keeps its place after a message of ours.
    scene.said = {{Role::kAssistant, "欢迎"}, {Role::kUser, "三"}};
    EXPECT_EQ(roles(), "uasu");
    // A reply whose question does not fit is left out with it.
    scene.plan.recent_messages = 2;
    scene.said = {{Role::kUser, "一"}, {Role::kAssistant, "二"}, {Role::kUser, "三"}};
    AssemblyInputs inputs{scene.state, scene.plan};
    inputs.context = Context::kMinimal;
    inputs.history = scene.said;
    const Assembly minimal = assemble(inputs);
    ASSERT_EQ(minimal.messages.size(), 1U);
    EXPECT_EQ(minimal.messages[0].content, "三");
    EXPECT_EQ(minimal.omitted.back().why.reason, Reason::kNoQuestion);
}

// Text of the model or the player is never expanded.
TEST(Assemble, NoMacrosInWhatWasSaidOrStored) {
    Scene scene;
    scene.said.push_back({Role::kUser, "{{char}} {{setvar::x::1}}", {}});
    scene.state = parsed(R"({"stat_data":{"x":"{{char}}"}})");
    const Assembly assembly = scene.built();
    EXPECT_NE(flat(assembly).find("{{char}} {{setvar::x::1}}"), std::string::npos);
    EXPECT_NE(flat(assembly).find("x: \"{{char}}\""), std::string::npos);
    EXPECT_TRUE(assembly.variables.empty());
}

TEST(Assemble, Explained) {
    Scene scene;
    scene.pieces.push_back(piece("void", Kind::kOther, Target::kSystemEnd, " \n"));
    const Assembly assembly = scene.built();
    const std::string english = explain(assembly, base::Language::kEnglish);
    for (const std::string_view part :
         {"because of main", "the key 灯塔 stands in the message 0 before",
          "void — there is nothing in it", "left out", "stay the same"}) {
        EXPECT_NE(english.find(part), std::string::npos) << part << "\n" << english;
    }
    EXPECT_NE(explain(assembly, base::Language::kChinese).find("关键词 灯塔"), std::string::npos);
    const Value json = explained(assembly);
    const Object& object = json.as_object();
    EXPECT_EQ(object.find("blocks")->as_array().size(), listed_blocks(assembly).size());
    EXPECT_EQ(object.find("messages")->as_array().size(), assembly.messages.size());
    std::size_t tokens = 4 * assembly.messages.size() + assembly.heading_tokens;
    for (const Value& block : object.find("blocks")->as_array()) {
        tokens += static_cast<std::size_t>(block.as_object().find("tokens")->as_int());
        EXPECT_FALSE(block.as_object().find("why")->as_object().find("en")->as_string().empty());
        EXPECT_FALSE(block.as_object().find("why")->as_object().find("zh")->as_string().empty());
    }
    EXPECT_EQ(tokens, assembly.tokens);
}

TEST(Assemble, ExactCountsAreUsed) {
    Scene scene;
    AssemblyInputs inputs{scene.state, scene.plan};
    inputs.pieces = scene.pieces;
    inputs.count.exact = [](std::string_view) { return std::size_t{1}; };
    const Assembly assembly = assemble(inputs);
    EXPECT_EQ(assembly.tokens, listed_blocks(assembly).size() + 4 * assembly.messages.size() +
                                   assembly.heading_tokens);
}

TEST(Assemble, NothingAtAll) {
    const Value state;
    const Plan plan;
    const Assembly assembly = assemble({state, plan});
    EXPECT_TRUE(assembly.messages.empty());
    EXPECT_EQ(assembly.cacheable_bytes, 0U);
    EXPECT_EQ(flat_prefix(assembly), "");
    EXPECT_FALSE(explain(assembly, base::Language::kEnglish).empty());
}

}  // namespace
}  // namespace arbiter::prompt
