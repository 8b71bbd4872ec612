// Goal: what MVU and the Direct form print, to the letter, and the same place in JSON and Patch.
// Method: exact texts of every operation; what a form cannot say is an error that names it.
#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tests/writer/support.h"
#include "value/array.h"

namespace arbiter::writer {
namespace {

using proposal::Dialect;
using proposal::Instruction;
using proposal::Mount;
using proposal::Op;
using tests::json;
using tests::make;
using tests::written;
using value::Value;

Instruction from_json(Op op, std::string_view path) {
    return make(Dialect::kJson, op, path);
}
Instruction from_json(Op op, std::string_view path, Value value) {
    return make(Dialect::kJson, op, path, std::move(value));
}

// proves: S3-36, S3-37, S3-40
TEST(Mvu, AssignPrintsOldAndNewAndTheReason) {
    Instruction set = from_json(Op::kSet, "player.hp", 80);
    EXPECT_EQ(written(set, Form::kMvu), "_.set('player.hp', undefined, 80);");
    set.old = 100;
    EXPECT_EQ(written(set, Form::kMvu), "_.set('player.hp', 100, 80);");
    set.reason = "玩家受到伤害";
    EXPECT_EQ(written(set, Form::kMvu), "_.set('player.hp', 100, 80); // 玩家受到伤害");
    set.old = Value();
    set.value = true;
    set.reason = "";
    EXPECT_EQ(written(set, Form::kMvu), "_.set('player.hp', null, true);");
    set.value = json(R"({"a":[1,"x"],"b":null})");
    EXPECT_EQ(written(set, Form::kMvu), R"(_.set('player.hp', null, {"a":[1,"x"],"b":null});)");
    set.value = "铁剑";
    EXPECT_EQ(written(set, Form::kMvu), "_.set('player.hp', null, '铁剑');");
}

// proves: S3-38
TEST(Mvu, TheOtherOperations) {
    EXPECT_EQ(written(from_json(Op::kGet, "a.b"), Form::kMvu), "_.get('a.b');");
    EXPECT_EQ(written(from_json(Op::kDelete, "a.b"), Form::kMvu), "_.delete('a.b');");
    Instruction merge = from_json(Op::kMerge, "a.b", json(R"({"x":1})"));
    EXPECT_EQ(written(merge, Form::kMvu), R"(_.merge('a.b', undefined, {"x":1});)");
    merge.old = json(R"({"x":0})");
    EXPECT_EQ(written(merge, Form::kMvu), R"(_.merge('a.b', {"x":0}, {"x":1});)");
    EXPECT_EQ(written(from_json(Op::kPush, "a.b", "x"), Form::kMvu), "_.push('a.b', 'x');");
    EXPECT_EQ(written(from_json(Op::kCallback, "f", json(R"([1,"b"])")), Form::kMvu),
              "_.callback('f', 1, 'b');");
    EXPECT_EQ(written(from_json(Op::kCallback, "f", json("[]")), Form::kMvu), "_.callback('f');");
    EXPECT_EQ(written(from_json(Op::kCallback, "f", "单个"), Form::kMvu),
              "_.callback('f', '单个');");
}

TEST(Mvu, ItsOwnOperations) {
    EXPECT_EQ(written(make(Dialect::kMvu, Op::kIncrement, "a.b", -2.5), Form::kMvu),
              "_.add('a.b', -2.5);");
    Instruction insert = make(Dialect::kMvu, Op::kInsert, "a.b", "x");
    EXPECT_EQ(written(insert, Form::kMvu), "_.insert('a.b', 'x');");
    insert.key = 0;
    EXPECT_EQ(written(insert, Form::kMvu), "_.insert('a.b', 0, 'x');");
    insert.key = "0";
    EXPECT_EQ(written(insert, Form::kMvu), "_.insert('a.b', '0', 'x');");
    Instruction remove = make(Dialect::kMvu, Op::kDelete, "a.b");
    remove.key = "x";
    EXPECT_EQ(written(remove, Form::kMvu), "_.remove('a.b', 'x');");
    // A call keeps its own word for the same.
    proposal::Proposal alias = tests::propose(make(Dialect::kMvu, Op::kDelete, "a"), Dialect::kMvu);
    alias.verb = "_.unset";
    EXPECT_EQ(tests::said(write_one(alias, Form::kMvu)), "_.unset('a');");
    EXPECT_EQ(tests::said(write_one(alias, Form::kJson)), R"({"op":"delete","path":["a"]})");
    Instruction move = make(Dialect::kMvu, Op::kMove, "c.d");
    move.from = tests::dotted_path("a.b");
    EXPECT_EQ(written(move, Form::kMvu), "_.move('a.b', 'c.d');");
}

// proves: S3-39
TEST(Mvu, WhatItLacksIsAnErrorToTheLetter) {
    EXPECT_EQ(written(from_json(Op::kPop, "a"), Form::kMvu),
              "! Unsupported operation for MVU: pop");
    EXPECT_EQ(written(from_json(Op::kSplice, "a", json(R"({"start":0})")), Form::kMvu),
              "! Unsupported operation for MVU: splice");
    for (const Op op : {Op::kEnsure, Op::kPull, Op::kCopy, Op::kTest}) {
        EXPECT_EQ(written(from_json(op, "a", 1), Form::kMvu),
                  "! Unsupported operation for MVU: " + std::string(proposal::name(op)));
    }
    const auto error = write_one(tests::propose(from_json(Op::kPop, "a")), Form::kMvu);
    EXPECT_EQ(base::explain(error.error(), base::Language::kChinese), "MVU 不支持操作：pop");
}

TEST(Mvu, NothingIsLostInSilence) {
    const auto lost = [](Instruction instruction) { return written(instruction, Form::kMvu); };
    Instruction set = from_json(Op::kSet, "a", 1);
    set.metadata = json(R"({"x":1})").as_object();
    EXPECT_EQ(lost(set), "! MVU has no place for metadata, which would be lost.");
    set = make(Dialect::kTavern, Op::kSet, "a", 1);
    set.options = json(R"({"mergeStrategy":"replace","ifExists":true})").as_object();
    EXPECT_EQ(lost(set), "! MVU has no place for options.ifExists, which would be lost.");
    Instruction sub = make(Dialect::kFilament, Op::kIncrement, "a", 1);
    sub.arithmetic = proposal::Arithmetic::kMultiply;
    EXPECT_EQ(lost(sub), "! MVU has no place for arithmetic, which would be lost.");
    Instruction all = make(Dialect::kMemory, Op::kDelete, "a");
    all.all = true;
    EXPECT_EQ(lost(all), "! MVU has no place for all, which would be lost.");
    Instruction push = from_json(Op::kPush, "a", 1);
    push.old = 1;
    EXPECT_EQ(lost(push), "! MVU has no place for old, which would be lost.");
    Instruction get = from_json(Op::kGet, "a", 1);
    EXPECT_EQ(lost(get), "! MVU has no place for value, which would be lost.");
    get.value = Value();
    EXPECT_EQ(lost(get), "_.get('a');");
    EXPECT_EQ(lost(from_json(Op::kSet, "a")),
              "! In MVU, set needs value, and this instruction has none.");
    EXPECT_EQ(lost(from_json(Op::kCallback, "f.g", json("[]"))), "! MVU cannot name the path f.g.");
}

// proves: S3-41
TEST(Mvu, StringsAndPathsAreEscaped) {
    EXPECT_EQ(written(from_json(Op::kSet, R"(a["b.c"].d)", "it's\\\n\r\t\x01</x>"), Form::kMvu),
              R"(_.set('a["b.c"].d', undefined, 'it\'s\\\n\r\t\u0001\u003c/x>');)");
    Instruction odd = from_json(Op::kGet, "");
    odd.path = {"a\"b", "c'd", "e\nf", 0};
    EXPECT_EQ(written(odd, Form::kMvu), R"js(_.get('["a\\"b"]["c\'d"]["e\\nf"][0]');)js");
    odd.path = {"a", -1};
    EXPECT_EQ(written(odd, Form::kMvu), "! MVU cannot name the path a[-1].");
    odd.path = {"`a`", "　b", "c "};
    EXPECT_EQ(written(odd, Form::kMvu), R"(_.get('["`a`"]["　b"]["c "]');)");
    odd.path = {"/a", "b"};
    EXPECT_EQ(written(odd, Form::kMvu), R"(_.get('["/a"].b');)");
    EXPECT_EQ(written(from_json(Op::kSet, "a", "HP < 50, <3, a<=b"), Form::kMvu),
              "_.set('a', undefined, 'HP < 50, <3, a<=b');");
}

// A small reader of single-quoted strings, so that hostile keys and values need no exact texts.
std::string unquoted(std::string_view text) {
    std::string inner = "\"";
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] == '"') {
            inner += "\\\"";
        } else if (text[i] == '\\' && text[i + 1] == '\'') {
            inner += text[++i];
        } else {
            inner += text[i];
            if (text[i] == '\\') {
                inner += text[++i];
            }
        }
    }
    return std::string(json(inner + "\"").as_string());
}

