#include "table/life.h"

#include <algorithm>
#include <array>

#include "table/internal/subjects.h"
#include "table/internal/write.h"
#include "table/layout.h"
#include "table/settings.h"
#include "value/editor.h"

namespace arbiter::table {

using value::Array;
using value::Object;
using value::Value;

std::optional<Value> status_with(const Value& character, std::int64_t hp, const Object& settings) {
    const Value* status = value::find_member(&character, "status");
    const std::string_view state = alive_state(&character);
    const bool downs = is_on(settings, "rules.hp_zero_ends_game");
    std::string_view next = state;
    if (hp == 0 && downs && state == alive::kAlive) {
        next = alive::kDowned;
    } else if (hp > 0 && state == alive::kDowned) {
        next = alive::kAlive;
    }
    const bool flagged = hp == 0 && !downs && next == alive::kAlive;
    const Array& flags = array_or_empty(value::find_member(status, "flags"));
    if (next == state && flagged == holds_text(flags, kAtZero)) {
        return std::nullopt;
    }
    Object made = object_or_empty(status);
    made = std::move(made).set("alive_state", next);
    Array kept;
    for (const Value& flag : flags) {
        if (!flag.is_string() || flag.as_string() != kAtZero) {
            kept = std::move(kept).push_back(flag);
        }
    }
    if (flagged) {
        kept = std::move(kept).push_back(kAtZero);
    }
    if (kept.empty()) {
        return std::move(made).erase("flags");
    }
    return std::move(made).set("flags", std::move(kept));
}

std::optional<std::string_view> end_of(const Value& document, const Object& settings) {
    const Array& members = party(document);
    if (members.empty()) {
        return std::nullopt;
    }
    const auto all = [&](auto is) {
        return std::ranges::all_of(members, [&](const Value& id) {
            return id.is_string() && is(alive_state(find_character(document, id.as_string())));
        });
    };
    if (all([](std::string_view state) { return state == alive::kDead; })) {
        return "party_dead";
    }
    if (all([](std::string_view state) { return state == alive::kRestrained; })) {
        return "party_restrained";
    }
    const bool downs = is_on(settings, "rules.hp_zero_ends_game");
    if (downs && all([](std::string_view state) {
            return state == alive::kDead || state == alive::kDowned;
        })) {
        return "party_down";
    }
    return std::nullopt;
}

std::vector<proposal::Instruction> consequences(const Value& before, const Value& after,
                                                const Object& settings) {
    std::vector<proposal::Instruction> made;
    const Value* had = find_in_campaign(before, {"characters"});
    const Value* has = find_in_campaign(after, {"characters"});
    const Value* ended = find_in_campaign(after, {"ended"});
    const bool is_open = ended == nullptr || ended->is_null();
    if (has == nullptr || (had != nullptr && had->is_identical(*has))) {
        return made;
    }
    // The end condition is evaluated on the corrected party.
    Value settled = after;
    for (const auto& [id, character] : object_or_empty(has)) {
        const Value* was = value::find_member(had, id);
        const auto hp = hp_of(&character);
        if ((was != nullptr && was->is_identical(character)) || !hp) {
            continue;
        }
        const std::int64_t max = std::max<std::int64_t>(0, hp->max);
        const std::int64_t current = std::clamp<std::int64_t>(hp->current, 0, max);
        if (current != hp->current) {
            made.push_back(set_at(campaign_path({"characters", id, "hp", "current"}), current));
        }
        if (auto status = status_with(character, current, settings)) {
            const value::Path path = campaign_path({"characters", id, "status"});
            if (auto changed = value::set(settled, path, *status)) {
                settled = std::move(*changed);
            } else if (auto grown = value::set(settled, path, *status, value::Parents::kCreate)) {
                settled = std::move(*grown);
            }
            made.push_back(set_at(path, std::move(*status)));
        }
    }
    if (const auto reason = is_open ? end_of(settled, settings) : std::nullopt) {
        made.push_back(set_at(campaign_path({"ended"}),
                              Object{{"reason", *reason}, {"turn", turn_number(after) + 1}}));
    }
    return made;
}

base::Text end_words(std::string_view reason) {
    struct Words {
        std::string_view reason;
        base::TextView text;
    };
    static constexpr auto kWords = std::to_array<Words>(
        {{"party_down", {"the whole party is down", "全队倒下"}},
         {"party_dead", {"the whole party is dead", "全队阵亡"}},
         {"party_restrained", {"the whole party is restrained for good", "全队被永久束缚"}},
         {"goal_achieved", {"the goal is achieved", "目标已达成"}},
         {"given_up", {"the party has given up", "已放弃"}}});
    const auto found = std::ranges::find(kWords, reason, &Words::reason);
    return found != kWords.end()
               ? base::Text{std::string(found->text.english), std::string(found->text.chinese)}
               : base::Text{std::string(reason), std::string(reason)};
}

std::optional<Block> turn_block(const Value& document) {
    const Value* ended = find_in_campaign(document, {"ended"});
    if (ended != nullptr && !ended->is_null()) {
        const base::Text why = end_words(text_in(ended, "reason"));
        return Block{
            "campaign_ended",
            {"This campaign has ended: " + why.english + ". /rollback head~1 goes back a turn.",
             "本战役已经结束：" + why.chinese + "。可用 /rollback head~1 退回一个回合。"}};
    }
    const std::string_view actor = active_actor(document);
    const Value* character = find_character(document, actor);
    if (actor.empty() || character == nullptr) {
        return Block{
            "no_active_actor",
            {"Choose who acts first, with /actor ID.", "请先用 /actor 角色id 选择行动者。"}};
    }
    if (may_act(character)) {
        return std::nullopt;
    }
    const auto another = std::ranges::find_if(party(document), [&](const Value& id) {
        return id.is_string() && id.as_string() != actor &&
               may_act(find_character(document, id.as_string()));
    });
    if (another == party(document).end()) {
        return std::nullopt;
    }
    const std::string switching = "/actor " + std::string((*another).as_string());
    const base::Text state = state_words(alive_state(character));
    const std::string_view name = text_in(character, "name");
    const std::string who(name.empty() ? actor : name);
    return Block{
        "actor_cannot_act",
        {who + " cannot act now (" + state.english + "). Switch with " + switching + ".",
         who + " 现在无法行动（" + state.chinese + "），请用 " + switching + " 切换到其他角色。"}};
}

base::Text state_words(std::string_view state) {
    struct Words {
        std::string_view state;
        base::TextView text;
    };
    static constexpr auto kWords =
        std::to_array<Words>({{alive::kAlive, {"alive", "可行动"}},
                              {alive::kDowned, {"downed", "倒下"}},
                              {alive::kUnconscious, {"unconscious", "昏迷"}},
                              {alive::kRestrained, {"restrained for good", "被永久束缚"}},
                              {alive::kDead, {"dead", "死亡"}}});
    const auto found = std::ranges::find(kWords, state, &Words::state);
    return found != kWords.end()
               ? base::Text{std::string(found->text.english), std::string(found->text.chinese)}
               : base::Text{std::string(state), std::string(state)};
}

}  // namespace arbiter::table
