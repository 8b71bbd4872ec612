// Goal: formulas say what a rulebook's author means, unknown things stay unknown, and no text and
// no document makes them run away.
// Method: tables of formulas over one document; errors with their places; hostile texts.
#include "expr/formula.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/limits.h"
#include "base/messages.h"
#include "tests/support/random.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::expr {
namespace {

using value::Value;

const Value& document() {
    static const Value kDocument = *value::parse_json(R"({
        "角色": {"属性": {"力量": {"基础": [10, "基础值"]}, "敏捷": {"基础": ["7", "基础值"]}}},
        "背包": {"绳": {"num": 2, "重": 1.5}, "火把": {"num": 3}, "地契": {}},
        "map": {"镇": {"resources": {"铁": ["3/d", 100], "肉": ["5.5(kg)/d", 2], "草": ["少量", 8]}}},
        "名": "灰原", "空": null, "列": [1, 2, 3], "开": "true", "a.b": {"c": 4}
    })");
    return kDocument;
}

Vocabulary vocabulary() {
    Vocabulary words;
    words.aliases.insert({"力量", {"角色", "属性", "力量", "基础"}});
    words.variables = {"who", "old", "it", "n"};
    words.functions.push_back({"twice", 1, 1, [](std::span<const Known> values) -> Known {
                                   const auto number =
                                       values[0] ? number_of(*values[0]) : std::nullopt;
                                   return number ? number_value(*number * 2) : std::nullopt;
                               }});
    return words;
}

std::string result(std::string_view text) {
    const auto formula = Formula::compile(text, vocabulary());
    if (!formula) {
        return std::string(base::name(formula.error().code));
    }
    const std::vector<Variable> variables = {{"who", Value("绳")},
                                             {"old", Value(4)},
                                             {"it", *value::parse_json(R"(["3/d", 100])")},
                                             {"n", Value(1)}};
    const Known known = formula->evaluate({document(), variables});
    return known ? value::print_json(*known) : "unknown";
}

struct Case {
    std::string_view text;
    std::string_view expected;
};
void check(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        EXPECT_EQ(result(c.text), c.expected) << c.text;
    }
}

TEST(Formula, Calculates) {
    check({{"1 + 2 * 3", "7"},
           {"(1 + 2) * 3", "9"},
           {"10 / 4", "2.5"},
           {"7 % 3", "1"},
           {"-3 + 5", "2"},
           {"- -3", "3"},
           {"0.1 + 0.2", "0.3"},
           {"2 * (3 - -1)", "8"},
           {"1 / 0", "unknown"},
           {"1 % 0", "unknown"},
           {"\"12\" + 1", "13"},
           {"\"x\" + 1", "unknown"},
           {"（１", "formula_end"},
           {"（1 ＋ 2）× 3", "9"},
           {"007", "7"}});
}

TEST(Formula, ReadsPlaces) {
    check({{"力量", "10"},
           {"角色.属性.力量.基础", "10"},
           {"角色.属性.力量.基础[0] + 1", "11"},
           {"角色.属性.力量.基础[1]", "\"基础值\""},
           {"角色.属性.敏捷.基础 * 2", "14"},
           {"背包.$who.num", "2"},
           {"背包[$who].重", "1.5"},
           {"$it[1] + number($it[0]) * 3", "109"},
           {"$who", "\"绳\""},
           {"列[$n]", "2"},
           {"背包.*.num", "[2,3]"},
           {"sum(背包.*.num)", "5"},
           {"count(背包)", "3"},
           {"count(没有)", "0"},
           {"没有.的", "unknown"},
           {"没有 ?? 5", "5"},
           {"空 ?? 5", "5"},
           {"空", "null"}});
    // A name with a dot has its brackets, also at the outermost level only behind a name.
    check({{"背包[\"绳\"].num", "2"}, {"背包['绳'].num", "2"}});
}

TEST(Formula, ComparesAndDecides) {
    check({{"力量 > 8", "true"},
           {"力量 >= 10 and 力量 <= 10", "true"},
           {"力量 < 8 or not (力量 == 10)", "false"},
           {"!(1 > 2) && true", "true"},
           {"力量 ≥ 10", "true"},
           {"名 == \"灰原\"", "true"},
           {"名 = '灰原'", "true"},
           {"名 != \"灰原\"", "false"},
           {"\"灰\" in 名", "true"},
           {"2 in 列", "true"},
           {"\"绳\" in 背包", "true"},
           {"名 > 3", "unknown"},
           {"if(名 > 3, 1, 2)", "2"},
           {"if(开, 1, 2)", "1"},
           {"没有 == 1", "unknown"},
           {"pick(名, \"灰原\", 3, \"雪国\", 5, 7)", "3"},
           {"pick(没有, \"灰原\", 3, 7)", "7"},
           {"pick(名, \"雪国\", 5)", "unknown"},
           {"0.1 + 0.2 == 0.3", "true"}});
}

