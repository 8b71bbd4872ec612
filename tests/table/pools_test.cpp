// Goal: the short lists of checks are read and written without loss, and what is no member is said.
// proves: S2-27, S2-28
#include "table/pools.h"

#include <gtest/gtest.h>

namespace arbiter::table {
namespace {

TEST(Pools, ThereAndBack) {
    for (const char* text : {"力量;白刃", "力量:2;白刃:2", "a", "a:-1;b:2.5"}) {
        EXPECT_EQ(print_pool(parse_pool(text)), text);
        EXPECT_TRUE(parse_pool(text).malformed.empty()) << text;
    }
    EXPECT_EQ(print_pool(parse_pool(" 力量 ：2 ；白刃;; ")), "力量:2;白刃");
    for (const char* nothing : {"", "无", "none", " ; "}) {
        EXPECT_EQ(parse_pool(nothing), Pool()) << nothing;
    }
}

TEST(Pools, WhatIsNoMember) {
    const Pool pool = parse_pool("力量:很多;:3;白刃:2");
    EXPECT_EQ(pool.malformed, (std::vector<std::string>{"力量:很多", ":3"}));
    ASSERT_EQ(pool.members.size(), 1U);
    EXPECT_EQ(pool.members[0].name, "白刃");
}

}  // namespace
}  // namespace arbiter::table
