// Goal: each dialect says all it can, says the rest is lost, and nothing breaks out of its block.
// Method: exact texts by form; conversions between dialects; strings made to end blocks early.
#include <gtest/gtest.h>

#include <limits>

#include "tests/writer/support.h"
#include "value/array.h"

namespace arbiter::writer {
namespace {

using proposal::Arithmetic;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Mount;
using proposal::Op;
using proposal::Proposal;
using tests::json;
using tests::make;
using tests::propose;
using tests::said;
using tests::written;
using value::Value;

TEST(Forms, HaveNames) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Form::kCount); ++i) {
        const Form form = static_cast<Form>(i);
        EXPECT_EQ(find_form(name(form)), form);
    }
    EXPECT_EQ(name(Form::kFilament2), "filament");
    EXPECT_EQ(find_form("yaml"), std::nullopt);
}

TEST(Tavern, WritesItsEntries) {
    const auto tavern = [](const Instruction& i) { return written(i, Form::kTavern); };
    Instruction set = make(Dialect::kTavern, Op::kSet, "character.saveData.时间.当前", "辰时");
    EXPECT_EQ(tavern(set),
              R"({"action":"set","key":"character.saveData.时间.当前","value":"辰时"})");
    set.options = json(R"({"ifExists":true,"tags":["a"]})").as_object();
    set.reason = "推进";
    EXPECT_EQ(tavern(set), R"({"action":"set","key":"character.saveData.时间.当前","value":"辰时",)"
                           R"("options":{"ifExists":true,"tags":["a"],"reason":"推进"}})");
    for (const auto& [op, word] :
         {std::pair(Op::kAdd, "add"), std::pair(Op::kPush, "push"),
          std::pair(Op::kEnsure, "ensure"), std::pair(Op::kMerge, "update")}) {
        EXPECT_EQ(tavern(make(Dialect::kTavern, op, "character.saveData.a", 1)),
                  "{\"action\":\"" + std::string(word) +
                      "\",\"key\":\"character.saveData.a\",\"value\":1}");
    }
    // An entry without options is one of 1.0, which forgives a missing target.
    Instruction pull = make(Dialect::kTavern, Op::kPull, "character.saveData.a", 1);
    EXPECT_EQ(tavern(pull),
              R"({"action":"pull","key":"character.saveData.a","value":1,"options":{}})");
    pull.forgiving = true;
    EXPECT_EQ(tavern(pull), R"({"action":"pull","key":"character.saveData.a","value":1})");
    Instruction remove = make(Dialect::kTavern, Op::kDelete, R"(character.saveData["a.b"][0])");
    remove.forgiving = true;
    EXPECT_EQ(tavern(remove), R"({"action":"delete","key":"character.saveData[\"a.b\"][0]"})");
    remove.value = Value();
    EXPECT_EQ(tavern(remove), R"({"action":"delete","key":"character.saveData[\"a.b\"][0]"})");
    remove.value = 1;
    EXPECT_EQ(tavern(remove), "! tavern_commands has no place for value, which would be lost.");
    Proposal patch =
        propose(make(Dialect::kTavern, Op::kMerge, "character.saveData.a", 1), Dialect::kTavern);
    patch.verb = "patch";
    EXPECT_EQ(said(write_one(patch, Form::kTavern)),
              R"({"action":"patch","key":"character.saveData.a","value":1})");
}

TEST(Tavern, RefusesWhatItCannotSay) {
    const auto tavern = [](const Instruction& i) { return written(i, Form::kTavern); };
    for (const std::string_view path : {"a.b", "character.saveData", "character.b.c", ""}) {
        EXPECT_EQ(tavern(make(Dialect::kTavern, Op::kSet, path, 1)),
                  "! In tavern_commands this path must begin with character.saveData.: " +
                      std::string(path));
    }
    for (const Op op :
         {Op::kPop, Op::kSplice, Op::kMove, Op::kCopy, Op::kGet, Op::kCallback, Op::kTest}) {
        EXPECT_EQ(
            tavern(make(Dialect::kJson, op, "character.saveData.a", 1)),
            "! Unsupported operation for tavern_commands: " + std::string(proposal::name(op)));
    }
    Instruction set = make(Dialect::kJson, Op::kSet, "character.saveData.a", 1);
    set.old = 0;
    EXPECT_EQ(tavern(set), "! tavern_commands has no place for old, which would be lost.");
    set.old.reset();
    set.reason = "r";
    set.options = json(R"({"reason":5})").as_object();
    EXPECT_EQ(tavern(set),
              "! tavern_commands has no place for options.reason, which would be lost.");
    EXPECT_EQ(tavern(make(Dialect::kTavern, Op::kPush, "character.saveData.a")),
              "! In tavern_commands, push needs value, and this instruction has none.");
}

