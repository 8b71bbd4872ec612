// What commands with a profile share.
#pragma once

#include <expected>
#include <string_view>

#include "cli/command.h"
#include "config/profiles.h"

namespace arbiter::cli {

// Everything that is wrong with a file, with its lines.
void report(const Console& console, const config::FileDiagnostics& diagnostics);

// The profile that an option names; complains where there is none.
std::expected<profile::Profile, Exit> profile_of(const Call& call, std::string_view option);

}  // namespace arbiter::cli
