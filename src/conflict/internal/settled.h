// Settled changes of one turn, by character.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conflict/truth.h"

namespace arbiter::conflict::internal {

struct Changes {
    std::vector<std::int64_t> hp;
    std::vector<std::string> places;  // areas that its moves left or reached
    std::vector<std::string> left;
    std::vector<std::pair<std::string, std::int64_t>> items;
    std::vector<std::pair<std::string, std::int64_t>> resources;
    bool is_life_set = false;
    bool is_sheet_changed = false;
};

struct SettledChanges {
    std::vector<Changes> by_character;  // as in Truth::characters
    bool has_rule = false;
    bool has_map = false;
};

SettledChanges settled_changes(const Truth& truth, std::span<const Settled> actions);

// True if `wanted` is a sum of some of the deltas, all of its sign.
bool is_sum_of(const std::vector<std::int64_t>& deltas, std::int64_t wanted);

}  // namespace arbiter::conflict::internal
