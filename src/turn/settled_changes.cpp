#include "turn/settled_changes.h"

#include <algorithm>

#include "table/layout.h"

namespace arbiter::turn {

using conflict::Character;
using conflict::Settled;
using value::Object;
using value::Value;

namespace {

class Differences {
  public:
    explicit Differences(std::vector<Settled>& settled) : settled_(settled) {}

    void add_character(const Character& before, const Character& after) {
        if (before.hp && after.hp) {
            const std::int64_t told = sum_of("hp_delta", after.id);
            const std::int64_t delta = after.hp->current - before.hp->current;
            if (delta != told) {
                add("hp_delta", after.id, {{"delta", delta}});
            }
        }
        if (before.area_id != after.area_id) {
            add("move", after.id,
                {{"from_area_id", std::string_view(before.area_id)},
                 {"to_area_id", std::string_view(after.area_id)}});
        }
        if (before.alive_state != after.alive_state) {
            add("set_alive_state", after.id, {});
        }
        if (before.name != after.name || before.title != after.title || before.job != after.job ||
            before.race != after.race || before.attributes != after.attributes ||
            before.skills.size() != after.skills.size()) {
            add("character_update", after.id, {});
        }
        for (const auto& [item, count] : after.inventory) {
            add_delta("item_delta", "item", after.id, item, count_in(before.inventory, item),
                      count);
        }
        for (const auto& [item, count] : before.inventory) {
            if (std::ranges::find(after.inventory, item, first) == after.inventory.end()) {
                add_delta("item_delta", "item", after.id, item, count, 0);
            }
        }
        for (const auto& [name, amount] : after.resources) {
            const auto known = std::ranges::find(before.resources, name, first);
            add_delta("resource_delta", "resource", after.id, name,
                      known != before.resources.end() ? known->second.current : 0, amount.current);
        }
    }

    void add_world(const conflict::Truth& before, const conflict::Truth& after) {
        if (before.rules != after.rules) {
            settled_.push_back({"rule_update", Object()});
        }
        const auto same = [](const conflict::Area& a, const conflict::Area& b) {
            return a.id == b.id && a.name == b.name && a.connects == b.connects;
        };
        if (!std::ranges::equal(before.areas, after.areas, same)) {
            settled_.push_back({"map_update", Object()});
        }
    }

  private:
    // Projects a pair onto its name.
    static constexpr auto first = [](const auto& pair) -> const std::string& { return pair.first; };

    static std::int64_t count_in(const std::vector<std::pair<std::string, std::int64_t>>& items,
                                 const std::string& item) {
        const auto found = std::ranges::find(items, item, first);
        return found != items.end() ? found->second : 0;
    }

    [[nodiscard]] std::int64_t sum_of(std::string_view tool, std::string_view character) const {
        std::int64_t sum = 0;
        for (const Settled& each : settled_) {
            if (each.tool == tool &&
                table::text_in(&each.args, "target_character_id") == character) {
                sum += table::int_in(&each.args, "delta").value_or(0);
            }
        }
        return sum;
    }

    void add(std::string_view tool, std::string_view character, Object args) {
        settled_.push_back(
            {std::string(tool), std::move(args).set("target_character_id", character)});
    }
    void add_delta(std::string_view tool, std::string_view key, std::string_view character,
                   std::string_view name, std::int64_t before, std::int64_t after) {
        if (before != after) {
            add(tool, character, {{key, name}, {"delta", after - before}});
        }
    }

    std::vector<Settled>& settled_;
};

}  // namespace

std::vector<Settled> settled_changes(const Attempt& attempt, const conflict::Truth& before,
                                     const conflict::Truth& after) {
    std::vector<Settled> settled;
    for (const Action& action : attempt.actions) {
        if (action.kind != Action::Kind::kTool) {
            continue;
        }
        const Value about = action.about;
        const Value* args = value::find_member(&about, "args");
        settled.push_back({std::string(table::text_in(&about, "tool")),
                           args != nullptr ? *args : Value(Object())});
    }
    Differences differences(settled);
    for (std::size_t i = 0; i < after.characters.size(); ++i) {
        const Character& each = after.characters[i];
        // Most keep their position.
        const bool same = i < before.characters.size() && before.characters[i].id == each.id;
        const auto known = same ? before.characters.begin() + static_cast<std::ptrdiff_t>(i)
                                : std::ranges::find(before.characters, each.id, &Character::id);
        if (known != before.characters.end()) {
            differences.add_character(*known, each);
        }
    }
    differences.add_world(before, after);
    return settled;
}

}  // namespace arbiter::turn
