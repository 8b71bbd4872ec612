// Goal: what is said in tavern_commands 1.0 ends in the same document, and has no options.
// Method: replies that need each way of saying it; then random commands, read again and carried
// out.
#include "engine/legacy_commands.h"

#include <gtest/gtest.h>

#include "proposal/describe.h"
#include "reader/reader.h"
#include "tests/support/random.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter {
namespace {

using engine::Context;
using engine::LegacyCommands;
using engine::Policy;
using engine::State;
using proposal::Op;
using tests::Random;
using value::Array;
using value::Object;
using value::Value;

std::string commands(const LegacyCommands& made) {
    std::string lines;
    for (const proposal::Proposal& each : made.commands) {
        EXPECT_TRUE(each.instruction()->options.empty());
        lines += each.verb + " " +
                 value::print_path(each.instruction()->path, value::PathSyntax::kDotted).substr(19);
        if (each.instruction()->value) {
            lines += " " + value::print_json(*each.instruction()->value);
        }
        lines += "\n";
    }
    return lines;
}

std::string old_words(std::string_view save, std::string_view entries) {
    const State state = {Object{{"character", Object{{"saveData", *value::parse_json(save)}}}}, {}};
    const auto reading = reader::read("{\"tavern_commands\":" + std::string(entries) + "}");
    Context context;
    context.batch_id = "d";
    return commands(to_legacy_commands(state, reading.proposals, Policy(), context));
}

// proves: S0-47
TEST(Downgrade, SaysWhatTheCommandsCameTo) {
    const std::string_view k = "character.saveData.";
    const auto entry = [&](std::string_view action, std::string_view key, std::string_view rest) {
        return "{\"action\":\"" + std::string(action) + "\",\"key\":\"" + std::string(k) +
               std::string(key) + "\"" + std::string(rest) + "}";
    };
    struct Row {
        std::string save;
        std::string entries;
        std::string said;
    };
    const Row rows[] = {
        {"{\"a\":{\"x\":1}}", entry("update", "a", ",\"value\":{\"y\":2}"),
         "set a {\"x\":1,\"y\":2}\n"},
        {"{\"a\":{\"x\":{\"p\":1}}}",
         entry("patch", "a",
               ",\"value\":{\"x\":{\"q\":2}},\"options\":{\"mergeStrategy\":\"deep\"}"),
         "set a {\"x\":{\"p\":1,\"q\":2}}\n"},
        {"{}", entry("ensure", "a", ",\"value\":1"), "set a 1\n"},
        {"{\"a\":0}", entry("ensure", "a", ",\"value\":1"), ""},
        {"{\"a\":1}",
         entry("set", "a", ",\"value\":2,\"options\":{\"ifEquals\":1,\"reason\":\"r\"}"),
         "set a 2\n"},
        {"{\"a\":1}", entry("set", "a", ",\"value\":2,\"options\":{\"ifEquals\":5}"), ""},
        {"{\"n\":1}", entry("add", "n", ",\"value\":2"), "add n 2\n"},
        {"{\"n\":0.1}", entry("add", "n", ",\"value\":0.2"), "set n 0.3\n"},
        {"{\"n\":[5,\"气\"]}", entry("add", "n", ",\"value\":2"), "set n [7,\"气\"]\n"},
        {"{\"m\":{}}",
         entry("add", "m", ",\"value\":{\"id\":\"剑\"},\"options\":{\"uniqueBy\":\"id\"}"),
         "set m {\"剑\":{\"id\":\"剑\"}}\n"},
        {"{\"l\":[1]}", entry("push", "l", ",\"value\":2"), "push l 2\n"},
        {"{}", entry("push", "l", ",\"value\":2"), "set l [2]\n"},
        {"{\"l\":[1]}", entry("push", "l", ",\"value\":2,\"options\":{\"position\":\"head\"}"),
         "set l [2,1]\n"},
        {"{\"l\":[1,2]}", entry("push", "l", ",\"value\":2,\"options\":{\"dedupe\":true}"), ""},
        {"{\"l\":[1,2]}", entry("pull", "l", ",\"value\":1"), "pull l 1\n"},
        {"{\"l\":[\"ab\",\"c\"]}", entry("pull", "l", ",\"options\":{\"where\":{\"包含\":\"a\"}}"),
         "set l [\"c\"]\n"},
        {"{\"a\":1}", entry("delete", "a", ""), "delete a\n"},
        {"{\"a\":1}", entry("delete", "b", ",\"options\":{\"allowMissing\":true}"), ""},
        {"{\"l\":[1,2]}", entry("delete", "l[0]", ""), "delete l[0]\n"},
        {"{\"a\":1}", entry("delete", "a", ",\"options\":{\"softDelete\":true}"),
         "delete a\nset 回收站 [{\"key\":\"character.saveData.a\",\"value\":1,\"deletedAt\":"
         "\"1970-01-01T00:00:00.000Z\",\"opId\":\"d-0\"}]\n"},
        {"{\"a\":{\"k\":1}}", entry("set", "a.k", ",\"value\":2,\"options\":{\"ifVersion\":0}"),
         "set a.__version 1\nset a.k 2\n"},
        {"{}",
         entry("set", "a", ",\"value\":1,\"options\":{\"transaction\":true}") + "," +
             entry("delete", "b", ",\"options\":{}"),
         ""},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(old_words(row.save, "[" + row.entries + "]"), row.said) << row.entries;
    }
}

TEST(Downgrade, SaysWhatItCannotReach) {
    const auto reading = reader::read(
        "```json\n[{\"op\":\"assign\",\"path\":[\"hp\"],\"value\":1},{\"op\":\"assign\",\"path\":"
        "[\"character\",\"saveData\",\"hp\"],\"value\":1}]\n```");
    const LegacyCommands made = to_legacy_commands(State(), reading.proposals, Policy(), Context());
    EXPECT_EQ(made.lost, std::vector<std::size_t>{0});
    EXPECT_EQ(commands(made), "set hp 1\n");
}

// proves: S0-47, S0-1
TEST(Downgrade, EndsInTheSameDocument) {
    const std::vector<std::string> names = {"a", "b", "l", "m"};
    const std::vector<Op> ops = {Op::kSet,    Op::kMerge,  Op::kEnsure, Op::kAdd,
                                 Op::kPush,   Op::kPull,   Op::kPop,    Op::kSplice,
                                 Op::kInsert, Op::kDelete, Op::kMove,   Op::kIncrement};
    std::size_t said = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        Random random(seed * 101);
        State state = {
            Object{{"character",
                    Object{{"saveData", Object{{"a", 1},
                                               {"b", Object{{"a", 2}, {"l", Array{1, 2}}}},
                                               {"l", Array{1, "x", Object{{"a", 1}}}},
                                               {"m", Object{}}}}}}},
            {}};
        std::vector<proposal::Proposal> batch;
        for (int i = 0; i < 6; ++i) {
            proposal::Proposal made;
            proposal::Instruction what =
                proposal::instruction_of(proposal::Dialect::kTavern, random.pick(ops));
            const auto path = [&] {
                value::Path made_path = {"character", "saveData"};
                for (std::size_t n = 1 + random.below(2); n > 0; --n) {
                    made_path.emplace_back(std::string_view(random.pick(names)));
                }
                if (random.chance(30)) {
                    made_path.emplace_back(static_cast<std::int64_t>(random.below(3)));
                }
                return made_path;
            };
            what.path = path();
            what.from = path();
            what.overwrites = random.chance(50);
            what.value = what.op == Op::kSplice ? Value(Object{{"start", 1}, {"items", Array{5}}})
                         : random.chance(50)    ? Value(static_cast<std::int64_t>(random.below(3)))
                                                : Value(Object{{"a", 1}, {"c", Array{1}}});
            if (what.op == Op::kInsert) {
                what.key = Value("0");
            }
            if (random.chance(30)) {
                what.options = Object{{"softDelete", true}, {"position", "head"}, {"limit", 3}};
            }
            made.what = std::move(what);
            made.batch = static_cast<std::uint32_t>(i);
            batch.push_back(std::move(made));
        }
        const LegacyCommands made = to_legacy_commands(state, batch, Policy(), Context());
        ASSERT_TRUE(made.lost.empty()) << "seed " << seed;
        const Value after = engine::apply(state, made.commands, Policy(), Context()).state.document;
        ASSERT_EQ(after, made.outcome.state.document)
            << "seed " << seed << "\n"
            << commands(made) << value::print_json(after) << "\n"
            << value::print_json(made.outcome.state.document);
        said += made.commands.size();
    }
    EXPECT_GT(said, 1000U);
}

}  // namespace
}  // namespace arbiter