TEST(Mvu, HostileKeysComeBack) {
    tests::Random random(11);
    for (int i = 0; i < 2000; ++i) {
        Instruction get = from_json(Op::kGet, "");
        for (std::size_t n = 1 + random.below(3); n > 0; --n) {
            get.path.emplace_back(std::string_view(tests::random_key(random)));
        }
        const std::string text = written(get, Form::kMvu);
        ASSERT_TRUE(text.starts_with("_.get(") && text.ends_with(");")) << text;
        const std::string path = unquoted(std::string_view(text).substr(6, text.size() - 8));
        if (get.path[0] == value::Segment("stat_data")) {
            get.path.erase(get.path.begin());
        }
        EXPECT_EQ(tests::dotted_path(path), get.path) << text;
    }
}

// proves: S3-37, S3-38
TEST(Mvu, OnlyAnAssignmentIsTranslatedWithItsReason) {
    Instruction push = from_json(Op::kPush, "a", 1);
    push.reason = "学会新技能";
    EXPECT_EQ(written(push, Form::kMvu), "_.push('a', 1);");
    Instruction remove = from_json(Op::kDelete, "a");
    remove.reason = "清理";
    EXPECT_EQ(written(remove, Form::kMvu), "_.delete('a');");
    // MVU's own calls keep theirs.
    Instruction add = make(Dialect::kMvu, Op::kIncrement, "a", 1);
    add.reason = "奖励";
    EXPECT_EQ(written(add, Form::kMvu), "_.add('a', 1); // 奖励");
}

