// Cards: character cards of versions 1, 2 and 3, from PNG, JSON or YAML, as one plain struct.
//
//   auto card = load_card("mei.png");
//   auto start = initial_state(*card, {.greeting = 1, .user = "阿青"});
//
// A card is written by a stranger: any bytes give a Card or a FileDiagnostics, within
// base/limits.h, and nothing in it is ever run. Scripts are only named. Names in a card are never
// names of files.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "config/profiles.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::config {

// A lore entry that brings the first variables ([initvar] in its comment or name).
struct Initvar {
    std::string name;
    std::string text;
    friend bool operator==(const Initvar&, const Initvar&) = default;
};

// Something in a card that another program would run. It is kept with the card and not run here.
struct CardScript {
    enum class Kind : std::uint8_t {
        kRegex,     // rewrites texts on their way (extensions.regex_scripts)
        kHelper,    // JavaScript of the tavern helper
        kSchema,    // the same, and it registers the schema of the variables (MVU zod)
        kTemplate,  // <% … %> in a text
        kHtml       // <script> in a text
    };
    Kind kind;
    std::string name;  // its own, or where it stands
    friend bool operator==(const CardScript&, const CardScript&) = default;
};
std::string_view name(CardScript::Kind kind) noexcept;  // "regex", "helper", …

struct Card {
    enum class Form : std::uint8_t { kPng, kJson, kYaml };
    Form form = Form::kJson;
    int version = 1;  // 1, 2 or 3; newer ones are read as 3

    std::string name;
    std::string nickname;  // stands for {{char}} where there is one
    std::string description;
    std::string personality;
    std::string scenario;
    std::vector<std::string> greetings;  // the first message, then its alternatives; never empty
    std::vector<std::string> group_greetings;
    std::string example_messages;
    std::string system_prompt;              // empty: the player's own
    std::string post_history_instructions;  // the same
    // Never part of a prompt.
    std::string creator;
    std::string creator_notes;
    std::string character_version;
    std::vector<std::string> tags;

    value::Value character_book;  // null: none
    std::string linked_world;     // a lorebook of this name belongs to it, and is not in it
    value::Object extensions;
    std::vector<std::string> protocols;  // configuration.protocols, enabled_schemas
    std::vector<Initvar> initvars;       // in the order of the book, switched off or not
    std::vector<CardScript> scripts;
    value::Value whole;  // all of it as it was written, with what is not known here
};

// `file` is for messages; the form is told by the bytes themselves.
std::expected<Card, FileDiagnostics> parse_card(std::string file, std::string_view bytes);
std::expected<Card, FileDiagnostics> load_card(const std::string& file);

// First variables that lie beside a card: written alone, or the [initvar] entries of a lorebook.
std::expected<std::vector<Initvar>, FileDiagnostics> load_initvars(const std::string& file);

// Whether the card brings variables as MVU has them; in its book or in one of its greetings.
bool has_variables(const Card& card) noexcept;
// The profile under which it plays as it does elsewhere: mvu-card under the structure rules of its
// variables; mvu-lenient where a script would bring its own; auto without variables.
std::string_view usual_profile(const Card& card) noexcept;

struct StartOptions {
    std::size_t greeting = 0;
    std::string user = "User";       // stands for {{user}}
    std::vector<Initvar> more = {};  // after the card's own
    std::uint64_t seed = 0;          // of {{random}}, {{pick}} and {{roll}}
};
struct Start {
    // {"stat_data": {…}}, with the $meta rules still in it (engine/initvar.h takes them out), or
    // {} where the card has no variables.
    value::Value document;
    // What is shown first, with its commands and without its <initvar>; they are the first turn's.
    std::string greeting;
};
// Macros are expanded as in any text of an author (prompt/macros.h). Fails with a FileDiagnostics
// whose text is that of the entry that cannot be read.
std::expected<Start, FileDiagnostics> initial_state(const Card& card,
                                                    const StartOptions& options = {});

}  // namespace arbiter::config
