#include "conflict/internal/quantity_words.h"

#include <algorithm>
#include <array>

namespace arbiter::conflict::internal {

bool is_other_unit(std::string_view text) {
    static constexpr auto kUnits = std::to_array<std::string_view>(
        {"秒", "分钟", "小时", "天", "米", "步", "岁", "年", "次", "人", "名", "回合", "层", "号"});
    return std::ranges::any_of(kUnits,
                               [&](std::string_view unit) { return text.starts_with(unit); });
}

bool is_clear_change(std::string_view text) {
    static constexpr auto kWords = std::to_array<std::string_view>(
        {"掉了", "掉",     "损失",   "损失了",  "失去了",   "流失",    "流失了",
         "下降", "下降了", "骤减",   "锐减",    "暴跌",     "减少了",  "直掉",
         "狂掉", "恢复",   "恢复了", "回升",    "回升了",   "回复了",  "上升",
         "lose", "loses",  "lost",   "regains", "regained", "recovers"});
    return std::ranges::find(kWords, text) != kWords.end();
}

}  // namespace arbiter::conflict::internal
