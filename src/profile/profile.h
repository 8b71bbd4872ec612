// Profile: how replies are read and judged: the dialects, the meanings of tags and the engine's
// policy, parsed from a Value. config/profiles.h loads the files of data/profiles and of users.
//
// One table of keys (profile/keys.h) drives parsing, help and documentation. Pure functions.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "engine/policy.h"
#include "reader/reader.h"
#include "value/diagnostic.h"
#include "value/value.h"

namespace arbiter::profile {

// Who may switch protocols in the course of a story, beside tags of the player and the card.
struct ProtocolSwitches {
    bool keywords = true;         // keywords of the player
    bool model_tags = false;      // <use_protocol> and <end_protocol> in a reply
    bool model_keywords = false;  // keywords in the narrative of a reply
};

struct Profile {
    std::string name;
    base::Text summary;          // one line: its purpose
    std::string extends;         // the profile that it is based on, or empty
    reader::Dialects of_model;   // read in a model's reply
    reader::Dialects of_player;  // read in the player's input
    // The dialects that a prompt teaches. Absent: those that are read in a model's reply.
    std::optional<reader::Dialects> taught;
    bool card_teaches = false;  // the campaign's card explains the commands, if it has a card
    bool hybrid_both = false;
    ProtocolSwitches protocols;
    std::vector<reader::TagHint> tags;
    std::vector<std::string> rulebooks;   // names or files
    std::vector<value::Value> calendars;  // of its own, as data (docs/calendars.md)
    engine::Policy policy;
};

// The dialects that the prompt of a campaign teaches.
reader::Dialects taught_dialects(const Profile& profile, bool has_card) noexcept;

// The options for reading the text of an actor.
reader::Options reading(const Profile& profile, engine::Actor actor);

// The name of the profile that a written one extends, if it is a text.
std::optional<std::string> extended(const value::Value& written);

// Applies a written profile over `base`. Absent keys keep the value of the base; lists are replaced
// as a whole, tags and features one by one. Fails with all diagnostics, not only the first.
std::expected<Profile, value::Diagnostics> parse_profile(const value::Value& written,
                                                         const Profile& base = {});

}  // namespace arbiter::profile
