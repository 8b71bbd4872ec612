#include "table/dialog.h"

#include <algorithm>

#include "table/layout.h"
#include "value/editor.h"

namespace arbiter::table {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

base::Result<> DialogTypes::add(DialogType type) {
    const auto refuse = [&](std::string why) {
        return base::fail(ErrorCode::kDialogIncomplete, {type.id, std::move(why)});
    };
    if (type.id.empty()) {
        return refuse("id");
    }
    if (find(type.id) != nullptr) {
        return refuse("id");
    }
    if (!type.title.is_complete()) {
        return refuse("title");
    }
    if (type.blocks.empty() || std::ranges::find(type.blocks, "") != type.blocks.end()) {
        return refuse("blocks");
    }
    all_.push_back(std::move(type));
    return {};
}

const DialogType* DialogTypes::find(std::string_view id) const noexcept {
    const auto found = std::ranges::find(all_, id, &DialogType::id);
    return found != all_.end() ? &*found : nullptr;
}

DialogTypes shipped_dialogs() {
    DialogTypes types;
    for (DialogType& type : std::vector<DialogType>{
             {"scene",
              {"Scene", "场景"},
              {"system", "world", "goal", "milestone", "map", "characters", "state", "summary",
               "recent_turns", "tools"}},
             {"action",
              {"Action", "行动"},
              {"system", "goal", "milestone", "map", "characters", "state", "rules_text", "tools",
               "summary", "recent_turns"}},
             {"rules",
              {"Rules", "规则"},
              {"system", "rules_text", "settings", "characters", "recent_turns"}},
             {"free_chat",
              {"Free chat", "闲聊"},
              {"system", "world", "characters", "summary", "recent_turns"}}}) {
        CHECK(types.add(std::move(type)).has_value());
    }
    return types;
}

Value to_value(const RouteDecision& decision) {
    Array guards;
    for (const std::string& guard : decision.guards) {
        guards = std::move(guards).push_back(std::string_view(guard));
    }
    return Object{{"dialog_type", std::string_view(decision.dialog_type)},
                  {"variant", std::string_view(decision.variant)},
                  {"context_profile", std::string_view(decision.context_profile)},
                  {"guards", std::move(guards)}};
}

base::Result<RouteDecision> route_decision_from(const Value& written) {
    const Value* guards = value::find_member(&written, "guards");
    if (text_in(&written, "dialog_type").empty()) {
        return base::fail(ErrorCode::kMissingKey, {"dialog_type"});
    }
    RouteDecision made{std::string(text_in(&written, "dialog_type")),
                       std::string(text_in(&written, "variant")),
                       std::string(text_in(&written, "context_profile")),
                       {}};
    for (const Value& guard : array_or_empty(guards)) {
        if (!guard.is_string()) {
            return base::fail(ErrorCode::kBadField,
                              {"guards", "[text]", std::string(value::name(guard.kind()))});
        }
        made.guards.emplace_back(guard.as_string());
    }
    return made;
}

Value with_route_decision(const Value& document, const RouteDecision& decision) {
    auto changed = value::set(document, campaign_path({"dialog", "future_route_decision"}),
                              to_value(decision), value::Parents::kCreate);
    return changed ? *changed : document;
}

const DialogType& chosen_dialog(const DialogTypes& types, const Value& effective) {
    CHECK(!types.all().empty());
    const DialogType* chosen = types.find(text_in(&effective, "dialog.manual_type"));
    return chosen != nullptr ? *chosen : types.all()[0];
}

}  // namespace arbiter::table
