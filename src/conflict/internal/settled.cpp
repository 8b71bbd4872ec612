#include "conflict/internal/settled.h"

#include <algorithm>
#include <set>

#include "table/layout.h"

namespace arbiter::conflict::internal {

using table::int_in;
using table::text_in;
using value::Value;

namespace {

// Different sums that are followed; a turn settles a handful of deltas.
constexpr std::size_t kSumsMax = 4'096;

// The first of the keys that names a character.
std::string_view subject_of(const Value& args) {
    for (const std::string_view key :
         {"target_character_id", "character_id", "actor_id", "target_id", "owner_id"}) {
        if (const std::string_view id = text_in(&args, key); !id.empty()) {
            return id;
        }
    }
    return {};
}

}  // namespace

SettledChanges settled_changes(const Truth& truth, std::span<const Settled> actions) {
    SettledChanges all;
    all.by_character.resize(truth.characters.size());
    const auto of = [&](std::string_view id) -> Changes* {
        const auto found = std::ranges::find(truth.characters, id, &Character::id);
        return found == truth.characters.end()
                   ? nullptr
                   : &all.by_character[static_cast<std::size_t>(found - truth.characters.begin())];
    };
    for (const Settled& action : actions) {
        const Value& args = action.args;
        all.has_rule = all.has_rule || action.tool == "rule_update";
        all.has_map = all.has_map || action.tool.starts_with("map_");
        Changes* who = of(subject_of(args));
        if (who == nullptr) {
            continue;
        }
        const auto delta = int_in(&args, "delta");
        if (action.tool == "hp_delta" && delta) {
            who->hp.push_back(*delta);
        } else if (action.tool == "move") {
            const std::string from(text_in(&args, "from_area_id"));
            who->places.push_back(from);
            who->places.emplace_back(text_in(&args, "to_area_id"));
            who->left.push_back(from);
        } else if (action.tool == "item_delta" && delta) {
            who->items.emplace_back(std::string(text_in(&args, "item")), *delta);
        } else if (action.tool == "resource_delta" && delta) {
            who->resources.emplace_back(std::string(text_in(&args, "resource")), *delta);
        } else if (action.tool == "set_alive_state") {
            who->is_life_set = true;
        } else if (action.tool == "character_update") {
            who->is_sheet_changed = true;
        }
    }
    return all;
}

bool is_sum_of(const std::vector<std::int64_t>& deltas, std::int64_t wanted) {
    std::set<std::int64_t> sums;
    for (const std::int64_t delta : deltas) {
        if ((delta < 0) != (wanted < 0)) {
            continue;
        }
        std::set<std::int64_t> next = sums;
        next.insert(delta);
        for (const std::int64_t sum : sums) {
            next.insert(sum + delta);
        }
        sums = std::move(next);
        if (sums.size() > kSumsMax) {
            return true;
        }
    }
    // A difference of two signs: lost 8, then healed 3.
    std::int64_t total = 0;
    for (const std::int64_t delta : deltas) {
        total += delta;
    }
    return sums.contains(wanted) || (total == wanted && !deltas.empty());
}

}  // namespace arbiter::conflict::internal
