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

// Whether a name is that of a file: one with a slash in it, or that ends in .yaml or .yml.
bool is_file(std::string_view name) noexcept;
// There is no such name; {0} = the name, {1} = the one that was probably meant, or all.
base::Error unknown_name(base::ErrorCode code, std::string_view name,
                         std::span<const BuiltIn> known);

// From a file, or built in.
std::expected<profile::Profile, Trouble> load_profile(std::string_view name_or_file);
// A profile that is already read; `file` is where it came from, for messages and for what it
// extends.
std::expected<profile::Profile, Trouble> load_profile_text(std::string file, std::string text);

}  // namespace arbiter::config
