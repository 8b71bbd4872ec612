// Names: who {{user}} and {{char}} are, and the texts of a card that macros and lore may use. One
// place for greetings, lore, prompts and replacements.
#pragma once

#include <string>

#include "card/card.h"
#include "card/regex_script.h"
#include "prompt/lore.h"
#include "prompt/macros.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::prompt {

// The setting user.name, else the name of the active character, else "User".
std::string user_name(const value::Value& document, const value::Object& settings);

// A world with the card's name and texts. `card`: nullptr: none.
MacroWorld macro_world(const card::Card* card, std::string user);
// The regex scripts of the card; none without a card.
card::Replacements card_replacements(const card::Card* card, std::string user);
// How the lore of a campaign with this card is read. `plays_mvu`: the campaign's profile is one of
// MVU. MVU finds keys inside words and gives lore the whole window, for its cards as well.
LoreSettings lore_settings(const card::Card* card, bool plays_mvu);

}  // namespace arbiter::prompt
