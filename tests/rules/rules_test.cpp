// Goal: each kind of limit refuses or cuts what it should; what a rulebook remembers begins with
// the first turn; several rulebooks and several rules of one kind do not mix up.
#include <gtest/gtest.h>

#include "engine/describe.h"
#include "tests/rules/worlds.h"
#include "tests/support/judging.h"

namespace arbiter {
namespace {

using engine::State;
using proposal::Op;
using tests::book_of;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

// A campaign under some rulebooks.
class Game {
  public:
    Game(std::vector<std::shared_ptr<const rules::Rulebook>> books, std::string_view document)
        : rules_(tests::rules_of({}, std::move(books))),
          state_{value::parse_json(document).value(), {}} {}

    // One command of the model; how it was judged.
    std::string does(Op op, std::string_view path, Value value, std::string_view said = "") {
        proposal::Proposal made;
        made.dialect = proposal::Dialect::kJson;
        proposal::Instruction what = proposal::instruction_of(made.dialect, op);
        what.op = op;
        what.mount = proposal::Mount::kRoot;
        what.path = value::parse_path(path, value::PathSyntax::kDotted).value();
        what.value = std::move(value);
        what.creates = true;
        made.what = std::move(what);
        last_ = tests::judge(state_, {&made, 1}, said, rules_);
        state_ = last_.outcome.state;
        return describe(last_.outcome.verdicts[0]);
    }
    std::string sets(std::string_view path, Value value) {
        return does(Op::kSet, path, std::move(value));
    }
    void says(std::string_view text) {
        last_ = tests::judge(state_, {}, text, rules_);
        state_ = last_.outcome.state;
    }
    [[nodiscard]] std::string at(std::string_view path) const {
        const Value* found = value::find(
            state_.document, value::parse_path(path, value::PathSyntax::kDotted).value());
        return found != nullptr ? value::print_json(*found) : "-";
    }
    [[nodiscard]] std::string effects() const {
        std::string all;
        for (const rules::Effect& effect : last_.effects) {
            all += describe(effect) + "\n";
        }
        return all;
    }

