// Goal: the tables of codes, warnings, operations, words and options say everything about each row.
// proves: X-17, S3-55
#include <gtest/gtest.h>

#include <set>

#include "base/phrases.h"
#include "proposal/code.h"
#include "proposal/operations.h"
#include "tests/support/languages.h"

namespace arbiter::proposal {
namespace {

bool has_chinese(std::string_view text) {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0xE4 && byte <= 0xE9) {
            return true;
        }
    }
    return false;
}

TEST(Codes, HaveANameAndATextInBothLanguages) {
    std::set<std::string_view> names;
    for (const CodeRow& row : codes()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_FALSE(row.english.empty()) << row.name;
        EXPECT_FALSE(has_chinese(row.english)) << row.name;
        EXPECT_TRUE(has_chinese(row.chinese)) << row.name;
    }
    for (const WarningRow& row : warnings()) {
        EXPECT_FALSE(row.english.empty()) << row.name;
        EXPECT_TRUE(has_chinese(row.chinese)) << row.name;
    }
}

// The texts that people and models read do not mix the languages. proves: X-17
TEST(Codes, NoTextMixesTheLanguages) {
    const auto check = [](std::string_view english, std::string_view chinese) {
        EXPECT_EQ(tests::chinese_characters(std::string(english)), "") << english;
        EXPECT_TRUE(tests::english_words(chinese).empty()) << chinese;
    };
    for (const CodeRow& row : codes()) {
        check(row.english, row.chinese);
    }
    for (const WarningRow& row : warnings()) {
        check(row.english, row.chinese);
    }
    for (const Operation& row : operations()) {
        check(row.english, row.chinese);
    }
    for (const OptionRow& row : options()) {
        check(row.english, row.chinese);
        const std::string expects(expected(row.type));
        check(expects, base::in_words(expects, base::Language::kChinese));
    }
}

// Details that are phrases or kinds of values are translated; quotations are not.
TEST(Codes, DetailsAreToldInTheLanguageOfTheMessage) {
    const auto both = [](Code code, std::vector<std::string> details) {
        const Problem problem{code, std::move(details)};
        return explain(problem, base::Language::kEnglish) + "\n" +
               explain(problem, base::Language::kChinese);
    };
    EXPECT_EQ(both(Code::kBadOptions, {"ttl", "a number above 0", "\"soon\""}),
              "The option ttl needs a number above 0, not \"soon\".\n"
              "选项 ttl 需要大于 0 的数字，而不是 \"soon\"。");
    EXPECT_EQ(both(Code::kTypeMismatch, {"text", "number", "object / array"}),
              "text is a number; this needs an object or a list.\n"
              "text 是数字，此操作需要对象或列表。");
    EXPECT_EQ(both(Code::kBadEntry, {"a text"}).substr(0, 32), "An entry of a batch is a text. E");
    EXPECT_EQ(both(Code::kNotFound, {"text"}), "There is nothing at text.\n路径 text 不存在。");
    EXPECT_EQ(both(Code::kParseError, {"6:31 `x`"}),
              "line 6, column 31: `x` cannot be read.\n第 6 行第 31 列：`x` 无法读懂。");
}

TEST(Codes, AreExplainedWithTheirDetails) {
    const Problem problem{Code::kUnknownAction, {"fly", "set, add"}};
    EXPECT_EQ(explain(problem, base::Language::kEnglish),
              "Invalid operation type: fly. Available: set, add.");
    EXPECT_EQ(explain(problem, base::Language::kChinese), "没有操作 fly。可用：set, add。");
}

TEST(Warnings, AreListedInTheirOrder) {
    Warnings warnings;
    EXPECT_TRUE(warnings.empty());
    warnings.add(Warning::kClamped);
    warnings.add(Warning::kRepaired);
    EXPECT_EQ(warnings.list(), (std::vector{Warning::kRepaired, Warning::kClamped}));
    EXPECT_FALSE(warnings.has(Warning::kUnclosed));
}

TEST(Operations, EveryWordOfADialectStandsForOne) {
    for (const Verb& verb : verbs()) {
        EXPECT_EQ(find_verb(verb.dialect, verb.word), &verb) << verb.word;
        EXPECT_FALSE(operation(verb.op).english.empty());
        EXPECT_TRUE(has_chinese(operation(verb.op).chinese)) << verb.word;
    }
    EXPECT_EQ(find_verb(Dialect::kTavern, "SET"), nullptr);
    EXPECT_NE(find_verb(Dialect::kFilament, "sEt"), nullptr);
    EXPECT_EQ(find_verb(Dialect::kJson, "set"), nullptr);
}

TEST(Options, KnowWhatTheyTake) {
    const auto takes = [](std::string_view option, const value::Value& value) {
        const OptionRow* row = find_option(option);
        EXPECT_NE(row, nullptr) << option;
        return row != nullptr && fits(row->type, value);
    };
    EXPECT_TRUE(takes("ttl", 0.5));
    EXPECT_FALSE(takes("ttl", 0));
    EXPECT_FALSE(takes("ttl", "60"));
    EXPECT_TRUE(takes("limit", 0));
    EXPECT_FALSE(takes("limit", -1));
    EXPECT_TRUE(takes("uniqueBy", "id"));
    EXPECT_TRUE(takes("expiresAt", "2025-09-20T05:00:00Z"));
    EXPECT_TRUE(takes("expiresAt", "2025-09-20T05:00:00.25+08:00"));
    EXPECT_FALSE(takes("expiresAt", "2025-13-20T05:00:00Z"));
    EXPECT_FALSE(takes("expiresAt", "明天"));
    EXPECT_FALSE(takes("mergeStrategy", "clever"));
    EXPECT_EQ(find_option("mood"), nullptr);
}

}  // namespace
}  // namespace arbiter::proposal
