// The registered settings and tools as JSON. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "table/registries.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::campaign {

// The definitions (SettingsRegistry::to_value), each with its value in effect.
value::Array settings_json(const table::SettingsRegistry& registry, const value::Object& effective);

// The dialog types whose prompts offer the tool.
std::vector<std::string> dialog_types_of(const table::Registries& registries,
                                         const table::Tool& tool);
// {name, agent_text, human_text, parameters, reasons, dialog_types}; for a campaign's document also
// {allowed, disabled_until?}. `document` may be nullptr.
value::Value tool_json(const table::Registries& registries, const table::Tool& tool,
                       const value::Value* document, base::Language language);
// kUnknownTool with the nearest name, or all names.
base::Error unknown_tool(const table::ToolRegistry& tools, std::string_view name);

}  // namespace arbiter::campaign
