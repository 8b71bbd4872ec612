// Goal: matches and their groups are those that JavaScript finds, also for patterns that make
// others slow. Method: tables, and random patterns compared with RE2.
#include "text/regex_match.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/re2_twin.h"

namespace arbiter::text {
namespace {

Regex compiled(std::string_view pattern, RegexOptions options = {}) {
    options.captures = true;
    options.is_lenient = true;
    auto regex = Regex::compile(pattern, options);
    EXPECT_TRUE(regex) << pattern;
    return regex ? *std::move(regex) : *Regex::compile("", {.captures = true});
}

// "bc(b)(-) d()": each match with its groups; - is a group that is not part of it.
std::string matches(std::string_view pattern, std::string_view text, RegexOptions options = {}) {
    std::string out;
    for (const Match& match : find_all(compiled(pattern, options), text)) {
        out += out.empty() ? "" : " ";
        out += text.substr(match[0].begin, match[0].end - match[0].begin);
        for (std::size_t i = 1; i < match.size(); ++i) {
            out += "(";
            out += match[i].has_matched()
                       ? text.substr(match[i].begin, match[i].end - match[i].begin)
                       : "-";
            out += ")";
        }
    }
    return out;
}

TEST(RegexMatch, FindsWhatJavaScriptFinds) {
    struct Row {
        std::string_view pattern;
        std::string_view text;
        std::string_view found;
    };
    constexpr Row kRows[] = {
        {"b", "abcb", "b b"},
        {"x", "abc", ""},
        {"a+", "aab a", "aa a"},
        {"a+?", "aab a", "a a a"},
        {"<a>.*</a>", "<a>1</a><a>2</a>", "<a>1</a><a>2</a>"},
        {"<a>.*?</a>", "<a>1</a><a>2</a>", "<a>1</a> <a>2</a>"},
        {"<(\\w+)>([\\s\\S]*?)</", "<b>x\ny</b>", "<b>x\ny</(b)(x\ny)"},
        {"(a)|(b)", "ab", "a(a)(-) b(-)(b)"},
        {"(a|ab)(c|bcd)", "abcd", "abcd(a)(bcd)"},
        {"(?<n>剑)客?", "剑客与剑", "剑客(剑) 剑(剑)"},
        {"a{2,3}?", "aaaa", "aa aa"},
        {"(?:x|y)+", "xyz", "xy"},
        {"^b|a$", "bab a", "b a"},
        {"\\bcat\\b", "cat concat cat", "cat cat"},
        {"x(?=\\d)", "x1 xa x2", "x x"},
        {"^[\\s\\S]*?(?=<c>)", "think<c>text<c>", "think"},
        {"a(?=b)|c", "ab ac c", "a c c"},
        {"(a+)(?=(b+))", "aab", "aa(aa)(b)"},
        {"\\p{Han}+", "x剑客y", "剑客"},
        {"(\\d+)[-~](\\d+)", "1-2 30~4", "1-2(1)(2) 30~4(30)(4)"},
    };
    for (const Row& row : kRows) {
        EXPECT_EQ(matches(row.pattern, row.text), row.found) << row.pattern << " in " << row.text;
    }
    EXPECT_EQ(matches("^.", "a\nb", {.multiline = true}), "a b");
    EXPECT_EQ(matches("a.b", "a\nb", {.dot_all = true}), "a\nb");
    EXPECT_EQ(matches("straße|ДОМ", "STRASSE дом", {.ignores_case = true}), "дом");
    EXPECT_EQ(group_number(compiled("(?<n>a)(?<m>b)"), "m"), 2U);
    EXPECT_EQ(group_number(compiled("(?<n>a)(b)"), ""), 0U);
}

TEST(RegexMatch, EmptyMatchesMoveOnByACharacter) {
    EXPECT_EQ(find_all(compiled("x*"), "剑x").size(), 3U);
    EXPECT_EQ(find_all(compiled(""), "剑客").size(), 3U);
    EXPECT_EQ(find_all(compiled("^"), "ab").size(), 1U);
    EXPECT_EQ(find_all(compiled("$"), "ab").size(), 1U);
    EXPECT_EQ(find_all(compiled("a"), "aaa", 1).size(), 1U);
}

TEST(RegexMatch, IsNeverSlow) {
    const std::string text(20'000, 'a');
    for (const std::string_view pattern :
         {"(a+)+$b", "(a|a)*b", "(a*)*b", "a(.*b)?", "(.*)(.*)(.*)b", "(x+x+)+y", "a(?=.*b)"}) {
        (void)find_all(compiled(pattern), text);
    }
}

// proves: A0-3
TEST(RegexMatch, AgreesWithRe2) {
    static const std::vector<std::string> kAtoms = {
        "a", "b", ".", "[ab]", "(a)", "(b|c)", "(?:ab)", "c", "^", "\\b", "(a|)", "(ab|a)", "$"};
    static const std::vector<std::string> kTimes = {"",  "",   "",   "*",  "+",
                                                    "?", "*?", "+?", "??", "{1,2}"};
    tests::Random random(20261117);
    for (int round = 0; round < 3000; ++round) {
        std::string pattern;
        for (std::size_t i = random.below(4) + 1; i > 0; --i) {
            const std::string atom = kAtoms[random.below(kAtoms.size())];
            const bool plain = atom == "^" || atom == "$" || atom == "\\b";
            pattern += atom + (plain ? "" : kTimes[random.below(kTimes.size())]);
            pattern += i > 1 && random.below(6) == 0 ? "|" : "";
        }
        std::string text;
        for (std::size_t i = random.below(8); i > 0; --i) {
            text += "abc \n"[random.below(5)];
        }
        const auto expected = tests::re2_first_match(pattern, text);
        const auto all = find_all(compiled(pattern), text, 1);
        const auto got =
            all.empty() ? std::nullopt : std::optional(std::pair(all[0][0].begin, all[0][0].end));
        EXPECT_EQ(got, expected) << pattern << " in " << text;
    }
}

// Found by regex_fuzz: a broken byte behind a letter was taken for the letter.
TEST(RegexMatch, ABrokenByteIsNotTheLetterBeforeIt) {
    EXPECT_EQ(find_all(compiled("\xEF\xBF\xBD\\B"), "a\x97.").size(), 1U);
    EXPECT_TRUE(find_all(compiled("\xEF\xBF\xBD\\B"),
                         "a\x97"
                         "b")
                    .empty());
    EXPECT_TRUE(compiled("\xEF\xBF\xBD\\B").is_in("a\x97."));
}

}  // namespace
}  // namespace arbiter::text
