// Goal: a pattern finds what JavaScript's would, says what it does not support, and stays quick on
// patterns that make others slow. Method: tables, limits, and a twin that goes back.
#include "text/regex.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/limits.h"
#include "tests/support/random.h"

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

TEST(Regex, SaysWhatItCannotRead) {
    using base::ErrorCode;
    const std::pair<std::string_view, ErrorCode> rows[] = {
        {"(a)\\1", ErrorCode::kRegexUnsupported},
        {"\\k<a>", ErrorCode::kRegexUnsupported},
        {"(?=a)", ErrorCode::kRegexUnsupported},
        {"(?!a)", ErrorCode::kRegexUnsupported},
        {"(?<=a)", ErrorCode::kRegexUnsupported},
        {"(?<!a)", ErrorCode::kRegexUnsupported},
        {"\\p{Han}", ErrorCode::kRegexUnsupported},
        {"a(?i)b", ErrorCode::kRegexUnsupported},
        {"(", ErrorCode::kRegexSyntax},
        {")", ErrorCode::kRegexSyntax},
        {"[", ErrorCode::kRegexSyntax},
        {"[a", ErrorCode::kRegexSyntax},
        {"[b-a]", ErrorCode::kRegexSyntax},
        {"[\\d-z]", ErrorCode::kRegexSyntax},
        {"*", ErrorCode::kRegexSyntax},
        {"a**", ErrorCode::kRegexSyntax},
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
    EXPECT_FALSE(Regex::compile("(a{1000}){3}"));
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

// The twin: goes back, for patterns of a, b, ., |, *, ? and groups.
class Twin {
  public:
    Twin(std::string_view pattern, std::string_view text) : pattern_(pattern), text_(text) {}
    bool finds() {
        for (std::size_t at = 0; at <= text_.size(); ++at) {
            if (choice(0, pattern_.size(), at, [](std::size_t) { return true; })) {
                return true;
            }
        }
        return false;
    }

  private:
    using Next = std::function<bool(std::size_t)>;
    std::size_t close(std::size_t open) const {
        std::size_t depth = 0;
        for (std::size_t i = open;; ++i) {
            depth += pattern_[i] == '(' ? 1U : 0U;
            if (pattern_[i] == ')' && --depth == 0) {
                return i;
            }
        }
    }
    bool choice(std::size_t from, std::size_t to, std::size_t at, const Next& next) {
        std::size_t begin = from;
        for (std::size_t i = from; i <= to; ++i) {
            if (i < to && pattern_[i] == '(') {
                i = close(i);
            } else if (i == to || pattern_[i] == '|') {
                if (sequence(begin, i, at, next)) {
                    return true;
                }
                begin = i + 1;
            }
        }
        return false;
    }
    bool sequence(std::size_t from, std::size_t to, std::size_t at, const Next& next) {
        if (from == to) {
            return next(at);
        }
        const bool group = pattern_[from] == '(';
        const std::size_t end = group ? close(from) + 1 : from + 1;
        const char mark = end < to ? pattern_[end] : ' ';
        const bool repeats = mark == '*' || mark == '?';
        const std::size_t rest = end + (repeats ? 1 : 0);
        const auto atom = [&](std::size_t place, const Next& then) {
            if (group) {
                return choice(from + 1, end - 1, place, then);
            }
            return place < text_.size() &&
                   (pattern_[from] == '.' || pattern_[from] == text_[place]) && then(place + 1);
        };
        const Next after = [&](std::size_t place) { return sequence(rest, to, place, next); };
        if (!repeats) {
            return atom(at, after);
        }
        if (mark == '?') {
            return atom(at, after) || after(at);
        }
        const std::function<bool(std::size_t)> loop = [&](std::size_t place) -> bool {
            return atom(place, [&](std::size_t then) { return then > place && loop(then); }) ||
                   after(place);
        };
        return loop(at);
    }
    std::string_view pattern_;
    std::string_view text_;
};

std::string some_pattern(tests::Random& random, int depth) {
    std::string out;
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
        if (depth > 0 && random.chance(30)) {
            out += "(" + some_pattern(random, depth - 1) + ")";
        } else {
            out += random.chance(20) ? "." : random.chance(50) ? "a" : "b";
        }
        out += random.chance(20) ? "*" : random.chance(15) ? "?" : "";
    }
    return random.chance(30) ? out + "|" + some_pattern(random, 0) : out;
}

TEST(Regex, AgreesWithItsTwin) {
    for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
        tests::Random random(seed);
        const std::string pattern = some_pattern(random, 2);
        std::string text;
        for (std::size_t i = random.below(7); i > 0; --i) {
            text += random.chance(50) ? 'a' : 'b';
        }
        ASSERT_EQ(finds(pattern, text), Twin(pattern, text).finds()) << pattern << " in " << text;
    }
}

}  // namespace
}  // namespace arbiter::text
