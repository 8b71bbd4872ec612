// Goal: what a campaign is about in the end. Asked of the model once, never rewritten, and hidden
// from the player where the campaign says so.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/messages.h"
#include "value/value.h"

namespace arbiter::table {

// What the model is asked: the world's background, the map and the characters, and what is wanted.
std::string goal_request(const value::Value& document, base::Language language);

// The document with its goal. Fails with kGoalFixed where there is one already, with kNoCampaign,
// or with kBadField for an empty text or one beyond base::kToolTextBytesMax.
base::Result<value::Value> set_goal(const value::Value& document, std::string_view text,
                                    bool is_hidden);
bool is_goal_hidden(const value::Value& document) noexcept;

// What a player may see of the document: without a hidden goal, also where it was copied to.
// Everything that goes to a player or into an export for one goes through here; it looks at every
// text of the document.
value::Value for_player(const value::Value& document);
// The same for a text: where it quotes the hidden goal, dots stand instead.
std::string for_player(const value::Value& document, std::string_view text);

}  // namespace arbiter::table