TEST(Merging, IsCarriedOver) {
    Instruction deep = make(Dialect::kJson, Op::kMerge, "character.saveData.a", json("{}"));
    EXPECT_EQ(written(deep, Form::kTavern),
              R"({"action":"update","key":"character.saveData.a","value":{},)"
              R"("options":{"mergeStrategy":"deep"}})");
    deep.options = json(R"({"mergeStrategy":"shallow"})").as_object();
    EXPECT_EQ(written(deep, Form::kTavern),
              "! tavern_commands has no place for merge, which would be lost.");
    Instruction update = make(Dialect::kTavern, Op::kMerge, "assa_data.a.b", json("{}"));
    update.options = json(R"({"mergeStrategy":"deep"})").as_object();
    EXPECT_EQ(written(update, Form::kJson),
              R"({"op":"merge","path":["assa_data","a","b"],"value":{}})");
    update.options = json(R"({"mergeStrategy":"shallow"})").as_object();
    EXPECT_EQ(written(update, Form::kMemory), "memory('a', 'b', '{}');");
}

// A shallow merge and a deep one differ where a member is an object. proves: D-26
TEST(Merging, AShallowMergeIsNeverWrittenAsADeepOne) {
    Instruction update =
        make(Dialect::kTavern, Op::kMerge, "assa_data.a.b", json(R"({"细节":{"新":1},"名":2})"));
    const auto lost = [](std::string_view form, std::string_view merge) {
        return "! " + std::string(form) + " has no place for " + std::string(merge) +
               " merge, which would be lost.";
    };
    for (const auto& [form, name] :
         {std::pair(Form::kJson, "JSON instructions"), std::pair(Form::kMvu, "MVU"),
          std::pair(Form::kFilament2, "Filament 2"), std::pair(Form::kDirect, "Direct")}) {
        update.options = {};
        EXPECT_EQ(written(update, form), lost(name, "shallow"));
        update.options = json(R"({"mergeStrategy":"shallow"})").as_object();
        EXPECT_EQ(written(update, form), lost(name, "shallow"));
        update.options = json(R"({"mergeStrategy":"deep"})").as_object();
        EXPECT_FALSE(written(update, form).starts_with("!")) << name;
    }
    EXPECT_EQ(written(update, Form::kMemory), lost("memory calls", "deep"));
    update.options = {};
    EXPECT_FALSE(written(update, Form::kMemory).starts_with("!"));
    // Both are the same without an object inside.
    update.value = json(R"({"名":2,"表":[{}]})");
    EXPECT_EQ(written(update, Form::kJson),
              R"({"op":"merge","path":["assa_data","a","b"],"value":{"名":2,"表":[{}]}})");
    Instruction memory = make(Dialect::kMemory, Op::kMerge, "a.b", json(R"({"x":{"y":1}})"));
    EXPECT_EQ(written(memory, Form::kJson), lost("JSON instructions", "shallow"));
}

