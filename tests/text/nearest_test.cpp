// Goal: a slip finds the name that was meant; something else finds nothing.
#include "text/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace arbiter::text {
namespace {

TEST(Nearest, FindsWhatWasMeant) {
    const std::vector<std::string_view> names = {"属性", "背包", "声望", "inventory", "health"};
    EXPECT_EQ(nearest("声誉", names), "声望");
    EXPECT_EQ(nearest("inventroy", names), "inventory");
    EXPECT_EQ(nearest("helth", names), "health");
    EXPECT_EQ(nearest("属性", names), "属性");
}

TEST(Nearest, DoesNotGuess) {
    const std::vector<std::string_view> names = {"属性", "inventory"};
    EXPECT_EQ(nearest("dragon", names), std::nullopt);
    EXPECT_EQ(nearest("时间", names), std::nullopt);
    EXPECT_EQ(nearest("", names), std::nullopt);
    EXPECT_EQ(nearest("a", {}), std::nullopt);
    const std::string long_name(100'000, 'x');
    EXPECT_EQ(nearest(long_name, names), std::nullopt);
}

}  // namespace
}  // namespace arbiter::text
