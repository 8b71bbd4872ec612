// Goal: a rulebook that is wrong says where and what would have been right, in both languages; one
// that is hostile costs its author's time and nobody else's.
#include "config/rulebooks.h"
#include "config/embedded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "base/limits.h"
#include "base/messages.h"
#include "proposal/operations.h"
#include "rules/blueprint.h"
#include "tests/support/judging.h"
#include "value/json.h"

namespace arbiter::config {
namespace {

using value::Object;
using value::Value;

// "house.yaml:3:5: There is …", one line for each error.
std::string diagnostics(std::string text) {
    const auto book = load_rulebook_text("house.yaml", std::move(text));
    if (book) {
        return "";
    }
    std::string lines;
    for (const base::Error& error : book.error().errors) {
        const std::string english = base::explain(error, base::Language::kEnglish);
        const std::string chinese = base::explain(error, base::Language::kChinese);
        EXPECT_NE(english, chinese);
        EXPECT_FALSE(chinese.empty());
        EXPECT_TRUE(error.place) << english;
        lines += book.error().file;
        if (error.place) {
            lines +=
                ":" + std::to_string(error.place->line) + ":" + std::to_string(error.place->column);
        }
        lines += ": " + english + "\n";
    }
    return lines;
}

Book book_of(const std::string& text) {
    auto book = load_rulebook_text("house.yaml", text);
    EXPECT_TRUE(book) << diagnostics(text);
    return book.value();
}

// A turn without commands on a document that was {} before.
turn::Attempt played(const Book& book, std::string_view document) {
    return tests::judge({value::parse_json(document).value(), {}}, {}, "",
                        tests::rules_of({}, {book}));
}

TEST(Rulebooks, ThoseThatComeWithArbiterAreSound) {
    EXPECT_FALSE(built_in_rulebooks().empty());
    for (const EmbeddedFile& each : built_in_rulebooks()) {
        const auto book = load_rulebook(each.name);
        ASSERT_TRUE(book) << diagnostics(std::string(each.text));
        EXPECT_EQ((*book)->name, each.name);
        EXPECT_NE((*book)->title.english, (*book)->title.chinese);
        // Its own blueprint is what it would compute.
        const turn::Rules rules = tests::rules_of({}, {*book});
        const Value fresh = rules::with_blueprint(Object(), (*book)->blueprint);
        EXPECT_TRUE(tests::judge({fresh, {}}, {}, "", rules).effects.empty()) << each.name;
    }
}

// proves: S2-5
TEST(Rulebooks, ABlueprintFillsUpAndOverwritesNothing) {
    const Book book = load_rulebook("infinite-flow").value();
    const Value save = value::parse_json(R"({"stat_data":{"日期":"三月初五","天气":null},
        "play_character_data":{"属性段":{"生理属性":{"力量":{"基础":12}}}},"own":1})")
                           .value();
    const Value filled = rules::with_blueprint(save, book->blueprint);
    const auto at = [&](std::string_view path) {
        const Value* found =
            value::find(filled, value::parse_path(path, value::PathSyntax::kDotted).value());
        return found != nullptr ? value::print_json(*found) : "-";
    };
    EXPECT_EQ(at("stat_data.日期"), "\"三月初五\"");
    EXPECT_EQ(at("stat_data.天气"), "null");
    EXPECT_EQ(at("own"), "1");
    EXPECT_EQ(at("play_character_data.属性段.生理属性.力量.基础"), "12");
    EXPECT_EQ(at("play_character_data.属性段.生理属性.力量.传奇"), R"([0,"超过八点的部分"])");
    EXPECT_EQ(at("play_character_data.货币段.支线剧情.S"), R"([0,"S级"])");
    EXPECT_EQ(rules::with_blueprint(filled, book->blueprint), filled);
    // One that fits nowhere changes nothing.
    const Value odd = value::parse_json(R"({"stat_data":7,"assa_data":[1]})").value();
    const Value kept = rules::with_blueprint(odd, book->blueprint);
    EXPECT_EQ(*kept.as_object().find("stat_data"), Value(7));
    EXPECT_TRUE(kept.as_object().find("assa_data")->is_array());
}

TEST(Rulebooks, FaultsHaveTheirPlace) {
    EXPECT_EQ(diagnostics("rulebook: x\nderivd: []\n"),
              "house.yaml:2:1: There is no key derivd here. Did you mean derived?\n");
    EXPECT_EQ(
        diagnostics("rulebook: x\nderived:\n  - place: a\n    formula: b +\n"),
        "house.yaml:4:14: The formula ends too early. Possible here: 12, 'text', a.b, (…).\n");
    EXPECT_EQ(diagnostics("rulebook: x\nderived:\n  - {place: a.$x, formula: b.$y}\n"),
              "house.yaml:3:28: The variable $y is not known here. Known: $x.\n");
}

// Mistakes that compile as something else.
TEST(Rulebooks, BoundsThatCannotBeMeant) {
    const auto limit = [](const std::string& terms) {
        return diagnostics("rulebook: x\nlimits:\n  - {place: a, " + terms + "}\n");
    };
    EXPECT_EQ(limit("max: 一百"),
              "house.yaml:3:21: 一百 is a number in words and would be read as a path. Write it in "
              "digits.\n");
    EXPECT_EQ(limit("min: 10, max: 3"),
              "house.yaml:3:30: min is 10 and max is 3: no number lies between them.\n");
    EXPECT_EQ(limit("one_of: 平静"), "house.yaml:3:24: one_of takes [a, b], not \"平静\".\n");
    EXPECT_TRUE(limit("otherwise: refuse").starts_with("house.yaml:3:5: This limit has no bound."));
    EXPECT_TRUE(diagnostics("rulebook: x\ntime: {date: d, calendar: gregorain}\n")
                    .starts_with("house.yaml:2:27: There is no calendar gregorain. Available: "
                                 "gregorian."));
}

// One mistake, one error.
TEST(Rulebooks, MistakesDoNotCascade) {
    const auto lines = [](const std::string& text) {
        return std::ranges::count(diagnostics(text), '\n');
    };
    EXPECT_EQ(diagnostics("rulebook: x\nderived: [{plce: a, formula: 1}]\n"),
              "house.yaml:2:12: There is no key plce here. Did you mean place?\n");
    EXPECT_EQ(lines("rulebook: x\nflags: 3\n"), 1);
    EXPECT_EQ(lines("rulebook: x\nlimits: [3]\n"), 1);
    EXPECT_EQ(lines("rulebook: x\ntime: 3\n"), 1);
    EXPECT_EQ(lines(""), 1);
}

TEST(Rulebooks, RemarksAreNoErrors) {
    const auto remarks = [](const std::string& text) {
        const SourceText source{"house.yaml", text};
        const Lint lint = lint_rulebooks({&source, 1});
        EXPECT_TRUE(lint.diagnostics.empty());
        std::string all;
        for (const FileDiagnostics& each : lint.remarks) {
            for (const base::Error& error : each.errors) {
                all += std::to_string(error.place->line) + " " +
                       std::string(base::name(error.code)) + "\n";
            }
        }
        return all;
    };
    EXPECT_EQ(remarks("rulebook: x\nlimits:\n  - {place: hp, max: hp_max}\n"), "3 unknown_root\n");
    EXPECT_EQ(remarks("rulebook: x\nlimits:\n  - {place: hp, max: hp_max}\n"
                      "derived: [{place: hp_max, formula: con * 10}]\n"),
              "");
    EXPECT_EQ(
        remarks("rulebook: x\nderived: [{place: 理.关系, formula: 1}]\nblueprint: {主角: {}}\n"),
        "2 not_computed\n");
    EXPECT_EQ(
        remarks("rulebook: x\nderived: [{place: 理.关系, formula: 1}]\nblueprint: {理: {}}\n"), "");
}

// A rulebook brings a calendar: its months count, and its dates are kept with the rulebook's text.
TEST(Rulebooks, BringTheirCalendars) {
    const std::string calendar =
        "  - name: mist\n    title: {en: Mist, zh: 雾历}\n    without_era: numbers\n"
        "    months: [{days: 40}, {days: 20}]\n";
    const Book book =
        book_of("rulebook: x\ncalendars:\n" + calendar +
                "time: {date: date, calendar: mist}\ndaily: [{each: n, to: $it + $days}]\n");
    const auto date = book->calendars->parse("1月40日", "mist");
    ASSERT_TRUE(date);
    EXPECT_EQ(book->calendars->print(book->calendars->plus_days(*date, 1).value(), "1月40日"),
              "2月1日");
    EXPECT_TRUE(
        diagnostics("rulebook: x\ncalendars:\n  - {name: a, title: {en: a, zh: b}, months: 3}\n")
            .starts_with("house.yaml:3:"));
    EXPECT_TRUE(
        diagnostics("rulebook: x\ncalendars: mycal.yaml\n").starts_with("house.yaml:2:12: "));
    // One mistake, one message: the clock names a calendar that is there.
    EXPECT_EQ(
        diagnostics("rulebook: x\ncalendars:\n  - {name: tides, months: [{name: a, days: 3}]}\n"
                    "time: {date: d, calendar: tides}\n")
            .find("There is no calendar"),
        std::string::npos);
}

// A wrong type in every field of every section: an error for each, at its line.
TEST(Rulebooks, WrongTypesEverywhere) {
    struct Field {
        std::string section;
        std::string rule;  // the rule with a hole for the field
        std::vector<std::string> wrong;
    };
    const std::vector<std::string> no_text = {"[1]", "{a: 1}", "3", "true"};
    const std::vector<std::string> no_path = {"[1]", "{a: 1}", "3", "''", "a..b", "'a[x'"};
    const std::vector<std::string> no_formula = {"[1]",   "{a: 1}",   "null",
                                                 "'1 +'", "'fly(1)'", "'$who'"};
    const std::vector<std::string> no_flag = {"1", "'yes'", "[true]"};
    const std::vector<std::string> no_count = {"-1", "1.5", "many", "[1]", "1e9"};
    const std::vector<Field> fields = {
        {"derived", "formula: '1', place: ", no_path},
        {"derived", "place: a, formula: ", no_formula},
        {"derived", "place: a, formula: '1', id: ", no_text},
        {"limits", "max: 1, place: ", no_path},
        {"limits", "place: a, min: ", no_formula},
        {"limits", "place: a, max: ", no_formula},
        {"limits", "place: a, step: ", no_formula},
        {"limits", "place: a, step_up: ", no_formula},
        {"limits", "place: a, step_down: ", no_formula},
        {"limits", "place: a, per_turn: ", no_formula},
        {"limits", "place: a, per_day: ", {"[1]", "1"}},  // there is no time
        {"limits", "place: a, unique: ", no_text},
        {"limits", "place: a, append_only: ", no_flag},
        {"limits", "place: a, required: ", no_flag},
        {"limits", "place: a, max: 1, otherwise: ", {"ignore", "1", "[refuse]"}},
        {"aliases", "names: {a: b}, in: ", no_path},
        {"aliases", "in: a, names: ", {"[1]", "1", "{a: 1}", "{a: [b]}"}},
        {"on_change", "do: [{set: a, to: '1'}], watch: ", no_path},
        {"on_change", "watch: b, do: [{set: a, to: '1'}], when: ", no_formula},
        {"on_change",
         "watch: b, do: ",
         {"1", "[1]", "[{}]", "[{set: a}]", "[{set: a.$x, to: '1'}]", "[{remove: c.*}]",
          "[{set: a, to: '1', create: 1}]"}},
        {"daily", "to: '1', each: ", no_path},
        {"daily", "each: a, to: ", no_formula},
        {"daily", "each: a.$x, to: '1', set: ", {"b.$y", "[1]", "b.*"}},
        {"cleanup", "when: '1', each: ", no_path},
        {"cleanup", "each: a, when: ", no_formula},
        {"flags", "count: a, at: '1', until: b, clear: a, flag: ", no_path},
        {"flags", "flag: f, at: '1', until: b, clear: a, count: ", {"a.$x", "1"}},
        {"flags", "flag: f, count: a, until: b, clear: a, at: ", no_formula},
        {"flags", "flag: f, count: a, at: '1', until: b, clear: a, keep: ", no_count},
        {"flags", "flag: f, count: a, at: '1', until: b, clear: a, keep_this_turn: ", no_flag},
        {"visibility", "replies: '1', below: ", no_path},
        {"visibility", "below: a, replies: ", no_formula},
        {"visibility", "below: a, replies: '1', keyword: ", no_count},
        {"visibility", "below: a, replies: '1', mark: ", no_text},
        {"leaving", "name: a, places: ", {"3", "[1]", "[a.$x]", "[]"}},
        {"leaving", "places: [a], name: ", no_formula},
    };
    for (const Field& field : fields) {
        for (const std::string& wrong : field.wrong) {
            const std::string text =
                "rulebook: x\n" + field.section + ":\n  - {" + field.rule + wrong + "}\n";
            const std::string found = diagnostics(text);
            EXPECT_TRUE(found.starts_with("house.yaml:3:")) << text << found;
        }
    }
    for (const char* text :
         {"rulebook: [1]\n", "rulebook: x\ntitle: 3\n", "rulebook: x\ntitle: {en: 1}\n",
          "rulebook: x\nnames: [1]\n", "rulebook: x\nnames: {a: b.$c}\n",
          "rulebook: x\nread_only: [3]\n", "rulebook: x\nmemories: {a: 1}\n",
          "rulebook: x\ntime: 3\n", "rulebook: x\ntime: {}\n",
          "rulebook: x\ntime: {date: a, midnight: maybe}\n",
          "rulebook: x\ntime: {date: a, calendar: [1]}\n", "rulebook: x\nblueprint: [1]\n",
          "rulebook: x\nderived: 3\n", "rulebook: x\nlimits: {place: a, lowest: 1}\n", "- 1\n",
          "3\n", "", "title: {en: a}\n"}) {
        EXPECT_TRUE(diagnostics(text).starts_with("house.yaml:")) << text << diagnostics(text);
    }
}

TEST(Rulebooks, ACycleIsNamed) {
    EXPECT_EQ(diagnostics("rulebook: x\nderived:\n  - {place: z, formula: a}\n"
                          "  - {place: a, formula: b + 1}\n  - {place: b, formula: c.d}\n"
                          "  - {place: c.$x, formula: a}\n"),
              "house.yaml:4:25: These values are computed from each other: a → b → c.$x → a.\n");
    EXPECT_TRUE(
        diagnostics("rulebook: x\nderived: [{place: a, formula: a + 1}]\n").contains("a → a"));
    // By a part, by the whole, by an open place, by whatever lies below.
    for (const char* formula : {"count(h)", "h.a.n", "sum(h.*.n)", "h.$w.n", "sum(h.*.*)"}) {
        const std::string text =
            std::string("rulebook: x\nderived: [{place: h.$w.n, formula: '") + formula + "'}]\n";
        EXPECT_TRUE(diagnostics(text).contains("from each other")) << formula;
    }
    EXPECT_EQ(
        diagnostics("rulebook: x\nderived: [{place: h.$w.n, formula: 'h.$w.m + sum(h.*.m)'}]\n"),
        "");
}

TEST(Rulebooks, WhatCannotBeWorkedOutChangesNothing) {
    const Book book = book_of(
        "rulebook: x\nderived:\n"
        "  - {place: a, formula: 1 / zero}\n"
        "  - {place: b, formula: 5 % zero}\n"
        "  - {place: c, formula: nowhere.to.be.found + 1}\n"
        "  - {place: d, formula: text * 2}\n"
        "  - {place: e, formula: 10 + huge * huge}\n"
        "  - {place: f, formula: 'days(text, text)'}\n"
        "cleanup: [{each: list.$i, when: 1 / zero}]\n"
        "flags: [{flag: g, count: list, at: 1 / zero, until: list, "
        "clear: list}]\n");
    const auto turn =
        played(book, R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"zero":0,"text":"x","huge":1e300,
                  "list":[1,2]})");
    EXPECT_TRUE(turn.effects.empty());
    EXPECT_TRUE(turn.settled);
}