// proves: S3-52, D-26
TEST(Restating, AnOperationThatAFormLacksIsWrittenInOtherWords) {
    const auto at = [](Instruction instruction) {
        instruction.path.insert(instruction.path.begin(), {"character", "saveData"});
        return instruction;
    };
    Instruction add = make(Dialect::kMvu, Op::kIncrement, "hp", -5);
    EXPECT_EQ(written(at(add), Form::kTavern),
              R"({"action":"add","key":"character.saveData.hp","value":-5})");
    EXPECT_EQ(written(add, Form::kFilament2), R"(["ADD","hp",-5])");
    Instruction subtract = make(Dialect::kFilament, Op::kIncrement, "hp", 5);
    subtract.arithmetic = Arithmetic::kSubtract;
    EXPECT_EQ(written(subtract, Form::kMvu), "_.add('hp', -5);");
    EXPECT_EQ(written(subtract, Form::kPatch), R"({"op":"delta","path":"/hp","value":-5})");
    EXPECT_EQ(written(at(subtract), Form::kTavern),
              R"({"action":"add","key":"character.saveData.hp","value":-5})");
    EXPECT_EQ(written(subtract, Form::kFilament2), R"(["SUB","hp",5])");
    subtract.value = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(written(subtract, Form::kMvu),
              "! MVU has no place for arithmetic, which would be lost.");
    const Instruction number = make(Dialect::kTavern, Op::kAdd, "hp", 3);
    EXPECT_EQ(written(number, Form::kMvu), "_.add('hp', 3);");
    EXPECT_EQ(written(number, Form::kFilament2), R"(["ADD","hp",3])");
    EXPECT_EQ(written(number, Form::kPatch), R"({"op":"delta","path":"/hp","value":3})");
    EXPECT_EQ(written(make(Dialect::kTavern, Op::kAdd, "bag", json(R"({"id":1})")), Form::kMvu),
              "! Unsupported operation for MVU: add");

    Instruction insert = make(Dialect::kMvu, Op::kInsert, "bag", 1);
    EXPECT_EQ(written(insert, Form::kJson), R"({"op":"push","path":["bag"],"value":1})");
    EXPECT_EQ(written(insert, Form::kPatch), R"({"op":"add","path":"/bag/-","value":1})");
    insert.key = "sword";
    EXPECT_EQ(written(insert, Form::kJson), R"({"op":"assign","path":["bag","sword"],"value":1})");
    EXPECT_EQ(written(at(insert), Form::kTavern),
              R"({"action":"set","key":"character.saveData.bag.sword","value":1})");
    // A list or an object: only the document knows.
    insert.key = 0;
    EXPECT_EQ(written(insert, Form::kJson),
              "! Unsupported operation for JSON instructions: insert");
    insert.key = "0";
    EXPECT_EQ(written(insert, Form::kJson),
              "! Unsupported operation for JSON instructions: insert");
    insert.key.reset();
    insert.value = json(R"({"a":1})");
    EXPECT_EQ(written(insert, Form::kJson),
              "! Unsupported operation for JSON instructions: insert");
    EXPECT_EQ(written(make(Dialect::kJson, Op::kPush, "bag", 1), Form::kPatch),
              R"({"op":"add","path":"/bag/-","value":1})");
    // MVU does not check the old value of a call.
    Instruction set = make(Dialect::kMvu, Op::kSet, "hp", 2);
    set.old = 1;
    EXPECT_EQ(written(set, Form::kPatch), R"({"op":"replace","path":"/hp","value":2})");
    Instruction update = make(Dialect::kTavern, Op::kMerge, "hp", 5);
    EXPECT_EQ(written(update, Form::kJson), R"({"op":"assign","path":["hp"],"value":5})");
}

TEST(Json, WritesItsInstructions) {
    const auto text = [](const Instruction& i) { return written(i, Form::kJson); };
    Instruction set = make(Dialect::kJson, Op::kSet, R"(player["a.b"])", 80);
    set.old = 100;
    set.reason = "受到伤害";
    set.metadata = json(R"({"scope":"chat"})").as_object();
    EXPECT_EQ(text(set), R"({"op":"assign","path":["player","a.b"],"value":80,"old":100,)"
                         R"("reason":"受到伤害","metadata":{"scope":"chat"}})");
    EXPECT_EQ(text(make(Dialect::kJson, Op::kPop, "a")), R"({"op":"pop","path":["a"]})");
    EXPECT_EQ(text(make(Dialect::kJson, Op::kCallback, "f", json("[1]"))),
              R"({"op":"callback","path":["f"],"value":[1]})");
    EXPECT_EQ(text(make(Dialect::kMvu, Op::kGet, "a[0]")), R"({"op":"get","path":["a","0"]})");
    EXPECT_EQ(text(make(Dialect::kMvu, Op::kGet, "a[-1]")),
              "! JSON instructions cannot name the path a[-1].");
    EXPECT_EQ(text(make(Dialect::kMvu, Op::kGet, "")),
              "! JSON instructions cannot name the path .");
    for (const Op op :
         {Op::kEnsure, Op::kAdd, Op::kIncrement, Op::kPull, Op::kMove, Op::kCopy, Op::kTest}) {
        EXPECT_EQ(
            text(make(Dialect::kJson, op, "a", 1)),
            "! Unsupported operation for JSON instructions: " + std::string(proposal::name(op)));
    }
    set.options = json(R"({"ttl":5})").as_object();
    EXPECT_EQ(text(set), "! JSON instructions has no place for options.ttl, which would be lost.");
    Instruction remove = make(Dialect::kMvu, Op::kDelete, "a");
    remove.key = 1;
    EXPECT_EQ(text(remove), "! JSON instructions has no place for key, which would be lost.");
}

