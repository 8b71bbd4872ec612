// Goal: a pattern finds what JavaScript's would, says what it does not support, and stays quick on
// patterns that make others slow. Method: tables, limits, and random patterns compared with RE2.
#include "text/regex.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/limits.h"
#include "tests/support/random.h"
#include "tests/support/re2_twin.h"

namespace arbiter::text {
namespace {

bool finds(std::string_view pattern, std::string_view text) {
    const auto regex = Regex::compile(pattern);
    EXPECT_TRUE(regex) << pattern;
    return regex && regex->is_in(text);
}

// proves: A0-3
TEST(Regex, Finds) {
    struct Row {
        std::string_view pattern;
        std::string_view text;
        bool found;
    };
    constexpr Row kRows[] = {
        {"", "", true},
        {"", "abc", true},
        {"b", "abc", true},
        {"^b", "abc", false},
        {"^a.c$", "abc", true},
        {"^a.c$", "a\nc", false},
        {"a.c", "a剑c", true},
        {"^.$", "剑", true},
        {"^..$", "😀x", true},
        {"闲谈|闲聊", "无关闲聊", true},
        {"^(闲谈|闲聊)$", "无关闲聊", false},
        {"^第[0-9]+章", "第12章", true},
        {"^第[一二三四五六七八九十]+章", "第十二章", true},
        {"[\\u4e00-\\u9fa5]{2,3}$", "a中文", true},
        {"^[\\u4e00-\\u9fa5]{2,3}$", "四个汉字", false},
        {"[^a-c]", "abc", false},
        {"[^a-c]", "abcd", true},
        {"[]a]", "a", false},
        {"[a-]", "-", true},
        {"[-a]", "-", true},
        {"[\\]\\\\]", "\\", true},
        {"[\\d_]+$", "ab1_2", true},
        {"[\\D]", "12", false},
        {"\\s", "a　b", true},
        {"\\S", " \t\n", false},
        {"\\bhp\\b", "the hp is", true},
        {"\\bhp\\b", "chp", false},
        {"\\Bhp", "chp", true},
        {"a{2}", "caab", true},
        {"^a{2}$", "aaa", false},
        {"^a{2,}$", "aaaa", true},
        {"^a{0,2}$", "aaa", false},
        {"^a{0}$", "", true},
        {"a{", "a{", true},
        {"a{x}", "a{x}", true},
        {"x*", "", true},
        {"^(a*)*$", "aaab", false},
        {"^(a|)+$", "aaa", true},
        {"^(?:ab)+?c", "ababc", true},
        {"(?<名>a)b", "ab", true},
        {"(?i)HeLLo", "say hello", true},
        {"HeLLo", "say hello", false},
        {"(?i)[^a]", "A", false},
        {"\\x41\\u0042\\u{1F600}\\t", "AB😀\t", true},
        {"a|", "zzz", true},
        {"^(a|b$)", "cb", false},
        {"\\.\\*\\$", "a.*$", true},
        {"$^", "", true},
        {"$^", "a", false},
        {"a$b", "ab", false},
    };
    for (const Row& row : kRows) {
        EXPECT_EQ(finds(row.pattern, row.text), row.found) << row.pattern << " in " << row.text;
    }
}

TEST(Regex, FlagsAndScripts) {
    struct Row {
        std::string_view pattern;
        RegexOptions options;
        std::string_view text;
        bool found;
    };
    constexpr RegexOptions kPlain;
    constexpr RegexOptions kFolds{.ignores_case = true};
    constexpr RegexOptions kLines{.multiline = true};
    constexpr RegexOptions kAll{.dot_all = true};
    constexpr RegexOptions kLenient{.is_lenient = true};
    constexpr RegexOptions kMarked{.begin_mark = U'\x01'};
    const Row rows[] = {
        {"дракон", kFolds, "ДРАКОН", true},
        {"ДРАКОН", kFolds, "дракон", true},
        {"[а-я]+$", kFolds, "ЯЩЕР", true},
        {"ÉŒ", kFolds, "éœ", true},
        {"σ", kFolds, "ς", true},
        {"Σ", kFolds, "ς", true},
        {"[^é]", kFolds, "É", false},
        {"ώÿ", kFolds, "ΏŸ", true},
        {"дракон", kPlain, "ДРАКОН", false},
        {"^two$", kLines, "one\ntwo\nthree", true},
        {"^two$", kPlain, "one\ntwo\nthree", false},
        {"one.two", kAll, "one\ntwo", true},
        {"one.two", kPlain, "one\ntwo", false},
        {"\\p{Han}", kPlain, "a汉", true},
        {"\\p{Script=Han}{2}", kPlain, "a汉b", false},
        {"[\\p{sc=Cyrl}x]+$", kPlain, "жx", true},
        {"\\P{Han}", kPlain, "汉字", false},
        {"[^\\p{Han}]", kPlain, "汉字", false},
        {"\\p{Hiragana}\\p{Katakana}\\p{Hangul}", kPlain, "あア한", true},
        {"\\q\\_", kLenient, "q_", true},
        {"a{2", kLenient, "a{2", true},
        {"a{2,3}", kLenient, "aa", true},
        {"^[\\d-z]+$", kLenient, "1-z", true},
        {"^two", kMarked, "one\n\x01two", true},
        {"^two", kPlain, "one\n\x01two", false},
    };
    for (const Row& row : rows) {
        const auto regex = Regex::compile(row.pattern, row.options);
        ASSERT_TRUE(regex) << row.pattern;
        EXPECT_EQ(regex->is_in(row.text), row.found) << row.pattern << " in " << row.text;
    }
}

TEST(Regex, SaysWhatItCannotRead) {
    using base::ErrorCode;
    const std::pair<std::string_view, ErrorCode> rows[] = {
        {"(a)\\1", ErrorCode::kRegexUnsupported},
        {"\\k<a>", ErrorCode::kRegexUnsupported},
        {"(?=a)b", ErrorCode::kRegexUnsupported},
        {"(?!a)", ErrorCode::kRegexUnsupported},
        {"(?<=a)", ErrorCode::kRegexUnsupported},
        {"(?<!a)", ErrorCode::kRegexUnsupported},
        {"\\p{Lu}", ErrorCode::kRegexUnsupported},
        {"\\p{Age=6}", ErrorCode::kRegexUnsupported},
        {"\\pL", ErrorCode::kRegexUnsupported},
        {"a(?i)b", ErrorCode::kRegexUnsupported},
        {"(", ErrorCode::kRegexSyntax},
        {")", ErrorCode::kRegexSyntax},
        {"[", ErrorCode::kRegexSyntax},
        {"[a", ErrorCode::kRegexSyntax},
        {"[b-a]", ErrorCode::kRegexSyntax},
        {"[\\d-z]", ErrorCode::kRegexSyntax},
        {"*", ErrorCode::kRegexSyntax},
        {"a**", ErrorCode::kRegexSyntax},
        {"{2}", ErrorCode::kRegexSyntax},
        {"a|{2}", ErrorCode::kRegexSyntax},
        {"a{2}{3}", ErrorCode::kRegexSyntax},
        {"a{2,1}", ErrorCode::kRegexSyntax},
        {"a{2", ErrorCode::kRegexSyntax},
        {"\\", ErrorCode::kRegexSyntax},
        {"\\q", ErrorCode::kRegexSyntax},
        {"\\x4", ErrorCode::kRegexSyntax},
        {"\\u{110000}", ErrorCode::kRegexSyntax},
        {"(?<>a)", ErrorCode::kRegexSyntax},
        {"a{1001}", ErrorCode::kRegexTooLarge},
        {"a{9999999999}", ErrorCode::kRegexTooLarge}};
    for (const auto& [pattern, code] : rows) {
        const auto regex = Regex::compile(pattern);
        ASSERT_FALSE(regex) << pattern;
        EXPECT_EQ(regex.error().code, code) << pattern;
        EXPECT_TRUE(regex.error().place) << pattern;
    }
}

TEST(Regex, HasLimits) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '(') + "a" + std::string(depth, ')');
    };
    EXPECT_TRUE(Regex::compile(std::string(base::kRegexBytesMax, 'a')));
    EXPECT_FALSE(Regex::compile(std::string(base::kRegexBytesMax + 1, 'a')));
    EXPECT_TRUE(Regex::compile(nested(base::kRegexDepthMax)));
    EXPECT_FALSE(Regex::compile(nested(base::kRegexDepthMax + 1)));
    EXPECT_TRUE(Regex::compile("a{1000}"));
    EXPECT_FALSE(Regex::compile("(a{1000}){5}"));
    EXPECT_FALSE(Regex::compile("((((((){1000}){1000}){1000}){1000}){1000}){1000}"));
    EXPECT_FALSE(Regex::compile("(((a?){1000}){1000}){1000}"));
}

