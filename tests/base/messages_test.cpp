// Goal: every error can be explained in both languages, and its machine name never clashes.
// proves: X-17
#include "base/messages.h"

#include <gtest/gtest.h>

#include <set>

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