TEST(Mvu, AReasonIsOneSafeLine) {
    Instruction get = make(Dialect::kMvu, Op::kGet, "a");
    get.reason = " 第一行\r\n第二行\u2028三 </UpdateVariable><b> a < b ";
    EXPECT_EQ(written(get, Form::kMvu),
              "_.get('a'); // 第一行 第二行 三 < /UpdateVariable>< b> a < b");
    get.reason = "\n ";
    EXPECT_EQ(written(get, Form::kMvu), "_.get('a');");
}

TEST(Mvu, PathsStartAtItsMount) {
    EXPECT_EQ(written(from_json(Op::kGet, "stat_data.a"), Form::kMvu), "_.get('a');");
    EXPECT_EQ(written(from_json(Op::kGet, "stat_data"), Form::kMvu), "_.get('');");
    EXPECT_EQ(written(make(Dialect::kMvu, Op::kGet, "stat_data.a"), Form::kMvu),
              "_.get('stat_data.a');");
    Instruction set = make(Dialect::kMemory, Op::kSet, "a.b", 1);
    set.mount = Mount::kStatus;
    EXPECT_EQ(written(set, Form::kMvu), "_.set('a.b', undefined, 1);");
    set.mount = Mount::kCharacter;
    EXPECT_EQ(written(set, Form::kMvu), "_.set('play_character_data.a.b', undefined, 1);");
    Instruction move = from_json(Op::kMove, "stat_data.b");
    move.from = tests::dotted_path("stat_data.a");
    EXPECT_EQ(written(move, Form::kMvu), "_.move('a', 'b');");
    move.from = tests::dotted_path("a");
    EXPECT_EQ(written(move, Form::kMvu), "! MVU cannot name the path stat_data.b.");
    EXPECT_EQ(written(from_json(Op::kCallback, "stat_data", json("[]")), Form::kMvu),
              "_.callback('stat_data');");
}

// proves: S3-36, S3-42
TEST(Direct, EveryOperationHasItsCounterpart) {
    const auto direct = [](const Instruction& i) { return written(i, Form::kDirect); };
    EXPECT_EQ(direct(from_json(Op::kSet, "a.b", 5)), R"({"type":"update","path":"a.b","value":5})");
    EXPECT_EQ(direct(from_json(Op::kGet, "a.b")), R"({"type":"get","path":"a.b"})");
    EXPECT_EQ(direct(from_json(Op::kDelete, "a.b")),
              R"({"type":"update","path":"a.b","value":null})");
    EXPECT_EQ(direct(from_json(Op::kMerge, "a.b", json(R"({"x":1})"))),
              R"({"type":"merge","path":"a.b","value":{"x":1}})");
    EXPECT_EQ(direct(from_json(Op::kPush, "a.b", "x")),
              R"({"type":"push","path":"a.b","value":"x"})");
    EXPECT_EQ(direct(from_json(Op::kPop, "a.b")), R"({"type":"pop","path":"a.b"})");
    EXPECT_EQ(direct(from_json(Op::kSplice, "a.b", json(R"({"start":0})"))),
              R"({"type":"splice","path":"a.b","value":{"start":0}})");
    EXPECT_EQ(direct(from_json(Op::kCallback, "f", json("[1]"))),
              R"({"type":"callback","path":"f","value":[1]})");
    EXPECT_EQ(direct(make(Dialect::kMvu, Op::kIncrement, "a", 1)),
              "! Unsupported operation for Direct: increment");
    Instruction set = from_json(Op::kSet, "a", 1);
    set.old = 0;
    set.reason = "r";
    EXPECT_EQ(direct(set), R"({"type":"update","path":"a","value":1})");
    set.options = json(R"({"ifExists":true})").as_object();
    EXPECT_EQ(direct(set), "! Direct has no place for options.ifExists, which would be lost.");
}

// proves: S3-50
TEST(Internal, HasTheJoinedPathTheOldValueAndTheReason) {
    Instruction set = from_json(Op::kSet, "player.hp", 80);
    set.old = 100;
    set.reason = "受伤";
    EXPECT_EQ(written(set, Form::kInternal),
              R"({"type":"assign","path":"player.hp","value":80,"oldValue":100,"reason":"受伤"})");
    EXPECT_EQ(written(from_json(Op::kDelete, "a"), Form::kInternal),
              R"({"type":"delete","path":"a"})");
}

}  // namespace
}  // namespace arbiter::writer
