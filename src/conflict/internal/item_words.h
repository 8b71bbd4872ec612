// Words that decide what a clause says of things and money. Pure.
#pragma once

#include <string_view>

namespace arbiter::conflict::internal {

// A gain that has no other use; not 拿到 or "picks up".
bool is_clear_gain(std::string_view text);
// 枚, 张, 发: counts a thing that need not be named again.
bool is_classifier(std::string_view text);
// The name of an item that is money.
bool is_money_name(std::string_view name);
// 皮夹里, "your balance": a place where only money is.
bool names_purse(std::string_view text);

}  // namespace arbiter::conflict::internal
