#include "table/layout.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "table/random.h"
#include "value/editor.h"
#include "value/preview.h"

namespace arbiter::table {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

std::int64_t Random::between(std::int64_t least, std::int64_t most) noexcept {
    const auto range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
    if (range == 0) {
        return static_cast<std::int64_t>(next());
    }
    // Rejection sampling: values beyond the last whole multiple of `range` would bias the result.
    const std::uint64_t rest = (UINT64_MAX % range + 1) % range;
    std::uint64_t drawn = next();
    while (drawn > UINT64_MAX - rest) {
        drawn = next();
    }
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + drawn % range);
}

Random seeded(const Value& document) noexcept {
    const Value* campaign = find_in_campaign(document, {});
    const auto seed = static_cast<std::uint64_t>(int_in(campaign, "seed").value_or(0));
    Random mixed(seed);
    return Random(mixed.next() ^
                  (static_cast<std::uint64_t>(turn_number(document)) + 1) * 0xD1342543DE82EF95ULL);
}

Path campaign_path(std::initializer_list<value::Segment> below) {
    Path path;
    path.reserve(below.size() + 1);
    path.emplace_back(kCampaignKey);
    path.insert(path.end(), below.begin(), below.end());
    return path;
}

const Value* find_in_campaign(const Value& document,
                              std::initializer_list<std::string_view> names) noexcept {
    const Value* at = value::find_member(&document, kCampaignKey);
    for (const std::string_view name : names) {
        at = value::find_member(at, name);
    }
    return at;
}

bool has_campaign(const Value& document) noexcept {
    const Value* campaign = find_in_campaign(document, {});
    return campaign != nullptr && campaign->is_object();
}