// The conversions of S3-51, from a call that the reader read.
TEST(Json, TakesWhatMvuCallsSay) {
    Instruction set = make(Dialect::kMvu, Op::kSet, "a.b", 2);
    set.old = 1;
    EXPECT_EQ(written(set, Form::kJson), R"({"op":"assign","path":["a","b"],"value":2,"old":1})");
    set = make(Dialect::kMemory, Op::kSet, "a.b", 2);
    set.mount = Mount::kStatus;
    EXPECT_EQ(written(set, Form::kJson),
              R"({"op":"assign","path":["stat_data","a","b"],"value":2})");
}

TEST(Patch, WritesItsOperations) {
    const auto text = [](const Instruction& i) { return written(i, Form::kPatch); };
    Instruction set = make(Dialect::kPatch, Op::kSet, R"(a["b/c~d"][0])", 1);
    set.reason = "r";
    EXPECT_EQ(text(set), R"({"op":"replace","path":"/a/b~1c~0d/0","value":1,"reason":"r"})");
    Instruction insert = make(Dialect::kPatch, Op::kInsert, "a", json("{}"));
    EXPECT_EQ(text(insert), "! In JSON Patch, insert needs key, and this instruction has none.");
    insert.value = 1;
    insert.key = "-";
    EXPECT_EQ(text(insert), R"({"op":"add","path":"/a/-","value":1})");
    insert.key = 2;
    EXPECT_EQ(text(insert), R"({"op":"add","path":"/a/2","value":1})");
    insert.key = -2;
    EXPECT_EQ(text(insert), "! JSON Patch cannot name the path a[-2].");
    insert.key = "a[0]";
    EXPECT_EQ(text(insert), "! JSON Patch cannot name the path a[\"a[0]\"].");
    insert.key = "";
    insert.path.clear();
    EXPECT_EQ(text(insert), "! JSON Patch cannot name the path [\"\"].");
    insert.key = true;
    EXPECT_EQ(text(insert),
              "! JSON Patch cannot write insert with this value, for it would be read "
              "as something else: true");
    EXPECT_EQ(text(make(Dialect::kPatch, Op::kDelete, "a")), R"({"op":"remove","path":"/a"})");
    EXPECT_EQ(text(make(Dialect::kPatch, Op::kTest, "", 1)),
              R"({"op":"test","path":"","value":1})");
    EXPECT_EQ(text(make(Dialect::kPatch, Op::kIncrement, "a", 1)),
              R"({"op":"delta","path":"/a","value":1})");
    for (const auto& [op, word] : {std::pair(Op::kMove, "move"), std::pair(Op::kCopy, "copy")}) {
        Instruction move = make(Dialect::kPatch, op, "b");
        move.from = tests::dotted_path("a");
        EXPECT_EQ(text(move),
                  "{\"op\":\"" + std::string(word) + "\",\"from\":\"/a\",\"path\":\"/b\"}");
    }
    for (const Op op :
         {Op::kMerge, Op::kEnsure, Op::kPull, Op::kPop, Op::kSplice, Op::kGet, Op::kCallback}) {
        EXPECT_EQ(text(make(Dialect::kPatch, op, "a", 1)),
                  "! Unsupported operation for JSON Patch: " + std::string(proposal::name(op)));
    }
    set = make(Dialect::kJson, Op::kSet, "a", 1);
    set.old = 1;
    EXPECT_EQ(text(set), "! JSON Patch has no place for old, which would be lost.");
    Instruction multiply = make(Dialect::kFilament, Op::kIncrement, "a", 2);
    multiply.arithmetic = Arithmetic::kMultiply;
    EXPECT_EQ(text(multiply), "! JSON Patch has no place for arithmetic, which would be lost.");
}

TEST(Patch, PathsStartWhereTheFormStarts) {
    const Instruction json_set = make(Dialect::kJson, Op::kSet, "stat_data.a", 1);
    EXPECT_EQ(written(json_set, Form::kPatch), R"({"op":"replace","path":"/a","value":1})");
    EXPECT_EQ(written(json_set, Form::kFilament3),
              R"({"op":"replace","path":"/stat_data/a","value":1})");
    EXPECT_EQ(written(make(Dialect::kMvu, Op::kSet, "a", 1), Form::kFilament3),
              R"({"op":"replace","path":"/a","value":1})");
}

