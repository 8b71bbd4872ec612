// Words that decide whether a number beside a quantity counts it. Pure.
#pragma once

#include <string_view>

namespace arbiter::conflict::internal {

// 三秒, 三次: the number counts something else.
bool is_other_unit(std::string_view text);
// A change without a number that has no other use; not 带走 or "takes".
bool is_clear_change(std::string_view text);

}  // namespace arbiter::conflict::internal
