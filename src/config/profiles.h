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
#include "profile/profile.h"

namespace arbiter::config {

// A file that is part of the binary.
struct BuiltIn {
    std::string_view name;
    std::string_view text;
};
// In the order of their names.
std::span<const BuiltIn> built_in_profiles() noexcept;

// What is wrong with a file: all that was found, with places in `text`.
struct Trouble {
    std::string file;  // "arbiter" where it is the name itself that is wrong
    std::string text;
    std::vector<base::Error> errors;
};

// A name with a slash in it, or one that ends in .yaml or .yml, is a file; else it is built in.
std::expected<profile::Profile, Trouble> load_profile(std::string_view name_or_file);
// A profile that is already read; `file` is where it came from, for messages and for what it
// extends.
std::expected<profile::Profile, Trouble> load_profile_text(std::string file, std::string text);

}  // namespace arbiter::config
