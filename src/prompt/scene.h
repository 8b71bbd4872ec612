// The party and the scene of a tabletop campaign in lines that a game master can play from: who the
// players' characters are and how they fare, where the active one is, the exits with their locks in
// words, who and what is there, and the dice of the turn before. Ids are in brackets, because
// tool calls need them. Empty members are not written.
//
// Total: documents are untrusted. Pure.
#pragma once

#include <string>

#include "base/messages.h"
#include "prompt/cache.h"
#include "value/value.h"

namespace arbiter::prompt {

// One or two lines for each member of the party, within about `room` bytes.
std::string party_text(const value::Value& document, base::Language language, std::size_t room);

// The place of the active character; empty without one. `cache` only saves work; nullptr: none.
std::string scene_text(const value::Value& document, base::Language language, Cache* cache);

// "Acting: Ali [ali]."; empty without an active character.
std::string actor_line(const value::Value& document, base::Language language);

// One line for each roll of the last committed turn; empty: there was none.
std::string dice_text(const value::Value& document, base::Language language);

}  // namespace arbiter::prompt
