#include "table/conflicts.h"

#include "table/layout.h"
#include "value/diff.h"

namespace arbiter::table {

using value::Array;
using value::Path;
using value::Value;

namespace {

std::string dotted(const Path& path) {
    return value::print_path(path, value::PathSyntax::kDotted);
}

// What a command of the model did by itself, where only tools may.
void find_commands(std::vector<Conflict>& found, const Array& actions,
                   const std::vector<AuthorityRow>& rows) {
    for (const Value& action : actions) {
        if (text_in(&action, "kind") != "command" || text_in(&action, "actor") != "AI") {
            continue;
        }
        const Value* kept = member_of(&action, "changes");
        const auto changes = kept != nullptr ? value::diff_from_value(*kept) : value::Diff();
        for (const value::Change& change : changes.value_or(value::Diff())) {
            if (is_authoritative(rows, change.path)) {
                found.push_back(
                    {"unexplained_change", dotted(change.path), change.before, change.after});
            }
        }
    }
}

void find_unexplained(std::vector<Conflict>& found, const Value& before, const Value& after,
                      const Array& actions, const std::vector<AuthorityRow>& rows) {
    const Value explained = replay(before, actions).value_or(before);
    if (explained == after) {
        return;
    }
    for (const value::Change& change : value::diff(explained, after)) {
        if (is_authoritative(rows, change.path)) {
            found.push_back(
                {"unexplained_change", dotted(change.path), change.before, change.after});
        }
    }
}

void find_broken(std::vector<Conflict>& found, const Value& before, const Value& after) {
    const Value* had = find_in_campaign(before, {"characters"});
    const Value* has = find_in_campaign(after, {"characters"});
    for (const auto& [id, card] : object_or_empty(has)) {
        const Value* was = member_of(had, id);
        if (was != nullptr && was->is_identical(card)) {
            continue;
        }
        const auto hp = hp_of(&card);
        if (hp && (hp->current < 0 || hp->current > hp->max)) {
            found.push_back({"hp_out_of_range",
                             dotted(campaign_path({"characters", id, "hp", "current"})), hp->max,
                             hp->current});
        }
        const std::string_view area = text_in(&card, "area_id");
        if (!area.empty() && area != text_in(was, "area_id") && find_area(after, area) == nullptr) {
            found.push_back({"unknown_area", dotted(campaign_path({"characters", id, "area_id"})),
                             text_in(was, "area_id"), area});
        }
    }
    const std::string_view actor = active_actor(after);
    if (actor != active_actor(before) && !holds_text(party(after), actor)) {
        found.push_back({"actor_not_in_party",
                         dotted(campaign_path({"selected", "active_actor_id"})),
                         active_actor(before), actor});
    }
}

}  // namespace

base::Result<Value> replay(const Value& document, const Array& actions) {
    Value at = document;
    for (const Value& action : actions) {
        const Value* kept = member_of(&action, "changes");
        if (kept == nullptr) {
            continue;
        }
        auto changes = value::diff_from_value(*kept);
        if (!changes) {
            return std::unexpected(std::move(changes.error()));
        }
        auto next = value::apply_diff(*changes, at);
        if (!next) {
            return next;
        }
        at = std::move(*next);
    }
    return at;
}

std::vector<Conflict> structural_conflicts(const Value& before, const Value& after,
                                           const Array& actions,
                                           const std::vector<AuthorityRow>& rows) {
    std::vector<Conflict> found;
    find_commands(found, actions, rows);
    find_unexplained(found, before, after, actions, rows);
    find_broken(found, before, after);
    return found;
}

}  // namespace arbiter::table
