// Truth: the part of a state that a narration is compared with.
//
// truth_of() reads the campaign document of table/layout.h, and the plain form of a test case:
//   {characters: [{character_id, name, title, job, race, hp, status, area_id, attributes, skills,
//                  inventory?, resources?}], areas: [{area_id, name, connects}], rules: […],
//    active_actor_id}
// Reading is total: a missing value is empty. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "value/value.h"

namespace arbiter::conflict {

struct Amount {
    std::int64_t current = 0;
    std::optional<std::int64_t> max;
};

struct Skill {
    std::string name;
    std::optional<std::int64_t> level;
};

struct Character {
    std::string id;
    std::string name;
    std::string title;
    std::string job;
    std::string race;
    std::string alive_state;  // default: alive
    std::string area_id;
    std::optional<Amount> hp;
    std::vector<std::pair<std::string, value::Value>> attributes;
    std::vector<Skill> skills;
    bool has_inventory = false;
    std::vector<std::pair<std::string, std::int64_t>> inventory;  // name → count
    std::vector<std::pair<std::string, Amount>> resources;
};

struct Area {
    std::string id;
    std::string name;
    std::vector<std::string> connects;  // ids
};

struct Truth {
    std::vector<Character> characters;
    std::vector<Area> areas;
    std::vector<std::string> rules;
    std::string active_actor;

    [[nodiscard]] const Area* area(std::string_view id) const noexcept;
};

Truth truth_of(const value::Value& state);

// A settled action: its tool, and the arguments or the result that say whom it changed and how.
struct Settled {
    std::string tool;
    value::Value args;
};

}  // namespace arbiter::conflict
