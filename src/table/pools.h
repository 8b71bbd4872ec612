// Pools: the list notation of checks, such as 力量;白刃 and 力量:2;白刃:2. Pure functions.
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
    std::vector<std::string> malformed;  // invalid parts, as written
    friend bool operator==(const Pool&, const Pool&) = default;
};

// Parses parts separated by ; or ；. A part is a name, optionally followed by : or ： and a number.
// Ignores blanks around parts. An empty text, 无 and "none" are the empty pool.
Pool parse_pool(std::string_view text);
// Prints in the seed's notation. parse_pool(print_pool(pool)) == pool if nothing is malformed.
std::string print_pool(const Pool& pool);

}  // namespace arbiter::table
