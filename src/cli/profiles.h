// The command profiles, and functions shared by the commands with a profile.
#pragma once

#include <expected>
#include <string_view>

#include "cli/command.h"
#include "config/profiles.h"

namespace arbiter::cli {

// Prints all diagnostics of a file with their lines.
void report(const Console& console, const config::FileDiagnostics& diagnostics);

// Loads the profile that an option names. On failure, reports the error and returns the exit code.
std::expected<profile::Profile, Exit> profile_of(const Call& call, std::string_view option);

Exit run_profiles(const Call& call);

}  // namespace arbiter::cli
