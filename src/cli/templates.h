// Templates of campaigns, from files.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "cli/command.h"
#include "config/tools.h"

namespace arbiter::cli {

// Loads a campaign template from YAML or JSON, with its own tools; "demo" is the built-in one. It
// may also name the tools `own`.
std::expected<config::TableTemplate, Exit> load_template(const Console& console,
                                                         const std::string& file,
                                                         std::span<const config::NamedText> own);

}  // namespace arbiter::cli