TEST(Formula, HasFunctions) {
    check({{"min(3, 1, 2)", "1"},
           {"max(背包.*.num)", "3"},
           {"min(背包.*.没有)", "unknown"},
           {"floor(2.7)", "2"},
           {"floor(-2.5)", "-3"},
           {"floor((10 + 7 + 5) / 3)", "7"},
           {"floor(0.1 * 30)", "3"},
           {"ceil(2.1)", "3"},
           {"round(2.345, 2)", "2.35"},
           {"round(2.5)", "3"},
           {"abs(-4)", "4"},
           {"clamp(12, 0, 10)", "10"},
           {"clamp(-1, 0, 10)", "0"},
           {"number(map.镇.resources.肉[0])", "5.5"},
           {"number(map.镇.resources.草[0])", "unknown"},
           {"number(\"-20/d\")", "-20"},
           {"has(名)", "true"},
           {"has(没有)", "false"},
           {"join(名, \"·\", 3)", "\"灰原·3\""},
           {"twice(4)", "8"}});
}

TEST(Formula, SaysWhatIsWrong) {
    check({{"1 +", "formula_end"},
           {"(1", "formula_end"},
           {"1 2", "formula_expected"},
           {"a..b", "formula_expected"},
           {"a[", "formula_end"},
           {"\"a", "path_unclosed"},
           {"mix(1, 2)", "formula_function"},
           {"floor(1, 2)", "formula_arguments"},
           {"$nobody", "formula_variable"},
           {"or", "formula_expected"},
           {"", "formula_end"},
           {"\xff", "path_bad_utf8"}});
    const auto wrong = Formula::compile("力量 + mix(1)", vocabulary());
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().arguments[1], "min");
    ASSERT_TRUE(wrong.error().place);
}

TEST(Formula, NamesThePlacesItReads) {
    const auto formula =
        Formula::compile("力量 + 背包.$who.num + sum(背包.*.重) + $old", vocabulary());
    ASSERT_TRUE(formula);
    std::vector<std::string> reads;
    for (const value::Pattern& pattern : formula->reads()) {
        reads.push_back(value::print_pattern(pattern));
    }
    EXPECT_EQ(reads,
              (std::vector<std::string>{"角色.属性.力量.基础", "背包.$who.num", "背包.*.重"}));
}

TEST(Formula, IsBounded) {
    EXPECT_EQ(result(std::string(base::kFormulaBytesMax + 1, '1')), "text_too_long");
    for (const std::string_view open : {"(", "-", "!", "not ", "abs("}) {
        std::string deep;
        while (deep.size() < 4000) {
            deep += open;
        }
        EXPECT_EQ(result(deep), "too_deep") << open;
    }
    // Wildcards over wildcards look at no more than they may.
    value::Object wide;
    for (int i = 0; i < 700; ++i) {
        wide = std::move(wide).set(value::Str(std::to_string(i)), Value(i));
    }
    value::Object wider;
    for (int i = 0; i < 700; ++i) {
        wider = std::move(wider).set(value::Str(std::to_string(i)), wide);
    }
    const Value big = value::Object{{"a", wider}};
    const auto formula = Formula::compile("count(a.*.*)", {});
    ASSERT_TRUE(formula);
    EXPECT_EQ(value::print_json(formula->evaluate({big, {}}).value_or(Value())), "0");
}

TEST(Formula, TakesAnyText) {
    tests::Random random(7);
    const std::string_view pieces[] = {"力量", "(",  ")",   "+",  "-",  "*",   "/", "$who",
                                       ".",    "[",  "]",   "\"", "1",  "if(", "a", ",",
                                       " ",    "??", "and", "≥",  "（", "名"};
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        const std::size_t count = random.below(12);
        for (std::size_t k = 0; k < count; ++k) {
            text += pieces[random.below(std::size(pieces))];
        }
        result(text);
    }
}

}  // namespace
}  // namespace arbiter::expr
