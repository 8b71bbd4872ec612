// Card: a character card of version 1, 2 or 3 as plain data.
//
// Cards are untrusted input: nothing in a card is executed, scripts are only listed, and names in a
// card are never used as file names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "value/object.h"
#include "value/value.h"

namespace arbiter::card {

// A lorebook entry that defines initial variables ("[initvar]" in its comment or name).
struct Initvar {
    std::string name;
    std::string text;
    friend bool operator==(const Initvar&, const Initvar&) = default;
};

// A script that other programs would execute. Arbiter keeps it with the card and does not run it.
struct CardScript {
    enum class Kind : std::uint8_t {
        kRegex,     // text replacement (extensions.regex_scripts)
        kHelper,    // JavaScript of the tavern helper
        kSchema,    // the same, registering a schema of the variables (MVU zod)
        kTemplate,  // <% … %> in a text
        kHtml       // <script> in a text
    };
    Kind kind;
    std::string name;  // its own name, or that of the field that contains it
    bool loads_mvu = false;
    friend bool operator==(const CardScript&, const CardScript&) = default;
};
std::string_view name(CardScript::Kind kind) noexcept;  // "regex", "helper", …

// A text that is put between the newest messages (extensions.depth_prompt).
struct DepthPrompt {
    std::string text;  // empty: none
    std::size_t depth = 4;
    std::string role = "system";  // or "user", "assistant"
    friend bool operator==(const DepthPrompt&, const DepthPrompt&) = default;
};

struct Card {
    enum class Form : std::uint8_t { kPng, kJson, kYaml, kCharx };
    Form form = Form::kJson;
    int version = 1;  // 1, 2 or 3; newer versions are read as 3

    std::string name;
    std::string nickname;  // replaces the name in {{char}}; empty: none
    std::string description;
    std::string personality;
    std::string scenario;
    std::vector<std::string> greetings;  // first message, then alternatives; never empty
    std::vector<std::string> group_greetings;
    std::string example_messages;
    std::string system_prompt;              // empty: the player's own
    std::string post_history_instructions;  // empty: the player's own
    // Metadata, never part of a prompt.
    std::string creator;
    std::string creator_notes;
    std::string character_version;
    std::vector<std::string> tags;

    value::Value character_book;  // null: none
    std::string linked_world;     // name of a lorebook that is not embedded in the card
    value::Object extensions;
    DepthPrompt depth_prompt;
    std::vector<std::string> protocols;  // configuration.protocols, enabled_schemas
    std::vector<Initvar> initvars;       // in book order, disabled entries included
    std::vector<CardScript> scripts;
    value::Value whole;  // the card as written, with unknown fields
};

// The name that {{char}} stands for.
const std::string& display_name(const Card& card) noexcept;
// Whether the lorebook or a greeting initialises MVU variables.
bool has_variables(const Card& card) noexcept;
// Whether it is made for MVU: it has variables, or a script that loads MVU or registers a schema.
bool is_mvu(const Card& card) noexcept;
// The name of the shipped profile that plays the card like other programs do: mvu-card applies the
// structure rules of its variables, mvu-lenient does not (a script has a schema of its own), auto
// is for cards without variables.
std::string_view usual_profile(const Card& card) noexcept;

}  // namespace arbiter::card
