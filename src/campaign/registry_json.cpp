#include "campaign/registry_json.h"

#include "table/layout.h"
#include "text/join.h"
#include "text/nearest.h"

namespace arbiter::campaign {

using table::Tool;
using value::Array;
using value::Object;
using value::Value;

Array settings_json(const table::SettingsRegistry& registry, const Object& effective) {
    Array rows;
    const Value definitions = registry.to_value();
    for (const Value& row : definitions.as_array()) {
        const Value* key = value::find_member(&row, "key");
        rows = std::move(rows).push_back(
            row.as_object().set("value", *effective.find(key->as_string())));
    }
    return rows;
}

std::vector<std::string> dialog_types_of(const table::Registries& registries, const Tool& tool) {
    std::vector<std::string> ids;
    for (const table::DialogType& type : registries.dialogs.all()) {
        if (type.offers(tool.name)) {
            ids.push_back(type.id);
        }
    }
    return ids;
}

Value tool_json(const table::Registries& registries, const Tool& tool, const Value* document,
                base::Language language) {
    const table::ToolSchema schema = table::schema_of(tool, language);
    Object reasons;
    for (const table::Reason& reason : tool.reasons) {
        reasons = std::move(reasons).set(std::string_view(reason.id), reason.text.in(language));
    }
    Array dialogs;
    for (const std::string& id : dialog_types_of(registries, tool)) {
        dialogs = std::move(dialogs).push_back(std::string_view(id));
    }
    Object made = {{"name", std::string_view(tool.name)},
                   {"agent_text", tool.for_agents.in(language)},
                   {"human_text", tool.for_people.in(language)},
                   {"parameters", schema.parameters},
                   {"reasons", std::move(reasons)},
                   {"dialog_types", std::move(dialogs)}};
    if (document != nullptr) {
        const Array& allowed =
            table::array_or_empty(table::find_in_campaign(*document, {"tools", "allow"}));
        made = std::move(made).set("allowed", table::holds_text(allowed, tool.name));
        if (const auto until = table::disabled_until(*document, tool.name)) {
            made = std::move(made).set("disabled_until", *until);
        }
    }
    return made;
}

base::Error unknown_tool(const table::ToolRegistry& tools, std::string_view name) {
    std::vector<std::string_view> known;
    for (const Tool& each : tools.all()) {
        known.push_back(each.name);
    }
    base::Error error(base::ErrorCode::kUnknownTool, {std::string(name), text::join(known)});
    if (const auto meant = text::nearest(name, known)) {
        error.arguments.emplace_back(*meant);
    }
    return error;
}

}  // namespace arbiter::campaign
