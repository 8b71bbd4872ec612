#include "table/internal/tools_body.h"

#include <algorithm>

#include "table/internal/subjects.h"
#include "table/internal/write.h"
#include "table/life.h"
#include "table/map.h"
#include "table/settings.h"

namespace arbiter::table::internal {

using value::Object;
using value::Value;

namespace {

// The id of an unlocked path between the areas, or the refusal.
std::expected<std::string, Refusal> way(const ToolContext& at, std::string_view from,
                                        std::string_view to) {
    const std::string_view wanted = arg(at, "path_id");
    const Object& paths = object_or_empty(find_in_campaign(at.document, {"paths"}));
    if (!wanted.empty()) {
        const Value* path = paths.find(wanted);
        if (path == nullptr || !joins(*path, from, to)) {
            return refuse("path_mismatch",
                          {truncated_id(wanted), truncated_id(from), truncated_id(to)});
        }
        if (is_locked(path, at.document)) {
            return refuse("path_locked", {truncated_id(wanted)});
        }
        return std::string(wanted);
    }
    std::string shut;
    for (const auto& [id, path] : paths) {
        if (!joins(path, from, to)) {
            continue;
        }
        if (!is_locked(&path, at.document)) {
            return std::string(id.view());
        }
        shut = id.view();
    }
    if (!shut.empty()) {
        return refuse("path_locked", {shut});
    }
    return refuse("not_connected",
                  {truncated_id(from), truncated_id(to), ways_from(at.document, from)});
}

std::expected<Effect, Refusal> do_move(const ToolContext& at, Random&) {
    const std::string_view actor = arg(at, "actor_id");
    const std::string_view to = arg(at, "to_area_id");
    const std::string_view stated = arg(at, "from_area_id");
    const std::string from(text_in(find_character(at.document, actor), "area_id"));
    if (at.args.contains("from_area_id") && stated != from) {
        return refuse("stale_from_area", {truncated_id(stated), from});
    }
    const Value* area = find_area(at.document, to);
    if (area == nullptr) {
        return refuse("unknown_area", {truncated_id(to), ways_from(at.document, from)});
    }
    if (from == to) {
        return refuse("already_there", {from});
    }
    auto path = way(at, from, to);
    if (!path) {
        return std::unexpected(std::move(path.error()));
    }
    if (is_locked(area, at.document)) {
        return refuse("area_locked", {truncated_id(to)});
    }
    Effect made;
    made.instructions.push_back(set_at(campaign_path({"characters", actor, "area_id"}), text(to)));
    made.result = Object{{"actor_id", text(actor)},
                         {"from_area_id", text(from)},
                         {"to_area_id", text(to)},
                         {"path_id", text(*path)}};
    return made;
}

std::optional<Mismatch> check_move(const EffectCheck& seen) {
    const Value* actor = value::find_member(&seen.result, "actor_id");
    const Value* to = value::find_member(&seen.result, "to_area_id");
    const std::string_view id = actor->as_string();
    const std::string_view now = text_in(find_character(seen.after, id), "area_id");
    if (now != to->as_string()) {
        return Mismatch{"characters." + std::string(id) + ".area_id", *to, text(now)};
    }
    return std::nullopt;
}

std::expected<Effect, Refusal> do_hp_delta(const ToolContext& at, Random&) {
    const std::string_view id = arg(at, "target_character_id");
    const Value& character = *find_character(at.document, id);
    const auto hp = hp_of(&character);
    if (!hp) {
        return refuse("no_hp", {truncated_id(id)});
    }
    const std::int64_t delta = *number_arg(at, "delta");
    // A save may hold any number. Clamping keeps the result in range and the sum within 64 bits.
    const std::int64_t max = std::clamp<std::int64_t>(hp->max, 0, base::kToolNumberMax);
    const std::int64_t old = std::clamp<std::int64_t>(hp->current, 0, max);
    const std::int64_t now = std::clamp<std::int64_t>(old + delta, 0, max);
    Effect made;
    made.instructions.push_back(set_at(campaign_path({"characters", id, "hp", "current"}), now));
    std::string_view state = alive_state(&character);
    const auto status = status_with(character, now, at.settings);
    if (status) {
        made.instructions.push_back(set_at(campaign_path({"characters", id, "status"}), *status));
        state = text_in(&*status, "alive_state");
    }
    made.result = Object{{"target_character_id", text(id)},
                         {"old", hp->current},
                         {"new", now},
                         {"requested", delta},
                         {"applied_delta", now - old},
                         {"alive_state", text(state)},
                         {"cause", text(arg(at, "cause"))}};
    return made;
}

std::optional<Mismatch> check_hp_delta(const EffectCheck& seen) {
    const std::string id(text_in(&seen.result, "target_character_id"));
    const auto hp = hp_of(find_character(seen.after, id));
    const auto expected = int_in(&seen.result, "new");
    if (!hp || hp->current != expected) {
        return Mismatch{"characters." + id + ".hp.current", *expected,
                        hp ? Value(hp->current) : Value()};
    }
    const auto before = hp_of(find_character(seen.before, id));
    if (hp->max != before->max) {
        return Mismatch{"characters." + id + ".hp.max", before->max, hp->max};
    }
    return std::nullopt;
}

}  // namespace

Tool move_tool() {
    Tool tool;
    tool.name = "move";
    tool.parameters = {
        {"actor_id", Parameter::Type::kText, true, {"actor id", "移动者的角色 id"}},
        {"from_area_id", Parameter::Type::kText, false, {"from area id", "当前所在区域 id"}},
        {"to_area_id", Parameter::Type::kText, true, {"to area id", "目标区域 id"}},
        {"path_id", Parameter::Type::kText, false, {"path id", "所走路径 id"}}};
    tool.reasons = {
        ended_reason(),
        unknown_character(),
        {"actor_cannot_act", {"{0} cannot act now: {1}.", "{0} 现在无法行动：{1}。"}},
        {"not_active_actor",
         {"Only {1} acts in this turn, not {0}. The player can switch with /actor {0}.",
          "本回合由 {1} 行动，{0} 不能移动。玩家可用 /actor {0} 切换。"}},
        {"stale_from_area", {"They are in {1}, not in {0}.", "实际位置是 {1}，不是 {0}。"}},
        {"unknown_area",
         {"There is no area {0}. From here one can go to: {1}.",
          "没有区域 {0}。从这里可以前往：{1}。"}},
        {"already_there", {"They are in {0} already.", "已经在 {0} 了。"}},
        {"not_connected",
         {"No path leads from {0} to {1}. From here one can go to: {2}.",
          "没有从 {0} 通往 {1} 的路。从这里可以前往：{2}。"}},
        {"path_mismatch",
         {"The path {0} does not lead from {1} to {2}.", "路径 {0} 不连接 {1} 与 {2}。"}},
        {"path_locked", {"The path {0} is shut.", "路径 {0} 尚未开放。"}},
        {"area_locked", {"The area {0} is still locked.", "区域移动锁未解除：{0}。"}}};
    tool.conditions = {
        campaign_open(),
        character_exists("actor_id"),
        {Condition::Stage::kState,
         "actor_cannot_act",
         {"The character that moves is alive.", "移动者处于可行动状态。"},
         [](const ToolContext& at) -> std::optional<Details> {
             const Value* character = find_character(at.document, arg(at, "actor_id"));
             if (may_act(character)) {
                 return std::nullopt;
             }
             return Details{truncated_id(arg(at, "actor_id")), state_words(alive_state(character))};
         }},
        {Condition::Stage::kSetting,
         "not_active_actor",
         {"It is the active character, or a member of the party where rules.party_moves is on.",
          "移动者是当前行动者；开启 rules.party_moves 后可为任一队员。"},
         [](const ToolContext& at) -> std::optional<Details> {
             const std::string_view actor = arg(at, "actor_id");
             if (actor == active_actor(at.document) || (is_on(at.settings, "rules.party_moves") &&
                                                        holds_text(party(at.document), actor))) {
                 return std::nullopt;
             }
             return Details{truncated_id(actor), std::string(active_actor(at.document))};
         }}};
    tool.effect = do_move;
    tool.check = check_move;
    tool.for_agents = {"Moves a character over one path into a neighbouring area.",
                       "沿路径到相邻区域。"};
    tool.for_people = {"The only way in which the model can change where a character is.",
                       "模型改变角色位置的唯一途径。"};
    return tool;
}

Tool hp_delta_tool() {
    Tool tool;
    tool.name = "hp_delta";
    tool.parameters = {{"target_character_id",
                        Parameter::Type::kText,
                        true,
                        {"target character id", "目标角色 id"}},
                       {"delta", Parameter::Type::kInteger, true, {"harm is negative", "受伤为负"}},
                       {"cause", Parameter::Type::kText, true, {"cause", "原因"}}};
    tool.reasons = {ended_reason(),
                    unknown_character(),
                    {"target_dead", {"{0} is dead.", "{0} 已经死亡。"}},
                    {"no_hp", {"{0} has no hit points.", "{0} 没有生命值。"}}};
    tool.conditions = {campaign_open(),
                       character_exists("target_character_id"),
                       {Condition::Stage::kState,
                        "target_dead",
                        {"The character is not dead.", "目标未死亡。"},
                        [](const ToolContext& at) -> std::optional<Details> {
                            const std::string_view id = arg(at, "target_character_id");
                            if (alive_state(find_character(at.document, id)) != alive::kDead) {
                                return std::nullopt;
                            }
                            return Details{truncated_id(id)};
                        }}};
    tool.effect = do_hp_delta;
    tool.check = check_hp_delta;
    tool.for_agents = {"Hurts or heals a character. Hit points stay within 0 and their maximum.",
                       "受伤或恢复，不越出 0 与上限。"};
    tool.for_people = {
        "The only way in which the model can change hit points. At zero a character is downed, or "
        "flagged, as rules.hp_zero_ends_game says.",
        "模型改变生命值的唯一途径。归零时按 rules.hp_zero_ends_game 倒下或仅作标记。"};
    return tool;
}

}  // namespace arbiter::table::internal
