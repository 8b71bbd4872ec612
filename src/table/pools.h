// The short lists that checks are written as: 力量;白刃 and 力量:2;白刃:2.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace arbiter::table {

struct PoolMember {
    std::string name;
    std::optional<value::Value> dice;  // a number
    friend bool operator==(const PoolMember&, const PoolMember&) = default;
};

struct Pool {
    std::vector<PoolMember> members;
    std::vector<std::string> malformed;  // parts that are no member, as written
    friend bool operator==(const Pool&, const Pool&) = default;
};

// Parts between ; or ； (blanks around them do not count; an empty text, 无 and "none" have no
// parts); a part is a name, or a name, : or ：, and a number.
Pool parse_pool(std::string_view text);
// As the seed writes it. parse_pool(print_pool(pool)) is the pool, where nothing was malformed.
std::string print_pool(const Pool& pool);

}  // namespace arbiter::table