// Rules that set each other off for ever are stopped; what they did is said, and the host is told.
TEST(Rulebooks, RulesThatNeverSettle) {
    const Book book = book_of(
        "rulebook: x\non_change:\n"
        "  - {id: up, watch: a, do: [{set: b, to: a + 1, create: true}]}\n"
        "  - {id: down, watch: b, do: [{set: a, to: b + 1, create: true}]}\n"
        "limits: [{id: low, place: l, max: 1}]\n"
        "derived: [{place: d, formula: a}]\n");
    proposal::Proposal made;
    made.dialect = proposal::Dialect::kJson;
    proposal::Instruction what = proposal::instruction_of(made.dialect, proposal::Op::kSet);
    what.mount = proposal::Mount::kRoot;
    what.path = {"a"};
    what.value = 1;
    made.what = std::move(what);
    const turn::Rules rules = tests::rules_of({}, {book});
    const engine::State state{Object{{"a", 0}, {"d", 0}}, {}};
    const auto turn = tests::judge(state, {&made, 1}, "", rules);
    EXPECT_FALSE(turn.settled);
    EXPECT_LE(turn.effects.size(), 4 * base::kReactionRoundsMax);
    EXPECT_EQ(turn.outcome.verdicts[0].status, proposal::Status::kApplied);
    // The same again is the same.
    EXPECT_EQ(tests::judge(state, {&made, 1}, "", rules).outcome.state, turn.outcome.state);
}

