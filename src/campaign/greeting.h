// Greetings: the first message of a card's story, its variables, and switching to another one.
//
// A switch goes back to turn 0, sets the state that the other greeting begins with (an edit), and
// plays the greeting. The old one stays as a branch.
#pragma once

#include <string>
#include <string_view>

#include "campaign/session.h"
#include "config/card_start.h"
#include "config/diagnostics.h"

namespace arbiter::campaign {

// The number of the greeting that a state began with. Campaigns of older versions have none: 0.
std::size_t greeting_of(const value::Object& meta);
value::Object with_greeting(value::Object meta, std::size_t greeting);

// The options of a start with this greeting. Random macros of the card follow from the campaign id.
config::StartOptions start_options(std::string_view id, std::size_t greeting, std::string user,
                                   const CardOptions& options);

// The turn that a greeting is: a reply of the card's author, not of the model.
turn::SuppliedReply greeting_turn(const config::Start& start, engine::Instant now);

// Fails with kCampaignNoCard, kGreetingUnknown, or kGreetingTooLate once a turn has been played.
// For a greeting without text, the result has no id.
base::Result<turn::TurnResult> switch_greeting(Session& session, std::size_t greeting,
                                               engine::Instant now);

// Begins the story with a greeting as a client has it, with its <initvar> elements, in place of the
// card's first one: if it is one of the card's, or begins with other variables. Returns whether it
// does; else nothing has changed. Fails with kGreetingTooLate.
base::Result<bool> begin_with_greeting(Session& session, std::string_view text,
                                       engine::Instant now);

}  // namespace arbiter::campaign