TEST(Memory, WritesItsCalls) {
    const auto text = [](const Instruction& i) { return written(i, Form::kMemory); };
    Instruction set = make(Dialect::kMemory, Op::kSet, "属性段.力量.基础", 10);
    set.mount = Mount::kCharacter;
    set.creates = false;
    EXPECT_EQ(text(set), "set_attribute('属性段.力量.基础', 10);");
    set.old = 0;
    set.reason = "锻炼";
    EXPECT_EQ(text(set), "set_attribute('属性段.力量.基础', 0, 10); // 锻炼");
    set.mount = Mount::kStatus;
    set.value = json(R"(["3/d",100])");
    EXPECT_EQ(text(set), R"(set_status('属性段.力量.基础', 0, '["3/d",100]'); // 锻炼)");

    Instruction asset = make(Dialect::kMemory, Op::kSet, "world_set.npc.老铁匠.好感", 5);
    EXPECT_EQ(text(asset), "memory('world_set.npc.老铁匠', '好感', 5);");
    for (const auto& [value, literal] :
         {std::pair(Value("他说：'走吧', ok"), R"('他说：\'走吧\', ok')"),
          std::pair(Value(true), "true"), std::pair(Value(), "null"),
          std::pair(json("[1,\"a'b\"]"), R"('[1,"a\'b"]')")}) {
        asset.value = value;
        EXPECT_EQ(text(asset),
                  "memory('world_set.npc.老铁匠', '好感', " + std::string(literal) + ");");
    }
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kMerge, "a.b", json(R"({"x":"say \"hi\""})"))),
              R"(memory('a', 'b', '{"x":"say \\"hi\\""}');)");
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kSet, "a.b[0]", 1)), "memory('a.b[0]', 1);");
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kSet, "a", 1)), "memory('a', 1);");

    EXPECT_EQ(text(make(Dialect::kMemory, Op::kSet, "a.k.k", 1)), "memory('a.k.k', 1);");
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kSet, R"(a["'k'"])", 1)),
              R"(memory('a["\'k\'"]', 1);)");

    Instruction remove = make(Dialect::kMemory, Op::kDelete, "world_set.npc");
    EXPECT_EQ(text(remove), "delete('world_set', 'npc');");
    remove.all = true;
    EXPECT_EQ(text(remove), "delete('world_set.npc', 'all');");
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kDelete, "p.all")), "delete('p.all');");
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kDelete, "p[0]")), "delete('p[0]');");

    Instruction move = make(Dialect::kMemory, Op::kMove, "global_set.背包.剑");
    move.from = tests::dotted_path("world_set.npc.剑");
    EXPECT_EQ(text(move), "memory('world_set.npc.剑', 'global_set.背包.剑');");
    move.path = {"map", "a.b"};
    EXPECT_EQ(text(move), R"(memory('world_set.npc.剑', 'map.["a.b"]');)");
    EXPECT_EQ(tests::dotted_path(R"(map.["a.b"])"), move.path);
}

TEST(Memory, RefusesWhatItCannotSay) {
    const auto text = [](const Instruction& i) { return written(i, Form::kMemory); };
    const auto wrong_value = [](std::string_view op, std::string_view value) {
        return "! memory calls cannot write " + std::string(op) +
               " with this value, for it would be read as something else: " + std::string(value);
    };
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kSet, "a.b", "　{天王盖地虎}")),
              wrong_value("set", "\"　{天王盖地虎}\""));
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kSet, "a.b", "[x")), wrong_value("set", "\"[x\""));
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kSet, "a", "map.x")),
              wrong_value("set", "\"map.x\""));
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kSet, "a.b", "map.x")), "memory('a', 'b', 'map.x');");
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kSet, "a.b", json("{}"))), wrong_value("set", "{}"));
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kMerge, "a.b", json(R"({"b":{}})"))),
              wrong_value("merge", R"({"b":{}})"));
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kDelete, "a[-1]")),
              "! memory calls cannot name the path a[-1].");
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kMerge, "a.b", 1)), wrong_value("merge", "1"));
    Instruction move = make(Dialect::kMemory, Op::kMove, "a.b");
    move.from = tests::dotted_path("map.c");
    EXPECT_EQ(text(move), "! memory calls cannot name the path a.b.");
    EXPECT_EQ(text(make(Dialect::kMemory, Op::kDelete, "")),
              "! memory calls cannot name the path .");
    for (const Op op : {Op::kEnsure, Op::kAdd, Op::kIncrement, Op::kInsert, Op::kPush, Op::kPull,
                        Op::kPop, Op::kSplice, Op::kCopy, Op::kGet, Op::kCallback, Op::kTest}) {
        EXPECT_EQ(text(make(Dialect::kMemory, op, "a", 1)),
                  "! Unsupported operation for memory calls: " + std::string(proposal::name(op)));
    }
    Instruction asset = make(Dialect::kMemory, Op::kSet, "a.b", 1);
    asset.old = 1;
    EXPECT_EQ(text(asset), "! memory calls has no place for old, which would be lost.");
}