  private:
    turn::Rules rules_;
    State state_;
    turn::Attempt last_;
};

Game limited(const std::string& terms, std::string_view document) {
    return {
        {book_of(R"({"rulebook":"x","time":{"date":"date"},"limits":[{"place":)" + terms + "}]}")},
        document};
}

TEST(Limits, StepsAndTurns) {
    Game steps = limited(R"("a","step_up":3,"step_down":5)", R"({"a":[10,"d"]})");
    EXPECT_EQ(steps.sets("a", 20), R"(applied set a: [10,"d"] → [13,"d"] ! clamped)");
    EXPECT_EQ(steps.sets("a", 0), R"(applied set a: [13,"d"] → [8,"d"] ! clamped)");
    Game refusing = limited(R"("a","step":3,"otherwise":"refuse")", R"({"a":10})");
    EXPECT_EQ(refusing.sets("a", 14), "failed set a X constraint");
    EXPECT_EQ(refusing.sets("a", 13), "applied set a: 10 → 13");
    Game texts = limited(R"("a","max":5)", R"({"a":1})");
    EXPECT_EQ(texts.sets("a", "many"), R"(applied set a: 1 → "many" ! type_changed)");
    Game crossed = limited(R"("a","min":"5 + 0","max":3)", R"({"a":4})");
    EXPECT_EQ(crossed.sets("a", 9), "applied set a: 4 → 3 ! clamped");
}

TEST(Limits, DaysBeginWithTheFirstTurn) {
    Game game = limited(R"("gold","per_day":10)", R"({"gold":100,"date":"第1天"})");
    EXPECT_EQ(game.sets("gold", 108), "applied set gold: 100 → 108");
    EXPECT_EQ(game.sets("gold", 120), "applied set gold: 108 → 110 ! clamped");
    EXPECT_EQ(game.sets("gold", 120), "applied set gold ! clamped");
    game.sets("date", "第2天");
    EXPECT_EQ(game.sets("gold", 150), "applied set gold: 110 → 120 ! clamped");
    EXPECT_EQ(game.sets("gold", 90), "applied set gold: 120 → 100 ! clamped");
}

TEST(Limits, ValuesAndLists) {
    Game one_of = limited(R"("a","one_of":["x","y",3])", R"({"a":"x"})");
    EXPECT_EQ(one_of.sets("a", "z"), "failed set a X constraint");
    EXPECT_EQ(one_of.sets("a", 3), R"(applied set a: "x" → 3)");
    Game unique = limited(R"("l","unique":"id")", R"({"l":[{"id":1}]})");
    EXPECT_EQ(unique.does(Op::kPush, "l", Object{{"id", 1}}), "failed push l X constraint");
    EXPECT_TRUE(unique.does(Op::kPush, "l", Object{{"id", 2}}).starts_with("applied"));
    Game log = limited(R"("l","append_only":true)", R"({"l":["a"]})");
    EXPECT_TRUE(log.does(Op::kPush, "l", "b").starts_with("applied"));
    EXPECT_EQ(log.sets("l", Array{"x", "b", "c"}), "failed set l X constraint");
    EXPECT_EQ(log.does(Op::kDelete, "l", {}), "failed delete l X constraint");
    Game needed = limited(R"("h.$w.name","required":true)", R"({"h":{"a":{"name":"n"}}})");
    EXPECT_EQ(needed.does(Op::kDelete, "h.a.name", {}), "failed delete h.a.name X constraint");
    EXPECT_EQ(needed.sets("h.a", 1), "failed set h.a X constraint");
}

// A bound that moves takes the value with it, whoever moved it.
TEST(Limits, RangesHoldAfterRules) {
    Game game({book_of(R"({"rulebook":"x",
        "derived":[{"place":"max","formula":"base * 2"}],
        "limits":[{"id":"now","place":"now","min":0,"max":"max"}],
        "on_change":[{"watch":"hit","do":[{"set":"now","to":"now - $new"}]}]})")},
              R"({"base":5,"max":10,"now":9,"hit":0})");
    game.sets("base", 2);
    EXPECT_EQ(game.at("now"), "4");
    game.sets("hit", 50);
    EXPECT_EQ(game.at("now"), "0");
}

TEST(Rules, BooksReadEachOther) {
    Game game({book_of(R"({"rulebook":"x","derived":[{"place":"a","formula":"c + 1"}]})"),
               book_of(R"({"rulebook":"y","derived":[{"place":"c","formula":"base"}]})")},
              R"({"a":0,"c":0,"base":1})");
    game.says("");
    EXPECT_EQ(game.at("a"), "2");
    game.sets("base", 7);
    EXPECT_EQ(game.at("a"), "8");
}

TEST(Rules, TwoKindsOfVisibility) {
    Game game({book_of(R"({"rulebook":"x","visibility":[
        {"id":"n","below":"npc","keyword":1,"replies":1},
        {"id":"p","below":"place","mark":"_m","shown":"_s","keyword":1,"replies":3}]})")},
              R"({"npc":{"ann":{"_filter":true}},"place":{"inn":{"_m":true}}})");
    game.says("ann in the inn");
    EXPECT_EQ(game.at("npc.ann._showInEJS") + game.at("place.inn._s"), "truetrue");
    game.says("rain");
    EXPECT_EQ(game.at("npc.ann._showInEJS") + game.at("place.inn._s"), "falsetrue");
    game.says("rain");
    game.says("rain");
    EXPECT_EQ(game.at("place.inn._s"), "false");
}

// Members of a list are compared by their place.
TEST(Rules, Lists) {
    Game game({book_of(R"({"rulebook":"x",
        "derived":[{"place":"l.$i.twice","formula":"l.$i.n * 2"}],
        "cleanup":[{"id":"c","each":"l.$i","when":"l.$i.n <= 0"}]})")},
              R"({"l":[{"n":1,"twice":2},{"n":2,"twice":4}]})");
    game.does(Op::kSplice, "l",
              Object{{"start", 0},
                     {"deleteCount", 0},
                     {"items",
                      Array{Object{{"n", 0}}, Object{{"n", 5}, {"twice", 1}}, Object{{"n", -1}}}}});
    EXPECT_EQ(game.at("l"), R"([{"n":5,"twice":10},{"n":1,"twice":2},{"n":2,"twice":4}])");
}

// A day that is written in other words is no new day.
TEST(Rules, DaysThatPass) {
    Game game({book_of(R"({"rulebook":"x","time":{"date":"date"},
        "daily":[{"id":"rest","each":"tired","to":0}]})")},
              R"({"date":"3月5日","tired":4})");
    game.sets("date", "03月05日");
    EXPECT_EQ(game.at("tired"), "4");
    game.sets("date", "03月06日");
    EXPECT_EQ(game.at("tired"), "0");
}

}  // namespace
}  // namespace arbiter
