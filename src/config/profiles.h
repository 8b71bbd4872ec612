// Profiles by name or from a file, with everything that they extend put in.
//
// Those that Arbiter brings (data/profiles) are part of the binary; nothing is looked for on disk
// unless a file is named.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/texts.h"
#include "profile/profile.h"

namespace arbiter::config {

// What is wrong with a file: all that was found, with places in `text`.
struct Trouble {
    std::string file;  // "arbiter" where it is the name itself that is wrong
    std::string text;
    std::vector<base::Error> errors;
};

// From a file, or built in; or from `texts`.
std::expected<profile::Profile, Trouble> load_profile(std::string_view name_or_file);
std::expected<profile::Profile, Trouble> load_profile(std::string_view name_or_file, Texts& texts);
// A profile that is already read; `file` is where it came from, for messages and for what it
// extends.
std::expected<profile::Profile, Trouble> load_profile_text(std::string file, std::string text);

}  // namespace arbiter::config