TEST(Memory, TakesPathsThatNameAModule) {
    const auto text = [](const Instruction& i) { return written(i, Form::kMemory); };
    EXPECT_EQ(text(make(Dialect::kJson, Op::kSet, "assa_data.a.b", 1)), "memory('a', 'b', 1);");
    EXPECT_EQ(text(make(Dialect::kJson, Op::kDelete, "assa_data.a.b")), "delete('a', 'b');");
    EXPECT_EQ(text(make(Dialect::kMvu, Op::kSet, "stat_data.a", 1)), "set_status('a', 1);");
    EXPECT_EQ(text(make(Dialect::kMvu, Op::kSet, "play_character_data.a", 1)),
              "set_attribute('a', 1);");
    EXPECT_EQ(text(make(Dialect::kJson, Op::kSet, "stat_data.a", 1)),
              "! memory calls has no place for creates, which would be lost.");
    EXPECT_EQ(text(make(Dialect::kJson, Op::kDelete, "stat_data.a")),
              "! In memory calls this path must begin with assa_data: stat_data.a");
    EXPECT_EQ(text(make(Dialect::kJson, Op::kSet, "x.a", 1)),
              "! In memory calls this path must begin with play_character_data, stat_data, "
              "assa_data: x.a");
    Instruction move = make(Dialect::kPatch, Op::kMove, "assa_data.map.b");
    move.from = tests::dotted_path("assa_data.map.a");
    EXPECT_EQ(text(move), "memory('map.a', 'map.b');");
    move.from = tests::dotted_path("stat_data.a");
    EXPECT_EQ(text(move), "! In memory calls this path must begin with assa_data: stat_data.a");
}

TEST(Filament, WritesItsOpcodes) {
    const auto text = [](const Instruction& i) { return written(i, Form::kFilament2); };
    EXPECT_EQ(text(make(Dialect::kFilament, Op::kSet, R"(角色["a.b"])", "x, y]")),
              R"(["SET","角色[\"a.b\"]","x, y]"])");
    for (const auto& [arithmetic, word] :
         {std::pair(Arithmetic::kAdd, "ADD"), std::pair(Arithmetic::kSubtract, "SUB"),
          std::pair(Arithmetic::kMultiply, "MUL"), std::pair(Arithmetic::kDivide, "DIV")}) {
        Instruction increment = make(Dialect::kFilament, Op::kIncrement, "a", 2);
        increment.arithmetic = arithmetic;
        EXPECT_EQ(text(increment), "[\"" + std::string(word) + "\",\"a\",2]");
    }
    EXPECT_EQ(text(make(Dialect::kFilament, Op::kPush, "a", 1)), R"(["PUSH","a",1])");
    EXPECT_EQ(text(make(Dialect::kFilament, Op::kPop, "a")), R"(["POP","a"])");
    EXPECT_EQ(text(make(Dialect::kFilament, Op::kDelete, "a")), R"(["DELETE","a"])");
    EXPECT_EQ(text(make(Dialect::kFilament, Op::kPull, "a", "x")), R"(["REM","a","x"])");
    EXPECT_EQ(text(make(Dialect::kFilament, Op::kMerge, "a", json("{}"))), R"(["MERGE","a",{}])");
    Instruction insert = make(Dialect::kFilament, Op::kInsert, "a", json("{}"));
    EXPECT_EQ(text(insert), "! In Filament 2, insert needs key, and this instruction has none.");
    insert.value = 1;
    insert.key = "k";
    EXPECT_EQ(text(insert), R"(["INSERT","a","k",1])");
    EXPECT_EQ(text(make(Dialect::kFilament, Op::kSplice, "a",
                        json(R"({"start":1,"deleteCount":0,"items":["x",2]})"))),
              R"(["SPLICE","a",1,0,"x",2])");
    EXPECT_EQ(text(make(Dialect::kJson, Op::kSplice, "a", json(R"({"start":1,"deleteCount":2})"))),
              R"(["SPLICE","a",1,2])");
    for (const std::string_view value :
         {R"({"start":1,"items":[1]})", R"({"start":1,"deleteCount":0,"items":5})",
          R"({"start":1,"deleteCount":0,"more":5})", "[]"}) {
        EXPECT_TRUE(text(make(Dialect::kJson, Op::kSplice, "a", json(value))).starts_with("! Fil"))
            << value;
    }
    EXPECT_EQ(text(make(Dialect::kJson, Op::kSplice, "a", json(R"({"start":1,"items":[]})"))),
              R"(["SPLICE","a",1])");
    Instruction remove = make(Dialect::kFilament, Op::kDelete, "a");
    remove.key = 2;
    EXPECT_EQ(text(remove), R"(["DELETE","a",2])");
    EXPECT_EQ(text(make(Dialect::kTavern, Op::kPull, "a")),
              "! In Filament 2, pull needs value, and this instruction has none.");
    for (const Op op : {Op::kEnsure, Op::kMove, Op::kCopy, Op::kGet, Op::kCallback, Op::kTest}) {
        EXPECT_EQ(text(make(Dialect::kFilament, op, "a", 1)),
                  "! Unsupported operation for Filament 2: " + std::string(proposal::name(op)));
    }
}

