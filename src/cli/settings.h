// Settings as words: the same in `arbiter settings set` and in /settings of `arbiter play`.
#pragma once

#include <span>
#include <string>

#include "base/error.h"
#include "base/messages.h"
#include "cli/command.h"
#include "table/settings.h"
#include "value/object.h"

namespace arbiter::cli {

// The patch that words describe: KEY VALUE [KEY VALUE]…, or KEY=VALUE…. A value that is not JSON is
// a text, and `default` resets a key. Switching on one flag alone switches off the flag that it
// excludes. Fails with kUnknownKey, kMisspelledKey or kMissingArgument.
base::Result<value::Object> parse_settings(std::span<const std::string> words,
                                           const table::SettingsRegistry& registry);
// key = value, one a line, for the keys of a patch.
std::string settings_lines(const value::Object& patch, const value::Object& effective);
// A definition with its value in effect.
std::string describe_setting(const table::SettingDefinition& definition, const value::Value& value,
                             base::Language language);

Exit run_settings(const Call& call);

}  // namespace arbiter::cli
