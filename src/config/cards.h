// Cards: character cards of versions 1, 2 and 3, from PNG, JSON or YAML, as one plain struct.
//
//   auto card = load_card("mei.png");
//   auto start = initial_state(*card, {.greeting = 1, .user = "阿青"});
//
// A card is written by a stranger: any bytes give a Card or a Trouble, within base/limits.h, and
// nothing in it is ever run. Scripts are only named. Names in a card are never names of files.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "card/card.h"
#include "config/profiles.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::config {

using card::Card;
using card::CardScript;
using card::Initvar;

// `file` is for messages; the form is told by the bytes themselves.
std::expected<Card, Trouble> parse_card(std::string file, std::string_view bytes);
std::expected<Card, Trouble> load_card(const std::string& file);

// First variables that lie beside a card: written alone, or the [initvar] entries of a lorebook.
std::expected<std::vector<Initvar>, Trouble> load_initvars(const std::string& file);

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
// Macros are expanded as in any text of an author (prompt/macros.h). Fails with a Trouble whose
// text is that of the entry that cannot be read.
std::expected<Start, Trouble> initial_state(const Card& card, const StartOptions& options = {});

}  // namespace arbiter::config
