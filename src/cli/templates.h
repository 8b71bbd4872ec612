// Templates of tables: loading one for a campaign, and the command table, which checks them.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "cli/command.h"
#include "config/table_templates.h"

namespace arbiter::cli {

// Loads a template from YAML or JSON, with its own tools; "demo" is the built-in one. It may also
// name the tools `own`.
std::expected<config::TableTemplate, Exit> load_template(const Console& console,
                                                         const std::string& file,
                                                         std::span<const config::NamedText> own);

std::span<const Command> table_commands();

}  // namespace arbiter::cli
