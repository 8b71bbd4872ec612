// Goal: versions are ordered as semantic versioning says, and a pin takes what its words say and
// nothing else. proves: S4-51
#include "protocol/version.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace arbiter::protocol {
namespace {

TEST(Versions, AreReadAndPrinted) {
    EXPECT_EQ(print(parse_version("1.2.3").value()), "1.2.3");
    EXPECT_EQ(print(parse_version("v2.4").value()), "2.4.0");
    EXPECT_EQ(print(parse_version(" 1 ").value()), "1.0.0");
    EXPECT_EQ(print(parse_version("1.0.0-beta.2+build.7").value()), "1.0.0-beta.2");
    EXPECT_EQ(print(parse_version("1.0.0-x").value()), "1.0.0-x");
    for (const char* wrong :
         {"", "v", "1.", ".1", "1..2", "1.2.3.4", "01.2.3", "1.x", "x", "*", "a.b.c", "1.2.3-",
          "1.2.3-a..b", "1.2.3-01", "1.2-beta", "-1", "99999999999", "1.2.3-é"}) {
        EXPECT_FALSE(parse_version(wrong)) << wrong;
    }
}

TEST(Versions, AreOrdered) {
    const std::vector<std::string> ascending = {
        "0.0.1",      "0.1.0",       "1.0.0-1",       "1.0.0-2",
        "1.0.0-11",   "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
        "1.0.0-beta", "1.0.0-rc.1",  "1.0.0",         "1.0.1",
        "1.2.0",      "1.10.0",      "2.0.0"};
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            const auto a = parse_version(ascending[i]).value();
            const auto b = parse_version(ascending[j]).value();
            EXPECT_EQ(a <=> b, i <=> j) << ascending[i] << ' ' << ascending[j];
        }
    }
}

TEST(Versions, PinsTakeWhatTheySay) {
    const std::vector<std::string> all = {"0.1.0", "0.1.5", "0.2.0",      "1.0.0", "1.2.0",
                                          "1.2.9", "1.3.0", "2.0.0-beta", "2.0.0", "3.1.0"};
    const auto allowed = [&](const char* text) {
        const auto pin = Pin::parse(text);
        std::string out = pin ? "" : "?";
        for (const std::string& each : all) {
            if (pin && pin->allows(parse_version(each).value())) {
                out += (out.empty() ? "" : " ") + each;
            }
        }
        return out;
    };
    EXPECT_EQ(allowed("1.2.0"), "1.2.0");
    EXPECT_EQ(allowed("=1.2.9"), "1.2.9");
    EXPECT_EQ(allowed("1"), "1.0.0 1.2.0 1.2.9 1.3.0");
    EXPECT_EQ(allowed("1.2"), "1.2.0 1.2.9");
    EXPECT_EQ(allowed("1.2.x"), "1.2.0 1.2.9");
    EXPECT_EQ(allowed("^1.2"), "1.2.0 1.2.9 1.3.0");
    EXPECT_EQ(allowed("^1"), "1.0.0 1.2.0 1.2.9 1.3.0");
    EXPECT_EQ(allowed("^0.1"), "0.1.0 0.1.5");
    EXPECT_EQ(allowed("^0"), "0.1.0 0.1.5 0.2.0");
    EXPECT_EQ(allowed("~1.2"), "1.2.0 1.2.9");
    EXPECT_EQ(allowed("~1.2.5"), "1.2.9");
    EXPECT_EQ(allowed(">=1.3"), "1.3.0 2.0.0 3.1.0");
    EXPECT_EQ(allowed(">1.2"), "1.3.0 2.0.0 3.1.0");
    EXPECT_EQ(allowed("<1"), "0.1.0 0.1.5 0.2.0");
    EXPECT_EQ(allowed("<=1.2"), "0.1.0 0.1.5 0.2.0 1.0.0 1.2.0 1.2.9");
    EXPECT_EQ(allowed("2.0.0-beta"), "2.0.0-beta");
    EXPECT_EQ(allowed("^2.0.0-alpha"), "2.0.0-beta 2.0.0");
    for (const char* any : {"*", "latest", ""}) {
        EXPECT_TRUE(Pin::parse(any)->is_any()) << any;
        EXPECT_TRUE(Pin::parse(any)->allows(parse_version("9.9.9").value()));
    }
    for (const char* wrong : {"^", ">=", "^x", "one", "1.2.3.4", "^^1", "1 || 2", "^1 ^2"}) {
        EXPECT_EQ(allowed(wrong), "?") << wrong;
    }
}

TEST(Versions, References) {
    EXPECT_EQ(print(parse_reference(" love_system ").value()), "love_system");
    EXPECT_EQ(print(parse_reference("love@^1").value()), "love@^1");
    EXPECT_EQ(print(parse_reference("恋爱系统@1.0.0").value()), "恋爱系统@1.0.0");
    for (const char* wrong : {"", "@1", "a@", "a b", "../a", "a/b", "a@one", "a\nb", "-a", ".a",
                              "<a>", "a\u200bb", "a\u3000b", "a@1@2", "\xff"}) {
        EXPECT_FALSE(parse_reference(wrong)) << wrong;
    }
    EXPECT_TRUE(is_id(std::string(100, 'a')));
    EXPECT_FALSE(is_id(std::string(101, 'a')));
}

}  // namespace
}  // namespace arbiter::protocol
