// Goal: every error can be explained in both languages, and its machine name never clashes.
// proves: X-17
#include "base/messages.h"

#include <gtest/gtest.h>

#include <set>

#include "base/phrases.h"
#include "tests/support/languages.h"

namespace arbiter::base {
namespace {

TEST(Messages, EveryCodeHasATextInBothLanguages) {
    std::set<std::string_view> names;
    std::size_t index = 0;
    for (const Message& message : messages()) {
        EXPECT_EQ(static_cast<std::size_t>(message.code), index++);
        EXPECT_FALSE(message.english.empty()) << message.name;
        EXPECT_FALSE(message.chinese.empty()) << message.name;
        EXPECT_NE(message.english, message.chinese) << message.name;
        EXPECT_TRUE(names.insert(message.name).second) << message.name;
        // Both languages speak of the same things.
        for (const std::string_view slot : {"{0}", "{1}", "{2}"}) {
            EXPECT_EQ(message.english.contains(slot), message.chinese.contains(slot))
                << message.name << ' ' << slot;
        }
    }
    EXPECT_EQ(index, static_cast<std::size_t>(ErrorCode::kCount));
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        out += word + ' ';
    }
    return out;
}

// proves: X-17
TEST(Messages, NoTextMixesTheLanguages) {
    for (const Message& message : messages()) {
        EXPECT_EQ(joined(tests::english_words(message.chinese)), "") << message.chinese;
        EXPECT_EQ(tests::chinese_characters(std::string(message.english)), "") << message.english;
    }
    for (const Phrase& phrase : phrases()) {
        EXPECT_EQ(joined(tests::english_words(phrase.chinese)), "") << phrase.chinese;
        EXPECT_EQ(tests::chinese_characters(std::string(phrase.english)), "") << phrase.english;
    }
    EXPECT_EQ(joined(tests::english_words("选项 ttl 需要a number above 0。")), "number above ");
    EXPECT_EQ(tests::chinese_characters("It needs a number (正数)."), "正数");
}

TEST(Messages, PhrasesAndKindsAreTranslatedWhereTheyAreArguments) {
    const Error error(ErrorCode::kBadField, {"text", "a list of texts", "number"});
    EXPECT_EQ(explain(error, Language::kEnglish), "text takes a list of texts, not a number.");
    EXPECT_EQ(explain(error, Language::kChinese), "text 应为文字列表，而不是数字。");
    const Error word(ErrorCode::kBadField, {"hp", "{current, max}", "array"});
    EXPECT_EQ(explain(word, Language::kChinese), "hp 应为 {current, max}，而不是列表。");
    EXPECT_EQ(kinds_in_words("number / object / array", Language::kEnglish),
              "a number, an object or a list");
    EXPECT_EQ(kinds_in_words("number / object / array", Language::kChinese), "数字、对象或列表");
    EXPECT_EQ(kinds_in_words("a smaller number", Language::kChinese), "更小的数字");
}

TEST(Messages, PhrasesAndQuotationsAreJoined) {
    const Error error(ErrorCode::kModelUnreachable,
                      {"the connection failed: 127.0.0.1:9: Connection refused"});
    EXPECT_EQ(
        explain(error, Language::kEnglish),
        "The model cannot be reached: the connection failed: 127.0.0.1:9: Connection refused. "
        "Check its address, and that it is running.");
    EXPECT_EQ(explain(error, Language::kChinese),
              "无法连接模型：连接失败：127.0.0.1:9：对方拒绝连接。请检查地址，并确认它正在运行。");
    const Error quoted(ErrorCode::kModelRefused, {"HTTP 400: a: b"});
    EXPECT_EQ(explain(quoted, Language::kChinese),
              "模型拒绝回答：HTTP 400: a: b。请换一种说法，或换一个模型。");
}

TEST(Messages, ArgumentsStandWhereTheyBelong) {
    const Error error(ErrorCode::kTextTooLong, {"12", "10"});
    EXPECT_EQ(explain(error, Language::kEnglish), "The text has 12 bytes; the limit is 10.");
    EXPECT_EQ(explain(error, Language::kChinese), "文本有 12 字节，上限是 10。");
    EXPECT_EQ(explain(Place{9, 3, 7}, Language::kEnglish), "line 3, column 7");
    EXPECT_EQ(explain(Place{9, 3, 7}, Language::kChinese), "第 3 行第 7 列");
}

TEST(Messages, AMissingArgumentIsNoCrash) {
    EXPECT_EQ(format_message("{0} and {1} {", std::vector<std::string>{"a"}), "a and {1} {");
    EXPECT_EQ(format_message("{x} {9}", {}), "{x} {9}");
}

}  // namespace
}  // namespace arbiter::base