TEST(Tools, AreWrittenInTheirFormOnly) {
    Proposal call;
    call.dialect = Dialect::kTool;
    call.what = proposal::ToolCall{"c1", "hp_delta", json(R"({"delta":-5})"), "受伤"};
    EXPECT_EQ(said(write_one(call, Form::kTools)),
              R"({"id":"c1","tool":"hp_delta","args":{"delta":-5},"reason":"受伤"})");
    EXPECT_EQ(said(write({&call, 1}, Form::kTools)),
              "```json\n{\"tool_calls\":[\n"
              R"({"id":"c1","tool":"hp_delta","args":{"delta":-5},"reason":"受伤"})"
              "\n]}\n```");
    EXPECT_EQ(said(write_one(call, Form::kMvu)),
              "! A tool call can only be written in the form tools, not in MVU.");
    EXPECT_EQ(written(make(Dialect::kJson, Op::kSet, "a", 1), Form::kTools),
              "! Unsupported operation for tool calls: set");
}

TEST(Writer, RefusesWhatIsRefused) {
    Proposal unreadable;
    EXPECT_EQ(said(write_one(unreadable, Form::kJson)),
              "! A refused command cannot be written: parse_error.");
    Proposal refused = propose(make(Dialect::kJson, Op::kSet, "a", 1));
    refused.refuse(proposal::Code::kSecurityRisk, {"a"});
    EXPECT_EQ(said(write_one(refused, Form::kJson)),
              "! A refused command cannot be written: security_risk.");
    const std::vector<Proposal> both = {propose(make(Dialect::kJson, Op::kSet, "a", 1)), refused};
    EXPECT_FALSE(write(both, Form::kJson));
}

TEST(Blocks, HoldAllInOrder) {
    Instruction set = make(Dialect::kJson, Op::kSet, "assa_data.a.b", 1);
    set.reason = "为何";
    const Instruction remove = make(Dialect::kJson, Op::kDelete, "assa_data.c.d");
    const std::vector<Proposal> all = {propose(set), propose(remove)};
    EXPECT_EQ(said(write(all, Form::kJson)),
              "```json\n[\n"
              R"({"op":"assign","path":["assa_data","a","b"],"value":1,"reason":"为何"},)"
              "\n"
              R"({"op":"delete","path":["assa_data","c","d"]})"
              "\n]\n```");
    EXPECT_EQ(said(write(all, Form::kMvu)),
              "<UpdateVariable>\n_.set('assa_data.a.b', undefined, 1); // 为何\n"
              "_.delete('assa_data.c.d');\n</UpdateVariable>");
    EXPECT_EQ(said(write(all, Form::kMemory)),
              "<updateMemory>\nmemory('a', 'b', 1); // 为何\ndelete('c', 'd');\n</updateMemory>");
    EXPECT_EQ(said(write(all, Form::kPatch)),
              "<JSONPatch>\n[\n"
              R"({"op":"replace","path":"/assa_data/a/b","value":1,"reason":"为何"},)"
              "\n"
              R"({"op":"remove","path":"/assa_data/c/d"})"
              "\n]\n</JSONPatch>");
    EXPECT_EQ(said(write(all, Form::kFilament2)),
              "<variable_update>\n<analysis>为何</analysis>\n[\n[\"SET\",\"assa_data.a.b\",1],\n"
              "[\"DELETE\",\"assa_data.c.d\"]\n]\n</variable_update>");
    EXPECT_EQ(said(write(all, Form::kFilament3)),
              "<state_update>\n{\"ops\":[\n"
              R"({"op":"replace","path":"/assa_data/a/b","value":1,"reason":"为何"},)"
              "\n"
              R"({"op":"remove","path":"/assa_data/c/d"})"
              "\n]}\n</state_update>");
    EXPECT_EQ(said(write(all, Form::kDirect)),
              R"({"type":"update","path":"assa_data.a.b","value":1})"
              "\n"
              R"({"type":"update","path":"assa_data.c.d","value":null})");
    EXPECT_EQ(said(write({}, Form::kMvu)), "");
}

