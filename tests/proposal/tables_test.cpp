// Goal: the tables of codes, warnings, operations, words and options say everything about each row.
// proves: X-17, S3-55
#include <gtest/gtest.h>

#include <set>

#include "proposal/code.h"
#include "proposal/operations.h"

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

TEST(Codes, AreExplainedWithTheirDetails) {
    const Problem problem{Code::kUnknownAction, {"fly", "set, add"}};
    EXPECT_EQ(explain(problem, base::Language::kEnglish),
              "There is no operation fly here. There are set, add.");
    EXPECT_EQ(explain(problem, base::Language::kChinese), "这里没有操作 fly。可用：set, add。");
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
