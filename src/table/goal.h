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

}  // namespace arbiter::table
