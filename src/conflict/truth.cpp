#include "conflict/truth.h"

#include <algorithm>
#include <unordered_map>

#include "base/limits.h"
#include "table/layout.h"

namespace arbiter::conflict {

using table::array_or_empty;
using table::int_in;
using table::object_or_empty;
using table::text_in;
using value::find_member;
using value::Value;

namespace {

std::optional<Amount> amount_of(const Value* written) {
    if (written != nullptr && written->is_int()) {
        return Amount{written->as_int(), std::nullopt};
    }
    const auto current = int_in(written, "current");
    if (!current) {
        return std::nullopt;
    }
    return Amount{*current, int_in(written, "max")};
}

void read_items(Character& to, const Value* items) {
    if (items == nullptr || !items->is_object()) {
        return;
    }
    to.has_inventory = true;
    for (const auto& [id, item] : items->as_object()) {
        if (item.is_int()) {
            to.inventory.emplace_back(std::string(id.view()), item.as_int());
            continue;
        }
        const std::string_view name = text_in(&item, "name");
        to.inventory.emplace_back(std::string(name.empty() ? id.view() : name),
                                  int_in(&item, "count").value_or(1));
    }
}

Character character_of(std::string_view id, const Value& card) {
    Character to;
    to.id = id;
    to.name = text_in(&card, "name");
    to.title = text_in(&card, "title");
    to.job = text_in(&card, "job");
    to.race = text_in(&card, "race");
    to.alive_state = table::alive_state(&card);
    to.area_id = text_in(&card, "area_id");
    to.hp = amount_of(find_member(&card, "hp"));
    for (const auto& [name, number] : object_or_empty(find_member(&card, "attributes"))) {
        to.attributes.emplace_back(std::string(name.view()), number);
    }
    for (const Value& skill : array_or_empty(find_member(&card, "skills"))) {
        const std::string_view name =
            skill.is_string() ? skill.as_string() : text_in(&skill, "name");
        to.skills.push_back({std::string(name), int_in(&skill, "level")});
    }
    read_items(to, find_member(&card, "inventory"));
    read_items(to, find_member(&card, "items"));
    for (const auto& [name, written] : object_or_empty(find_member(&card, "resources"))) {
        if (const auto amount = amount_of(&written)) {
            to.resources.emplace_back(std::string(name.view()), *amount);
        }
    }
    return to;
}

// Notes the areas that the paths of a map join.
void connect_areas(std::vector<Area>& areas, const value::Object& paths) {
    std::unordered_map<std::string_view, Area*> by_id;
    for (Area& area : areas) {
        by_id.emplace(area.id, &area);
    }
    const auto connect = [&](std::string_view from, std::string_view to) {
        if (const auto area = by_id.find(from); area != by_id.end()) {
            area->second->connects.emplace_back(to);
        }
    };
    for (const auto& [id, path] : paths) {
        const std::string_view from = text_in(&path, "from");
        const std::string_view to = text_in(&path, "to");
        connect(from, to);
        connect(to, from);
    }
}

void read_rules(Truth& truth, const Value* rules) {
    if (rules == nullptr) {
        return;
    }
    for (const Value& rule : array_or_empty(rules)) {
        if (rule.is_string()) {
            truth.rules.emplace_back(rule.as_string());
        }
    }
    for (const auto& [name, rule] : object_or_empty(rules)) {
        if (rule.is_string()) {
            truth.rules.emplace_back(rule.as_string());
        }
    }
}

Truth truth_of_campaign(const Value& document) {
    Truth truth;
    for (const auto& [id, card] :
         object_or_empty(table::find_in_campaign(document, {"characters"}))) {
        truth.characters.push_back(character_of(id.view(), card));
    }
    for (const auto& [id, area] : object_or_empty(table::find_in_campaign(document, {"areas"}))) {
        truth.areas.push_back({std::string(id.view()), std::string(text_in(&area, "name")), {}});
    }
    connect_areas(truth.areas, object_or_empty(table::find_in_campaign(document, {"paths"})));
    read_rules(truth, table::find_in_campaign(document, {"rules"}));
    truth.active_actor = table::active_actor(document);
    return truth;
}

}  // namespace

const Area* Truth::area(std::string_view id) const noexcept {
    const auto found = std::ranges::find(areas, id, &Area::id);
    return found == areas.end() ? nullptr : &*found;
}

Truth truth_of(const Value& state) {
    Truth truth;
    if (table::has_campaign(state)) {
        truth = truth_of_campaign(state);
    } else {
        for (const Value& card : array_or_empty(find_member(&state, "characters"))) {
            truth.characters.push_back(character_of(text_in(&card, "character_id"), card));
        }
        for (const Value& area : array_or_empty(find_member(&state, "areas"))) {
            truth.areas.push_back(
                {std::string(text_in(&area, "area_id")), std::string(text_in(&area, "name")), {}});
            for (const Value& to : array_or_empty(find_member(&area, "connects"))) {
                if (to.is_string()) {
                    truth.areas.back().connects.emplace_back(to.as_string());
                }
            }
        }
        read_rules(truth, find_member(&state, "rules"));
        truth.active_actor = text_in(&state, "active_actor_id");
    }
    if (truth.characters.size() > base::kCharactersMax) {
        truth.characters.resize(base::kCharactersMax);
    }
    if (truth.areas.size() > base::kAreasMax) {
        truth.areas.resize(base::kAreasMax);
    }
    return truth;
}

}  // namespace arbiter::conflict
