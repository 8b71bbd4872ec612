// Profile: everything that a table may choose about reading and judging, as one value: which
// dialects are read, what tags mean, and the engine's policy. Written as data (data/profiles, or a
// file of one's own), read here from a Value; where that came from is none of our business.
//
// One table of keys drives reading, help and documentation.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/policy.h"
#include "reader/reader.h"
#include "value/diagnostic.h"
#include "value/value.h"

namespace arbiter::profile {

struct Profile {
    std::string name;
    std::string english;  // one line: what it is for
    std::string chinese;
    std::string extends;         // the profile that it began as, or empty
    reader::Dialects of_model;   // what is read in a model's reply
    reader::Dialects of_player;  // and in what the player typed
    bool hybrid_both = false;
    std::vector<reader::TagHint> tags;
    std::vector<std::string> rulebooks;  // by name, or files: what the world does by itself
    engine::Policy policy;
};

// How replies of an actor are read under a profile.
reader::Options reading(const Profile& profile, engine::Actor actor);

// The profile that a written one extends, if it says so in a way that can be understood.
std::optional<std::string> extended(const value::Value& written);

// What is written, over `base`: a key that is not there keeps what the base has; lists are replaced
// as a whole, tags and features one by one. Gives every fault, not only the first.
std::expected<Profile, value::Diagnostics> parse_profile(const value::Value& written,
                                                         const Profile& base = {});

// A key that can stand in a profile.
struct Key {
    std::string_view group;  // "policy", or empty for the outermost ones
    std::string_view name;
    std::string_view takes;  // "true | false": the same in both languages
    std::string_view english;
    std::string_view chinese;
    // The wrong part of the value, as a path in it, or nothing if all is well.
    std::optional<value::Path> (*read)(const value::Value& value, Profile& profile);
};
// All keys but the names of features, which engine/features.h lists.
std::span<const Key> keys() noexcept;

}  // namespace arbiter::profile
