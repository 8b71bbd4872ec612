// Layout: the paths of a campaign's data in the document.
//
//   campaign.id title created_at updated_at seed turn
//   campaign.world.{id,name,background}   campaign.rules.*
//   campaign.selected.{world_id,map_id,party_character_ids,active_actor_id}
//   campaign.goal.{ultimate_goal_text,is_hidden}
//   campaign.milestone.{value,last_advanced_at_turn,advance_policy,tokens,summary_version}
//   campaign.settings.{revision,values}   campaign.dialog.{dialog_type_selected,…}
//   campaign.characters.<id>   campaign.areas.<id>   campaign.paths.<id>
//   campaign.tools.{allow,disabled,repeats}   campaign.authority   campaign.rolls
//   campaign.summary.{entries,facts_json,version,covers} (table/summary.h)   campaign.state_refs
//   campaign.checkpoints   campaign.rollback_pending   campaign.ended
//
// This module owns all of these paths. Documents are untrusted, so reading is total: a missing
// value or one of the wrong type reads as empty. Pure functions, safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "value/array.h"
#include "value/described.h"
#include "value/object.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::table {

inline constexpr std::string_view kCampaignKey = value::kUndescribedRoot;
// The member of the metadata with the settings of a campaign without a table.
inline constexpr std::string_view kSettingsKey = "settings";

// campaign.a.b …
value::Path campaign_path(std::initializer_list<value::Segment> below);
// The value below `campaign`, or nullptr.
const value::Value* find_in_campaign(const value::Value& document,
                                     std::initializer_list<std::string_view> names) noexcept;
bool has_campaign(const value::Value& document) noexcept;

// Typed access. Returns empty (or nullopt) if the value is missing or has another type.
std::string_view text_in(const value::Value* container, std::string_view key) noexcept;
std::optional<std::int64_t> int_in(const value::Value* container, std::string_view key) noexcept;
const value::Object& object_or_empty(const value::Value* value) noexcept;
const value::Array& array_or_empty(const value::Value* value) noexcept;
bool holds_text(const value::Array& list, std::string_view text) noexcept;

// The number of committed turns.
std::int64_t turn_number(const value::Value& document) noexcept;
// True for the places that the table writes by itself in every turn and that tell a reader nothing:
// counters, times, and results that the turn shows in words.
bool is_bookkeeping(const value::Path& path) noexcept;
// turn_0001
std::string turn_name(std::int64_t number);

const value::Value* find_character(const value::Value& document, std::string_view id) noexcept;
const value::Value* find_area(const value::Value& document, std::string_view id) noexcept;
std::string_view active_actor(const value::Value& document) noexcept;
const value::Array& party(const value::Value& document) noexcept;

// ---- characters

namespace alive {
inline constexpr std::string_view kAlive = "alive";
inline constexpr std::string_view kDowned = "downed";
inline constexpr std::string_view kUnconscious = "unconscious";
inline constexpr std::string_view kRestrained = "restrained_permanent";
inline constexpr std::string_view kDead = "dead";
}  // namespace alive
// Resolves an alias (dying) to its state name; other names are returned unchanged.
std::string_view plain_state(std::string_view state) noexcept;
// The state of a character. Default: alive.
std::string_view alive_state(const value::Value* character) noexcept;
// True only if the character is alive. A character in an unknown state cannot act.
bool may_act(const value::Value* character) noexcept;

struct Hp {
    std::int64_t current = 0;
    std::int64_t max = 0;
};
std::optional<Hp> hp_of(const value::Value* character) noexcept;

struct Skill {
    std::string name;
    std::optional<std::int64_t> level;
    friend bool operator==(const Skill&, const Skill&) = default;
};

// A character card. `extra` preserves unknown fields.
struct Character {
    std::string character_id;
    std::string name;
    std::string title;
    std::string background;
    std::string job;
    std::string race;
    Hp hp;
    std::vector<Skill> skills;
    value::Object attributes;
    std::string alive_state{alive::kAlive};
    std::vector<std::string> flags;
    std::string area_id;
    value::Object items;  // id → {name, count}
    value::Object extra;
};
// Parses a card. Fails with kBadField or kMissingKey on an invalid one, for example hp outside its
// range or a text of another type. An unknown alive_state is preserved.
base::Result<Character> character_from(std::string_view id, const value::Value& written);
value::Value to_value(const Character& character);

}  // namespace arbiter::table
