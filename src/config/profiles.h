// Loads profiles by name or from a file and applies them over the profiles that they extend.
//
// The profiles of data/profiles are part of the binary; the disk is only read for the name of a
// file.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "config/diagnostics.h"
#include "config/text_resolver.h"
#include "profile/profile.h"

namespace arbiter::config {

// By name or from a file; the second searches `texts`.
std::expected<profile::Profile, FileDiagnostics> load_profile(std::string_view name_or_file);
std::expected<profile::Profile, FileDiagnostics> load_profile(std::string_view name_or_file,
                                                              TextResolver& texts);
// From a text. `file` is its origin, for messages and for relative names in `extends`.
std::expected<profile::Profile, FileDiagnostics> load_profile_text(std::string file,
                                                                   std::string text);

}  // namespace arbiter::config