std::string many_rules(std::size_t count) {
    std::string text = "rulebook: x\nnames:\n";
    for (std::size_t i = 0; i < count; ++i) {
        text += "  n" + std::to_string(i) + ": place" + std::to_string(i) + ".value\n";
    }
    text += "derived:\n";
    for (std::size_t i = 0; i < count; ++i) {
        const std::string next = std::to_string(i + 1);
        text += "  - {place: place" + std::to_string(i) + ".sum, formula: n" + std::to_string(i) +
                " + place" + next + ".sum + count(all.*)}\n";
    }
    return text;
}

// Four times the rules cost about four times the work, not sixteen times.
TEST(Rulebooks, ManyRules) {
    const auto seconds = [](std::size_t count) {
        const std::string text = many_rules(count);
        double best = 1e9;
        for (int i = 0; i < 2; ++i) {
            const auto start = std::chrono::steady_clock::now();
            const Book book = book_of(text);
            EXPECT_EQ(book->derived.size(), count);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            best = std::min(best, took.count());
        }
        return best;
    };
    const double few = seconds(2'500);
    const double many = seconds(10'000);
    EXPECT_LT(many, few * 10 + 0.5);
    // Each comes behind what it reads.
    const Book book = book_of(many_rules(100));
    EXPECT_EQ(value::print_pattern(book->derived.front().place), "place99.sum");
    EXPECT_EQ(value::print_pattern(book->derived.back().place), "place0.sum");
    std::string too_many = "rulebook: x\ncleanup:\n";
    for (std::size_t i = 0; i <= base::kRulesMax; ++i) {
        too_many += "- {each: a, when: b}\n";
    }
    EXPECT_TRUE(diagnostics(too_many).contains("20000 rules"));
}

TEST(Rulebooks, HostileNesting) {
    const std::string deep(10'000, '(');
    EXPECT_TRUE(diagnostics("rulebook: x\nderived: [{place: a, formula: '" + deep.substr(0, 200) +
                            "1" + std::string(200, ')') + "'}]\n")
                    .starts_with("house.yaml:2:"));
    for (const std::string& formula :
         {deep, std::string(10'000, '-') + "1", "not " + std::string(4'000, '!') + "1",
          "a" + std::string(2'000, '['), "max(" + deep, std::string(3'900, '$'),
          "a." + std::string(100'000, 'b')}) {
        EXPECT_NE(diagnostics("rulebook: x\nderived: [{place: a, formula: '" + formula + "'}]\n"),
                  "")
            << formula.substr(0, 20);
    }
    EXPECT_NE(diagnostics("rulebook: x\nblueprint: " + std::string(5'000, '[') + "\n"), "");
    EXPECT_NE(diagnostics("rulebook: x\nblueprint: " + std::string(500, '{') + "\n"), "");
    // A wide formula is looked at in bounded work, and then unknown.
    std::string wide = "sum(a.*.*)";
    for (int i = 0; i < 100; ++i) {
        wide += " + sum(a.*.*)";
    }
    const Book book = book_of("rulebook: x\nderived: [{place: b, formula: '" + wide + "'}]\n");
    std::string document = R"({"b":0,"a":{)";
    for (int i = 0; i < 100; ++i) {
        document += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":[1";
        for (int j = 0; j < 99; ++j) {
            document += ",1";
        }
        document += "]";
    }
    EXPECT_TRUE(played(book, document + "}}").effects.empty());
}

// Another rulebook of the same name looks at everything anew.
// proves: S2-21
TEST(Rulebooks, AChangedRulebookIsNoticed) {
    const Book old = book_of("rulebook: x\nderived: [{place: a, formula: b}]\n");
    const Book fresh = book_of("rulebook: x\nderived: [{place: a, formula: b * 2}]\n");
    const engine::State state{Object{{"a", 0}, {"b", 3}}, {}};
    const auto first = tests::judge(state, {}, "", tests::rules_of({}, {old}));
    const auto second = tests::judge(first.outcome.state, {}, "", tests::rules_of({}, {fresh}));
    EXPECT_EQ(*second.outcome.state.document.as_object().find("a"), Value(6));
}

}  // namespace
}  // namespace arbiter::config