// Nothing inside a block looks like a tag or a fence but the block itself.
TEST(Blocks, CannotBeEndedFromInside) {
    const std::string hostile = "</UpdateVariable><JSONPatch>```\n```</updateMemory><!-- <标签>";
    const Value object = value::Object{{std::string_view(hostile), std::string_view(hostile)}};
    for (const Form form : {Form::kTavern, Form::kJson, Form::kMvu, Form::kPatch, Form::kMemory,
                            Form::kFilament2, Form::kFilament3, Form::kDirect}) {
        const std::string_view root = form == Form::kTavern ? "character.saveData" : "assa_data.a";
        Instruction one = make(Dialect::kJson, Op::kSet, root, std::string_view(hostile));
        one.path.emplace_back(std::string_view(hostile));
        one.reason = std::string_view(hostile);
        Instruction two = one;
        two.op = form == Form::kMemory ? Op::kMerge : Op::kSet;
        two.value = object;
        const std::vector<Proposal> both = {propose(one), propose(two)};
        const std::string text = said(write(both, form));
        ASSERT_FALSE(text.starts_with("!")) << text;
        std::size_t tags = 0;
        for (std::size_t at = text.find('<'); at != std::string::npos;
             at = text.find('<', at + 1)) {
            tags += text[at + 1] != ' ' && text[at + 1] != '~' ? 1 : 0;
        }
        const bool tagged = text.starts_with("<");
        EXPECT_EQ(tags, form == Form::kFilament2 ? 4U : tagged ? 2U : 0U) << text;
        const std::size_t fence = text.find("```", 1);
        if (text.starts_with("```")) {
            EXPECT_EQ(fence, text.size() - 3) << text;
        }
        // Values come back: what was escaped is still JSON.
        if (form == Form::kJson) {
            const Value list = json(std::string_view(text).substr(8, text.size() - 12));
            EXPECT_EQ(*list.as_array()[1].as_object().find("value"), object);
        }
    }
}

TEST(Blocks, SayThatTheyAreOneTransaction) {
    Proposal one = propose(make(Dialect::kTavern, Op::kSet, "character.saveData.a", 1));
    one.transaction = true;
    std::vector<Proposal> all = {one, one};
    const std::string entry = R"({"action":"set","key":"character.saveData.a","value":1})";
    EXPECT_EQ(said(write(all, Form::kTavern)),
              "```json\n{\"transaction\":true,\"tavern_commands\":[\n" + entry + ",\n" + entry +
                  "\n]}\n```");
    for (const Form form : {Form::kJson, Form::kMvu, Form::kFilament2, Form::kPatch}) {
        EXPECT_TRUE(said(write(all, form))
                        .ends_with("has no place for transaction, which would be "
                                   "lost."));
    }
    all[1].batch = 7;
    EXPECT_FALSE(write(all, Form::kTavern));
    Instruction said_so = *one.instruction();
    said_so.options = json(R"({"transaction":true})").as_object();
    all[1].what = said_so;
    EXPECT_TRUE(said(write(all, Form::kTavern)).starts_with("```json\n[\n{\"action\""));
    Proposal test = propose(make(Dialect::kPatch, Op::kTest, "a", 1), Dialect::kPatch);
    test.transaction = true;
    EXPECT_TRUE(write({&test, 1}, Form::kPatch));
    EXPECT_TRUE(write({&test, 1}, Form::kFilament3));
    EXPECT_FALSE(write({&test, 1}, Form::kTavern));
}

}  // namespace
}  // namespace arbiter::writer
