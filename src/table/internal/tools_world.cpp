#include "table/internal/tools_world.h"

#include <algorithm>
#include <array>

#include "table/internal/subjects.h"
#include "table/internal/write.h"
#include "table/map.h"
#include "table/settings.h"
#include "value/array.h"

namespace arbiter::table::internal {

using value::Array;
using value::Object;
using value::Value;

namespace {

std::uint64_t seed_of(const ToolContext& at, Random& random) {
    const auto given = number_arg(at, "seed");
    // A drawn seed must fit into the result's integer.
    return given ? static_cast<std::uint64_t>(*given)
                 : static_cast<std::uint64_t>(random.between(0, base::kToolNumberMax));
}

std::expected<Effect, Refusal> do_map(const ToolContext& at, Random& random) {
    const std::uint64_t seed = seed_of(at, random);
    const std::int64_t size = *number_arg(at, "size");
    const Value* names = at.args.find("names");
    const Map map = generate_map(seed, size, array_or_empty(names));
    if (!validate_map(map.areas, map.paths) || !is_connected(map.areas, map.paths)) {
        return refuse("map_invalid");
    }
    std::string id(arg(at, "map_id"));
    if (id.empty()) {
        id = "map_" + std::to_string(seed);
    }
    const std::string first((*map.areas.begin()).key.view());
    Effect made;
    made.instructions.push_back(set_at(campaign_path({"areas"}), map.areas));
    made.instructions.push_back(set_at(campaign_path({"paths"}), map.paths));
    made.instructions.push_back(set_at(campaign_path({"selected", "map_id"}), text(id)));
    for (const auto& [who, character] :
         object_or_empty(find_in_campaign(at.document, {"characters"}))) {
        // The party starts at the entrance; other characters lose their position on the old map.
        const std::string_view place =
            holds_text(party(at.document), who) ? std::string_view(first) : std::string_view();
        if (text_in(&character, "area_id") != place) {
            made.instructions.push_back(
                set_at(campaign_path({"characters", who, "area_id"}), text(place)));
        }
    }
    made.result = Object{{"map_id", text(id)},
                         {"seed", static_cast<std::int64_t>(seed)},
                         {"areas", static_cast<std::int64_t>(map.areas.size())},
                         {"paths", static_cast<std::int64_t>(map.paths.size())},
                         {"start_area_id", text(first)}};
    return made;
}

std::optional<Mismatch> check_map(const EffectCheck& seen) {
    const Object& areas = object_or_empty(find_in_campaign(seen.after, {"areas"}));
    const Object& paths = object_or_empty(find_in_campaign(seen.after, {"paths"}));
    const auto count = static_cast<std::int64_t>(areas.size());
    if (count != int_in(&seen.result, "areas")) {
        return Mismatch{"areas", *int_in(&seen.result, "areas"), count};
    }
    if (!validate_map(areas, paths) || !is_connected(areas, paths)) {
        return Mismatch{"paths", true, false};
    }
    return std::nullopt;
}

std::string free_id(const Object& characters) {
    for (auto number = static_cast<std::int64_t>(characters.size()) + 1;; ++number) {
        std::string digits = std::to_string(number);
        digits.insert(0, digits.size() < 3 ? 3 - digits.size() : 0, '0');
        std::string id = "char_" + digits;
        if (!characters.contains(id)) {
            return id;
        }
    }
}

// The supplied attributes, plus rolled values for the missing standard ones.
std::expected<Object, Refusal> attributes_of(const ToolContext& at, Random& dice) {
    Object made;
    for (const auto& [name, value] : object_or_empty(at.args.find("attributes"))) {
        if (!value.is_int() || value.as_int() < 0 || value.as_int() > 1000) {
            return refuse("bad_attribute", {truncated_id(name)});
        }
        made = std::move(made).set(name, value);
    }
    for (const std::string_view name : {"strength", "dexterity", "intelligence"}) {
        // Always roll, so that supplying one attribute does not change the others.
        const std::int64_t thrown = dice.between(1, 6) + dice.between(1, 6) + dice.between(1, 6);
        if (!made.contains(name)) {
            made = std::move(made).set(name, thrown);
        }
    }
    return made;
}

std::expected<Effect, Refusal> do_character(const ToolContext& at, Random& random) {
    const Object& characters = object_or_empty(find_in_campaign(at.document, {"characters"}));
    const std::string_view name = arg(at, "name");
    if (name.empty()) {
        return refuse("name_empty");
    }
    const auto taken = [&](const value::Member& each) {
        return text_in(&each.value, "name") == name;
    };
    if (std::ranges::any_of(characters, taken)) {
        return refuse("name_taken", {truncated_id(name)});
    }
    // A new character comes to the acting one.
    const std::string area(
        at.args.contains("area_id")
            ? arg(at, "area_id")
            : text_in(find_character(at.document, active_actor(at.document)), "area_id"));
    if (!area.empty() && find_area(at.document, area) == nullptr) {
        return refuse("unknown_area", {truncated_id(area), all_areas(at.document)});
    }
    const std::uint64_t seed = seed_of(at, random);
    Random dice(seed);
    auto attributes = attributes_of(at, dice);
    if (!attributes) {
        return std::unexpected(std::move(attributes.error()));
    }
    Object card = at.args;
    for (const std::string_view key : {"seed", "hp_max", "attributes"}) {
        card = std::move(card).erase(key);
    }
    const std::int64_t hp = number_arg(at, "hp_max").value_or(6 + dice.between(1, 6));
    card = std::move(card)
               .set("area_id", text(area))
               .set("hp", Object{{"current", hp}, {"max", hp}})
               .set("attributes", std::move(*attributes));
    const std::string id = free_id(characters);
    auto character = character_from(id, card);
    if (!character) {
        return refuse("bad_card",
                      {character.error().arguments.empty() ? std::string("card")
                                                           : character.error().arguments[0]});
    }
    Effect made;
    made.instructions.push_back(
        set_at(campaign_path({"characters", std::string_view(id)}), to_value(*character)));
    made.result = Object{{"character_id", text(id)},
                         {"name", text(name)},
                         {"seed", static_cast<std::int64_t>(seed)},
                         {"hp_max", hp}};
    return made;
}

std::optional<Mismatch> check_character(const EffectCheck& seen) {
    const std::string id(text_in(&seen.result, "character_id"));
    const Value* made = find_character(seen.after, id);
    const auto hp = hp_of(made);
    if (text_in(made, "name") != text_in(&seen.result, "name") || !hp ||
        hp->max != int_in(&seen.result, "hp_max") || hp->current != hp->max) {
        return Mismatch{"characters." + id, seen.result, made != nullptr ? *made : Value()};
    }
    const auto grown = object_or_empty(find_in_campaign(seen.after, {"characters"})).size();
    const auto was = object_or_empty(find_in_campaign(seen.before, {"characters"})).size();
    if (grown != was + 1) {
        return Mismatch{"characters", static_cast<std::int64_t>(was + 1),
                        static_cast<std::int64_t>(grown)};
    }
    return std::nullopt;
}

}  // namespace

Tool map_generate_tool() {
    Tool tool;
    tool.name = "map_generate";
    tool.parameters = {
        {"size",
         Parameter::Type::kInteger,
         true,
         {"how many areas", "区域数量"},
         1,
         base::kMapSizeMax},
        {"seed",
         Parameter::Type::kInteger,
         false,
         {"the same seed gives the same map", "种子，相同种子得到相同地图"},
         0},
        {"names", Parameter::Type::kTexts, false, {"names of areas, in order", "依次的区域名"}},
        {"map_id", Parameter::Type::kText, false, {"what the map is called", "地图 id"}}};
    tool.reasons = {
        ended_reason(),
        {"map_in_use",
         {"The campaign has a map of {0} areas already.", "战役已有 {0} 个区域的地图。"}},
        {"map_invalid", {"The map does not hold together.", "生成的地图无效。"}}};
    tool.conditions = {campaign_open(),
                       {Condition::Stage::kSetting,
                        "map_in_use",
                        {"There is no map yet, or rules.map_replace is on.",
                         "尚无地图，或已开启 rules.map_replace。"},
                        [](const ToolContext& at) -> std::optional<Details> {
                            const std::size_t areas =
                                object_or_empty(find_in_campaign(at.document, {"areas"})).size();
                            if (areas == 0 || is_on(at.settings, "rules.map_replace")) {
                                return std::nullopt;
                            }
                            return Details{std::to_string(areas)};
                        }}};
    tool.effect = do_map;
    tool.check = check_map;
    tool.for_agents = {"Makes a connected map and puts the party at its entrance.",
                       "生成一张连通的地图，并把队伍放在入口。"};
    tool.for_people = {"Maps come from a seed and are checked before they are used.",
                       "地图由种子生成，使用前经过校验。"};
    return tool;
}

Tool character_generate_tool() {
    Tool tool;
    tool.name = "character_generate";
    using Type = Parameter::Type;
    tool.parameters = {
        {"name", Type::kText, true, {"their name", "姓名"}},
        {"title", Type::kText, false, {"title", "称号"}},
        {"background", Type::kText, false, {"where they come from", "背景"}},
        {"job", Type::kText, false, {"what they do", "职业"}},
        {"race", Type::kText, false, {"race", "种族"}},
        {"hp_max",
         Type::kInteger,
         false,
         {"hit points; thrown if left out", "生命上限，缺省为掷骰"},
         1,
         10'000},
        {"attributes",
         Type::kObject,
         false,
         {"numbers by name; the usual three are thrown if left out", "属性名到数值，缺省三项掷骰"}},
        {"skills", Type::kObjects, false, {"[{name, level?}]", "[{name, level?}]"}},
        {"area_id",
         Type::kText,
         false,
         {"where they are; with the acting character if left out",
          "所在区域 id，缺省与当前行动者同处"}},
        {"seed", Type::kInteger, false, {"seed of the dice", "掷骰种子"}, 0}};
    tool.reasons = {
        ended_reason(),
        {"too_many_characters", {"There are {0} characters already.", "角色已达 {0} 个。"}},
        {"name_empty", {"A character needs a name.", "角色需要名字。"}},
        {"name_taken", {"A character named {0} exists already.", "已有名为 {0} 的角色。"}},
        unknown_area(),
        {"bad_attribute", {"The attribute {0} must be 0…1000.", "属性 {0} 必须在 0…1000 之间。"}},
        {"bad_card", {"{0} is not what a character card has there.", "角色卡的 {0} 不合要求。"}}};
    tool.conditions = {
        campaign_open(),
        {Condition::Stage::kState,
         "too_many_characters",
         {"There is room for another character.", "角色数量未达上限。"},
         [](const ToolContext& at) -> std::optional<Details> {
             const auto count =
                 object_or_empty(find_in_campaign(at.document, {"characters"})).size();
             if (count < base::kCharactersMax) {
                 return std::nullopt;
             }
             return Details{std::to_string(count)};
         }}};
    tool.effect = do_character;
    tool.check = check_character;
    tool.for_agents = {"Brings a new character into the world; not into the party.",
                       "在世界中加入一名新角色（不进入队伍）。"};
    tool.for_people = {"Who joins the party is the player's choice; this only makes the card.",
                       "仅生成角色卡，是否入队由玩家决定。"};
    return tool;
}

}  // namespace arbiter::table::internal
