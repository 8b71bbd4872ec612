// The table of keys of a profile, for parsing, help and documentation.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/text.h"
#include "profile/profile.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::profile {

// A key of a profile.
struct Key {
    std::string_view group;  // "policy", or empty for the outermost ones
    std::string_view name;
    std::string_view takes;  // "true | false": the same in both languages
    base::TextView help;
    // Reads the value into the profile. Returns the path of a wrong part inside it, or nothing.
    std::optional<value::Path> (*read)(const value::Value& value, Profile& profile);
};
// All keys except the names of features, which engine/features.h lists.
std::span<const Key> keys() noexcept;

}  // namespace arbiter::profile
