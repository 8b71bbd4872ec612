#include "turn/conflicts.h"

#include "table/layout.h"
#include "value/diff.h"

namespace arbiter::turn {

using table::AuthorityRow;
using value::Path;
using value::Value;

namespace {

std::string dotted(const Path& path) {
    return value::print_path(path, value::PathSyntax::kDotted);
}

// A direct command of the model that changed a path which only tools may change.
void find_commands(std::vector<Conflict>& found, std::span<const Action> actions,
                   const std::vector<AuthorityRow>& rows) {
    for (const Action& action : actions) {
        if (action.kind != Action::Kind::kCommand || action.author == engine::Actor::kPlayer) {
            continue;
        }
        for (const value::Change& change : action.changes) {
            if (table::is_authoritative(rows, change.path)) {
                found.push_back(
                    {"unexplained_change", dotted(change.path), change.before, change.after});
            }
        }
    }
}

void find_unexplained(std::vector<Conflict>& found, const Value& before, const Value& after,
                      std::span<const Action> actions, const std::vector<AuthorityRow>& rows) {
    const Value explained = apply_actions(before, actions).value_or(before);
    if (explained == after) {
        return;
    }
    for (const value::Change& change : value::diff(explained, after)) {
        if (table::is_authoritative(rows, change.path)) {
            found.push_back(
                {"unexplained_change", dotted(change.path), change.before, change.after});
        }
    }
}

void find_broken(std::vector<Conflict>& found, const Value& before, const Value& after) {
    const Value* had = table::find_in_campaign(before, {"characters"});
    const Value* has = table::find_in_campaign(after, {"characters"});
    for (const auto& [id, card] : table::object_or_empty(has)) {
        const Value* was = value::find_member(had, id);
        if (was != nullptr && was->is_identical(card)) {
            continue;
        }
        const auto hp = table::hp_of(&card);
        if (hp && (hp->current < 0 || hp->current > hp->max)) {
            found.push_back({"hp_out_of_range",
                             dotted(table::campaign_path({"characters", id, "hp", "current"})),
                             hp->max, hp->current});
        }
        const std::string_view area = table::text_in(&card, "area_id");
        if (!area.empty() && area != table::text_in(was, "area_id") &&
            table::find_area(after, area) == nullptr) {
            found.push_back({"unknown_area",
                             dotted(table::campaign_path({"characters", id, "area_id"})),
                             table::text_in(was, "area_id"), area});
        }
    }
    const std::string_view actor = table::active_actor(after);
    if (actor != table::active_actor(before) && !table::holds_text(table::party(after), actor)) {
        found.push_back({"actor_not_in_party",
                         dotted(table::campaign_path({"selected", "active_actor_id"})),
                         table::active_actor(before), actor});
    }
}

}  // namespace

base::Result<Value> apply_actions(const Value& document, std::span<const Action> actions) {
    Value at = document;
    for (const Action& action : actions) {
        auto next = value::apply_diff(action.changes, std::move(at));
        if (!next) {
            return next;
        }
        at = *std::move(next);
    }
    return at;
}

std::vector<Conflict> structural_conflicts(const Value& before, const Value& after,
                                           std::span<const Action> actions, engine::Actor actor,
                                           const std::vector<AuthorityRow>& rows) {
    std::vector<Conflict> found;
    if (actor == engine::Actor::kModel) {
        find_commands(found, actions, rows);
    }
    find_unexplained(found, before, after, actions, rows);
    find_broken(found, before, after);
    return found;
}

}  // namespace arbiter::turn