std::string_view text_in(const Value* container, std::string_view key) noexcept {
    const Value* found = value::find_member(container, key);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

std::optional<std::int64_t> int_in(const Value* container, std::string_view key) noexcept {
    const Value* found = value::find_member(container, key);
    return found != nullptr && found->is_int() ? std::optional(found->as_int()) : std::nullopt;
}

const Object& object_or_empty(const Value* value) noexcept {
    static const Object kEmpty;
    return value != nullptr && value->is_object() ? value->as_object() : kEmpty;
}

const Array& array_or_empty(const Value* value) noexcept {
    static const Array kEmpty;
    return value != nullptr && value->is_array() ? value->as_array() : kEmpty;
}

bool holds_text(const Array& list, std::string_view text) noexcept {
    return std::ranges::any_of(
        list, [&](const Value& item) { return item.is_string() && item.as_string() == text; });
}

std::int64_t turn_number(const Value& document) noexcept {
    return int_in(find_in_campaign(document, {}), "turn").value_or(0);
}

bool is_bookkeeping(const value::Path& path) noexcept {
    if (path.size() < 2 || path[0] != value::Segment(kCampaignKey)) {
        return false;
    }
    constexpr std::string_view kWhole[] = {"turn", "updated_at", "milestone", "rolls"};
    constexpr std::pair<std::string_view, std::string_view> kParts[] = {
        {"tools", "repeats"},
        {"summary", "version"},
        {"summary", "covers"},
        {"settings", "revision"},
        {"dialog", "dialog_type_selected"}};
    const auto is = [&](std::size_t i, std::string_view name) {
        return i < path.size() && path[i] == value::Segment(name);
    };
    return std::ranges::any_of(kWhole, [&](std::string_view name) { return is(1, name); }) ||
           std::ranges::any_of(
               kParts, [&](const auto& part) { return is(1, part.first) && is(2, part.second); });
}

std::string turn_name(std::int64_t number) {
    std::string digits = std::to_string(number);
    if (digits.size() < 4) {
        digits.insert(0, 4 - digits.size(), '0');
    }
    return "turn_" + digits;
}

const Value* find_character(const Value& document, std::string_view id) noexcept {
    return find_in_campaign(document, {"characters", id});
}

const Value* find_area(const Value& document, std::string_view id) noexcept {
    return find_in_campaign(document, {"areas", id});
}

std::string_view active_actor(const Value& document) noexcept {
    return text_in(find_in_campaign(document, {"selected"}), "active_actor_id");
}

const Array& party(const Value& document) noexcept {
    return array_or_empty(find_in_campaign(document, {"selected", "party_character_ids"}));
}

// ---- characters

std::string_view plain_state(std::string_view state) noexcept {
    return state == "dying" ? alive::kDowned : state;
}

std::string_view alive_state(const Value* character) noexcept {
    const Value* state = value::find_member(value::find_member(character, "status"), "alive_state");
    if (state == nullptr) {
        return alive::kAlive;
    }
    // A value that is not a string is an unknown state.
    return state->is_string() ? plain_state(state->as_string()) : std::string_view();
}

bool may_act(const Value* character) noexcept {
    return character != nullptr && alive_state(character) == alive::kAlive;
}

std::optional<Hp> hp_of(const Value* character) noexcept {
    const Value* hp = value::find_member(character, "hp");
    const auto current = int_in(hp, "current");
    const auto max = int_in(hp, "max");
    return current && max ? std::optional(Hp{*current, *max}) : std::nullopt;
}

namespace {

std::unexpected<base::Error> bad(std::string_view key, std::string_view needs, const Value& found) {
    return base::fail(ErrorCode::kBadField, {std::string(key), std::string(needs),
                                             value::preview(found, base::kDetailBytesMax)});
}

base::Result<> take_text(const Object& card, std::string_view key, std::string& into) {
    const Value* found = card.find(key);
    if (found == nullptr || found->is_null()) {
        return {};
    }
    if (!found->is_string()) {
        return bad(key, "text", *found);
    }
    into = found->as_string();
    return {};
}

base::Result<> take_skills(const Object& card, std::vector<Skill>& into) {
    const Value* skills = card.find("skills");
    if (skills == nullptr) {
        return {};
    }
    if (!skills->is_array()) {
        return bad("skills", "[{name, level?}]", *skills);
    }
    for (const Value& each : skills->as_array()) {
        const Value* level = value::find_member(&each, "level");
        if (text_in(&each, "name").empty() || (level != nullptr && !level->is_int())) {
            return bad("skills", "[{name, level?}]", each);
        }
        into.push_back({std::string(text_in(&each, "name")), int_in(&each, "level")});
    }
    return {};
}

base::Result<> take_status(const Object& card, Character& into) {
    const Value* status = card.find("status");
    if (status == nullptr) {
        return {};
    }
    if (!status->is_object()) {
        return bad("status", "{alive_state, flags?}", *status);
    }
    if (const Value* state = status->as_object().find("alive_state")) {
        if (!state->is_string() || state->as_string().empty()) {
            return bad("status.alive_state", "text", *state);
        }
        into.alive_state = state->as_string();
    }
    if (const Value* flags = status->as_object().find("flags")) {
        if (!flags->is_array()) {
            return bad("status.flags", "[text]", *flags);
        }
        for (const Value& flag : flags->as_array()) {
            if (!flag.is_string()) {
                return bad("status.flags", "[text]", flag);
            }
            into.flags.emplace_back(flag.as_string());
        }
    }
    return {};
}

base::Result<> take_hp(const Object& card, Hp& into) {
    const Value* hp = card.find("hp");
    if (hp == nullptr) {
        return base::fail(ErrorCode::kMissingKey, {"hp"});
    }
    const auto max = int_in(hp, "max");
    const auto current = value::find_member(hp, "current") != nullptr ? int_in(hp, "current") : max;
    if (!max || !current || *max < 0 || *max > base::kToolNumberMax || *current < 0 ||
        *current > *max) {
        return bad("hp", "{current, max}, 0 <= current <= max", *hp);
    }
    into = {*current, *max};
    return {};
}

constexpr std::array<std::string_view, 12> kCardKeys = {
    "character_id", "name",   "title",      "background", "job",     "race",
    "hp",           "skills", "attributes", "status",     "area_id", "items"};

}  // namespace

namespace {

base::Result<Character> read_card(std::string_view id, const Value& written) {
    if (!written.is_object()) {
        return bad("", "{name, hp, …}", written);
    }
    const Object& card = written.as_object();
    Character made;
    made.character_id = id;
    for (const auto& [key, into] : {std::pair<std::string_view, std::string*>{"name", &made.name},
                                    {"title", &made.title},
                                    {"background", &made.background},
                                    {"job", &made.job},
                                    {"race", &made.race},
                                    {"area_id", &made.area_id}}) {
        if (auto taken = take_text(card, key, *into); !taken) {
            return std::unexpected(std::move(taken.error()));
        }
    }
    if (made.name.empty()) {
        return base::fail(ErrorCode::kMissingKey, {"name"});
    }
    for (auto taken :
         {take_hp(card, made.hp), take_skills(card, made.skills), take_status(card, made)}) {
        if (!taken) {
            return std::unexpected(std::move(taken.error()));
        }
    }
    for (const auto& [key, into] :
         {std::pair<std::string_view, Object*>{"attributes", &made.attributes},
          {"items", &made.items}}) {
        const Value* found = card.find(key);
        if (found != nullptr && !found->is_object()) {
            return bad(key, "{…}", *found);
        }
        *into = object_or_empty(found);
    }
    for (const auto& [key, member] : card) {
        if (std::ranges::find(kCardKeys, key.view()) == kCardKeys.end()) {
            made.extra = std::move(made.extra).set(key, member);
        }
    }
    return made;
}

}  // namespace

base::Result<Character> character_from(std::string_view id, const Value& written) {
    auto made = read_card(id, written);
    if (!made && !made.error().arguments.empty()) {
        // characters.hero.hp: whose card is wrong
        std::string& key = made.error().arguments[0];
        key = "characters." + std::string(id) + (key.empty() ? "" : "." + key);
    }
    return made;
}

Value to_value(const Character& character) {
    const auto text = [](const std::string& of) { return Value(std::string_view(of)); };
    Array skills;
    for (const Skill& skill : character.skills) {
        Object row = {{"name", text(skill.name)}};
        if (skill.level) {
            row = std::move(row).set("level", *skill.level);
        }
        skills = std::move(skills).push_back(std::move(row));
    }
    Object status = {{"alive_state", text(character.alive_state)}};
    if (!character.flags.empty()) {
        Array flags;
        for (const std::string& flag : character.flags) {
            flags = std::move(flags).push_back(text(flag));
        }
        status = std::move(status).set("flags", std::move(flags));
    }
    Object card = {{"character_id", text(character.character_id)},
                   {"name", text(character.name)},
                   {"title", text(character.title)},
                   {"background", text(character.background)},
                   {"job", text(character.job)},
                   {"race", text(character.race)},
                   {"hp", Object{{"current", character.hp.current}, {"max", character.hp.max}}},
                   {"skills", std::move(skills)},
                   {"attributes", character.attributes},
                   {"status", std::move(status)},
                   {"area_id", text(character.area_id)},
                   {"items", character.items}};
    for (const auto& [key, member] : character.extra) {
        card = std::move(card).set(key, member);
    }
    return card;
}

}  // namespace arbiter::table