TEST(Regex, IsNeverSlow) {
    const std::string text(20'000, 'a');
    for (const std::string_view pattern :
         {"^(a+)+$b", "(a|a)*b", "(a*)*b", "(.*)(.*)(.*)(.*)b", "^(a?){50}a{50}b", "(x+x+)+y"}) {
        EXPECT_FALSE(finds(pattern, text)) << pattern;
    }
}

// A random pattern of the whole grammar.
std::string random_set(tests::Random& random) {
    static const std::vector<std::string> kMembers = {
        "a",  "b",     "-",       "a-c", "\\d", "\\D",   "\\w", "\\W", "\\s",
        "剑", "一-鿿", "\\u4e00", "\\]", "^",   "\\x41", ".",   "\\b", "\\S"};
    std::string out = random.chance(40) ? "[^" : "[";
    for (std::size_t i = random.below(4); i > 0; --i) {
        out += random.pick(kMembers);
    }
    return out + "]";
}
std::string random_pattern(tests::Random& random, int depth) {
    static const std::vector<std::string> kAtoms = {
        "a",   "b",   "剑",  ".", "\\d", "\\w", "\\s", "^", "$", "\\b",       "\\B",
        "\\.", "\\W", "\\S", " ", "\\t", "{",   "}",   "]", "",  "\\u{1F600}"};
    static const std::vector<std::string> kCounts = {"*",  "+",  "?",     "{0}",   "{2}",
                                                     "*?", "+?", "{1,2}", "{2,}?", "{0,3}"};
    static const std::vector<std::string> kGroups = {"(", "(?:", "(?<名>"};
    std::string out;
    for (std::size_t i = random.below(4); i > 0; --i) {
        std::string atom;
        if (depth > 0 && random.chance(30)) {
            atom = random.pick(kGroups) + random_pattern(random, depth - 1) + ")";
        } else {
            atom = random.chance(20) ? random_set(random) : random.pick(kAtoms);
        }
        out += atom + (!atom.empty() && random.chance(30) ? random.pick(kCounts) : "");
    }
    return random.chance(25) ? out + "|" + random_pattern(random, 0) : out;
}

// proves: A0-3
TEST(Regex, AgreesWithRe2) {
    const std::vector<std::string> letters = {"a", "b", "A", "1", "_",  " ",  "\n", "\t",
                                              ".", "{", "]", "-", "剑", "一", "　", "😀"};
    std::size_t compared = 0;
    for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
        tests::Random random(seed);
        const std::string pattern = (random.chance(10) ? "(?i)" : "") + random_pattern(random, 2);
        const auto regex = Regex::compile(pattern);
        if (!regex) {
            continue;  // such as [\\d-a]
        }
        for (int i = 0; i < 3; ++i) {
            const bool ascii = random.chance(30);
            std::string text;
            for (std::size_t n = random.below(7); n > 0; --n) {
                text += letters[random.below(ascii ? 12 : letters.size())];
            }
            if (const auto found = tests::re2_finds(pattern, text)) {
                ASSERT_EQ(regex->is_in(text), *found)
                    << pattern << " in " << text << ", seed " << seed;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 40'000U);
}

}  // namespace
}  // namespace arbiter::text
