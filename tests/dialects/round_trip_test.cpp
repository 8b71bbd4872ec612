// Goal: what a dialect can express survives writing and reading: instruction → text → instruction.
// Method: random instructions of every dialect and operation, with hostile names and values,
// written as a block into a story together with a second command, read again, compared. What the
// writer refuses must be refused for a reason that the test knows. proves: S3-36, S3-41, S3-51,
// S3-52, X-1, X-2, S0-99, S2-45, S2-47, S4-5
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "proposal/describe.h"
#include "proposal/operations.h"
#include "reader/blanks.h"
#include "reader/literal.h"
#include "reader/reader.h"
#include "tests/support/random.h"
#include "value/json.h"
#include "writer/teach.h"
#include "writer/writer.h"

namespace arbiter {
namespace {

using proposal::Dialect;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using tests::Random;
using value::Array;
using value::Object;
using value::Path;
using value::Value;
using writer::Form;

struct Pair {
    Form form;
    Dialect dialect;
};
constexpr Pair kForms[] = {
    {Form::kTavern, Dialect::kTavern},
    {Form::kJson, Dialect::kJson},
    {Form::kMvu, Dialect::kMvu},
    {Form::kPatch, Dialect::kPatch},
    {Form::kMemory, Dialect::kMemory},
    {Form::kFilament2, Dialect::kFilament},
    {Form::kFilament3, Dialect::kFilament},
};

// Texts that look like every kind of punctuation a block has.
std::string hostile_text(Random& random) {
    static const std::vector<std::string> parts = {"</UpdateVariable>",
                                                   "<b>",
                                                   "```",
                                                   "'",
                                                   "\"",
                                                   "\\",
                                                   "\n",
                                                   "\r",
                                                   "\t",
                                                   "`",
                                                   "{",
                                                   "[",
                                                   "}",
                                                   "]",
                                                   ",",
                                                   ";",
                                                   ")",
                                                   "(",
                                                   "//",
                                                   "/*",
                                                   "，",
                                                   "：",
                                                   "“",
                                                   "”",
                                                   "张三",
                                                   "map.",
                                                   "null",
                                                   "true",
                                                   "undefined",
                                                   "5",
                                                   "-3.5",
                                                   "\x01",
                                                   "\u2028",
                                                   "　",
                                                   " ",
                                                   "=",
                                                   "<!--",
                                                   "-->",
                                                   "_.set('a',1);",
                                                   "$",
                                                   "#",
                                                   ":",
                                                   "~",
                                                   "/",
                                                   "<think>",
                                                   "&lt;",
                                                   "😀"};
    std::string text;
    for (std::size_t n = random.below(6); n > 0; --n) {
        text += random.pick(parts);
    }
    return text;
}

Value hostile_value(Random& random, int depth) {
    switch (random.below(depth > 0 ? 8 : 6)) {
        case 0:
            return {};
        case 1:
            return random.chance(50);
        case 2:
            return static_cast<std::int64_t>(random.below(1000)) - 500;
        case 3:
            return static_cast<double>(random.below(100'000)) / 8192.0;
        case 6: {
            Array list;
            for (std::size_t n = random.below(4); n > 0; --n) {
                list = std::move(list).push_back(hostile_value(random, depth - 1));
            }
            return list;
        }
        case 7: {
            Object object;
            for (std::size_t n = random.below(4); n > 0; --n) {
                std::string key =
                    random.chance(50) ? hostile_text(random) : tests::random_key(random);
                if (key == "__proto__") {
                    key = "x";
                }
                object =
                    std::move(object).set(std::string_view(key), hostile_value(random, depth - 1));
            }
            return object;
        }
        default:
            return std::string_view(hostile_text(random));
    }
}

Path hostile_path(Random& random, bool indexes) {
    Path path;
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
        if (indexes && random.chance(15)) {
            path.emplace_back(static_cast<std::int64_t>(random.below(5)));
            continue;
        }
        std::string key = random.chance(40)   ? hostile_text(random)
                          : random.chance(50) ? tests::random_key(random)
                                              : std::string("abc");
        if (key.empty() || key == "__proto__" || key == "constructor" || key == "prototype") {
            key = "x";
        }
        path.emplace_back(std::string_view(key));
    }
    return path;
}

Instruction simple(Pair pair) {
    Instruction instruction = proposal::instruction_of(pair.dialect, Op::kSet);
    instruction.path =
        pair.form == Form::kTavern ? Path{"character", "saveData", "z"} : Path{"zz", "y"};
    instruction.value = 7;
    return instruction;
}

void fill_value(Random& random, Pair pair, Instruction& instruction) {
    const Op op = instruction.op;
    if (proposal::operation(op).value != proposal::Need::kNone) {
        instruction.value = hostile_value(random, 3);
    }
    switch (op) {
        case Op::kIncrement:
            instruction.value = static_cast<std::int64_t>(random.below(9));
            if (pair.form == Form::kFilament2) {
                instruction.arithmetic = static_cast<proposal::Arithmetic>(random.below(4));
            }
            break;
        case Op::kMerge:
            if (pair.form != Form::kTavern) {
                instruction.value = Object{{"k", hostile_value(random, 2)}, {"'", 1}};
            }
            break;
        case Op::kCallback: {
            instruction.path = {"f"};
            Array arguments;
            for (std::size_t n = random.below(4); n > 0; --n) {
                arguments = std::move(arguments).push_back(hostile_value(random, 2));
            }
            instruction.value = arguments;
            break;
        }
        case Op::kSplice:
            instruction.value =
                Object{{"start", 1},
                       {"deleteCount", 0},
                       {"items", Array{hostile_value(random, 2), hostile_value(random, 1)}}};
            break;
        case Op::kInsert:
            instruction.overwrites = instruction.overwrites || pair.form == Form::kFilament3;
            if (pair.form == Form::kPatch || pair.form == Form::kFilament3 || random.chance(70)) {
                instruction.key = std::string_view(hostile_text(random));
            }
            break;
        case Op::kDelete:
            if (pair.form == Form::kMvu && random.chance(40)) {
                instruction.key = hostile_value(random, 1);
            }
            instruction.all = pair.form == Form::kMemory && random.chance(30);
            // With one argument memory's delete takes a node, never a container near the root.
            if (pair.form == Form::kMemory && instruction.path.size() < 3) {
                instruction.path.insert(instruction.path.begin(), {"world_set", "npc", "a"});
            }
            break;
        default:
            break;
    }
}

Instruction hostile_instruction(Random& random, Pair pair, Op op) {
    Instruction instruction = proposal::instruction_of(pair.dialect, op);
    // Key paths and pointers say an index in digits; it comes back as a key.
    const bool indexes =
        pair.form != Form::kJson && pair.form != Form::kPatch && pair.form != Form::kFilament3;
    instruction.path = hostile_path(random, indexes);
    if (op == Op::kMove || op == Op::kCopy) {
        instruction.from = hostile_path(random, indexes);
        instruction.overwrites = instruction.overwrites || pair.form == Form::kFilament3;
        if (pair.form == Form::kMemory) {
            instruction.from.insert(instruction.from.begin(), "world_set");
            instruction.path.insert(instruction.path.begin(), "map");
        }
    }
    if (pair.form == Form::kTavern) {
        instruction.path.insert(instruction.path.begin(), {"character", "saveData"});
    }
    fill_value(random, pair, instruction);
    if (pair.form == Form::kMemory && op == Op::kSet && random.chance(50)) {
        instruction.mount =
            random.chance(50) ? proposal::Mount::kStatus : proposal::Mount::kCharacter;
        instruction.creates = false;
        if (random.chance(50)) {
            instruction.old = hostile_value(random, 2);
        }
    }
    const bool has_old = pair.form == Form::kMvu || pair.form == Form::kJson;
    if ((op == Op::kSet || op == Op::kMerge) && has_old && random.chance(50)) {
        instruction.old = hostile_value(random, 2);
    }
    if (pair.form != Form::kFilament2 && random.chance(40)) {
        const bool comment = pair.form == Form::kMvu || pair.form == Form::kMemory;
        instruction.reason = comment ? value::Str("因为 x") : value::Str(hostile_text(random));
    }
    const bool forgives = op == Op::kDelete || op == Op::kPull;
    if (pair.form == Form::kTavern && forgives && instruction.reason.empty()) {
        instruction.forgiving = random.chance(50);
    }
    if (pair.form == Form::kTavern && !instruction.forgiving && random.chance(40)) {
        instruction.options = Object{{"ifEquals", hostile_value(random, 2)}, {"tags", Array{"a"}}};
    }
    return instruction;
}

Proposal proposal_of(Pair pair, Instruction instruction) {
    Proposal proposal;
    proposal.dialect = pair.dialect;
    proposal.what = std::move(instruction);
    return proposal;
}

// Whether the writer used another operation that means the same.
bool is_restated(const Instruction& wanted, const Instruction& found) {
    constexpr std::pair<Op, Op> kPairs[] = {{Op::kPush, Op::kInsert},
                                            {Op::kInsert, Op::kPush},
                                            {Op::kInsert, Op::kSet},
                                            {Op::kAdd, Op::kIncrement},
                                            {Op::kIncrement, Op::kAdd}};
    return std::ranges::find(kPairs, std::pair(wanted.op, found.op)) != std::end(kPairs);
}

class RoundTrip : public testing::TestWithParam<Pair> {};

TEST_P(RoundTrip, KeepsEverythingThatTheDialectCanSay) {
    Random random(11);
    std::map<Op, int> survived;
    std::map<base::ErrorCode, int> refused;
    for (int i = 0; i < 4000; ++i) {
        const Op op = static_cast<Op>(random.below(static_cast<std::size_t>(Op::kCount)));
        const Instruction wanted = hostile_instruction(random, GetParam(), op);
        const Instruction second = simple(GetParam());
        const std::vector<Proposal> both = {proposal_of(GetParam(), wanted),
                                            proposal_of(GetParam(), second)};
        const auto text = writer::write(both, GetParam().form);
        if (!text) {
            ++refused[text.error().code];
            continue;
        }
        const reader::Reading reading = reader::read("叙事。\n" + *text + "\n后文。");
        ASSERT_EQ(reading.proposals.size(), 2U) << *text;
        for (std::size_t n = 0; n < 2; ++n) {
            const Instruction* found = reading.proposals[n].instruction();
            ASSERT_TRUE(found != nullptr && reading.proposals[n].problems.empty())
                << *text << "\n"
                << describe(reading.proposals[n]);
            if (n == 0 && is_restated(wanted, *found)) {
                continue;
            }
            Instruction said = n == 0 ? wanted : second;
            // A path that needs quotes is not one text with dots.
            said.dotted = said.dotted && found->dotted;
            ASSERT_EQ(*found, said) << *text << "\nwanted " << describe(both[n]) << "\nread   "
                                    << describe(reading.proposals[n]);
        }
        EXPECT_EQ(reading.text, "叙事。\n后文。") << *text;
        ++survived[op];
    }
    // Every word that the dialect has was really tried.
    for (const proposal::Verb& verb : proposal::verbs()) {
        const bool own = GetParam().form == Form::kFilament3 ? verb.dialect == Dialect::kPatch
                                                             : verb.dialect == GetParam().dialect;
        if (own) {
            EXPECT_GT(survived[verb.op], 20) << verb.word;
        }
    }
    EXPECT_GT(refused[base::ErrorCode::kWriteUnsupported], 0)
        << "every dialect lacks some operation";
}

INSTANTIATE_TEST_SUITE_P(Dialects, RoundTrip, testing::ValuesIn(kForms), [](const auto& param) {
    return std::string(writer::name(param.param.form));
});

TEST(RoundTrip, NoReasonCanEndABlock) {
    Random random(12);
    for (const Pair pair : {kForms[2], kForms[4], kForms[5]}) {
        for (int i = 0; i < 1500; ++i) {
            Instruction first = simple(pair);
            const Instruction second = first;
            first.reason = value::Str(hostile_text(random) + hostile_text(random));
            const std::vector<Proposal> both = {proposal_of(pair, first),
                                                proposal_of(pair, second)};
            const auto text = writer::write(both, pair.form);
            ASSERT_TRUE(text);
            const reader::Reading reading = reader::read(*text + "\n后文。");
            ASSERT_EQ(reading.proposals.size(), 2U) << *text;
            EXPECT_EQ(reading.text, "后文。") << *text;
            EXPECT_EQ(*reading.proposals[1].instruction(), second) << *text;
        }
    }
}

TEST(RoundTrip, ToolCallsAndTransactions) {
    Proposal call;
    call.dialect = Dialect::kTool;
    call.what = proposal::ToolCall{"call_1", "move", Object{{"to", "</b>```"}}, "because"};
    const auto text = writer::write({&call, 1}, Form::kTools);
    ASSERT_TRUE(text);
    const reader::Reading reading = reader::read(*text);
    ASSERT_EQ(reading.proposals.size(), 1U);
    EXPECT_EQ(*reading.proposals[0].tool_call(), *call.tool_call());

    Proposal entry = proposal_of(kForms[0], simple(kForms[0]));
    entry.transaction = true;
    const std::vector<Proposal> batch = {entry, entry};
    const reader::Reading again = reader::read(*writer::write(batch, Form::kTavern));
    ASSERT_EQ(again.proposals.size(), 2U);
    EXPECT_TRUE(again.proposals[0].transaction && again.proposals[1].transaction);
}

// A line of the text that is a command, in the block that its dialect needs.
std::string in_block(Form form, const std::string& line) {
    switch (form) {
        case Form::kFilament2:
            return "<variable_update>[" + line + "]</variable_update>";
        case Form::kFilament3:
            return "<state_update>{\"ops\":[" + line + "]}</state_update>";
        default:
            return line;
    }
}

// proves: S3-47, S3-48
TEST(Teach, EveryExampleCanBeRead) {
    for (const Pair pair : kForms) {
        for (const auto language : {base::Language::kEnglish, base::Language::kChinese}) {
            std::istringstream lines(writer::teach(pair.form, language));
            std::map<std::string, int> words;
            for (std::string line; std::getline(lines, line);) {
                const std::string_view command = reader::trim(line);
                const bool is_call =
                    command.contains("('") && command.contains(");") && !command.starts_with("- ");
                const bool is_command = command.starts_with("[\"") || is_call ||
                                        command.starts_with("{\"op\"") ||
                                        command.starts_with("{\"action");
                if (!is_command || command.ends_with(',')) {
                    continue;
                }
                const auto reading = reader::read(in_block(pair.form, std::string(command)));
                ASSERT_EQ(reading.proposals.size(), 1U) << line;
                EXPECT_TRUE(reading.proposals[0].problems.empty()) << line;
                EXPECT_TRUE(reading.proposals[0].warnings.empty()) << line;
                ++words[reading.proposals[0].verb];
            }
            for (const proposal::Verb& verb : proposal::verbs()) {
                const Dialect own = pair.form == Form::kFilament3 ? Dialect::kPatch : pair.dialect;
                if (verb.dialect == own && verb.taught && pair.form != Form::kFilament3) {
                    EXPECT_GE(words[std::string(verb.word)], 1)
                        << verb.word << " is not taught in " << writer::name(pair.form);
                }
            }
        }
    }
}

}  // namespace
}  // namespace arbiter
