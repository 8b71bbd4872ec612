// Goal: a lazy value cannot be told from one that is always there.
#include "base/lazy.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace arbiter::base {
namespace {

TEST(Lazy, ReadsAsADefaultUntilItIsChanged) {
    Lazy<std::string> lazy;
    EXPECT_EQ(*lazy, "");
    EXPECT_TRUE(lazy->empty());
    lazy.change() += "rain";
    EXPECT_EQ(*lazy, "rain");
    EXPECT_EQ(*Lazy<std::string>(), "") << "the default is not shared with what was changed";
}

TEST(Lazy, IsNotMadeForADefaultValue) {
    Lazy<std::string> lazy;
    lazy.set("");
    EXPECT_EQ(&*lazy, &*Lazy<std::string>());
    lazy.set("rain");
    EXPECT_EQ(*lazy, "rain");
    lazy.set("");
    EXPECT_EQ(*lazy, "");
}

TEST(Lazy, TakesItsValueAlongAndCanBeginAgain) {
    Lazy<std::string> lazy;
    lazy.change() = "rain";
    Lazy<std::string> moved = std::move(lazy);
    EXPECT_EQ(*moved, "rain");
    moved = {};
    EXPECT_EQ(*moved, "");
}

}  // namespace
}  // namespace arbiter::base
