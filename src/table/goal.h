// Goal: the ultimate goal of a campaign. It is requested from the model once, never rewritten, and
// hidden from the player if the campaign says so. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/messages.h"
#include "value/value.h"

namespace arbiter::table {

// The request sent to the model: world background, map, characters and the task.
std::string goal_request(const value::Value& document, base::Language language);

// Returns the document with the goal set. Fails with kGoalFixed if a goal exists, with kNoCampaign,
// or with kBadField if the text is empty or longer than base::kToolTextBytesMax.
base::Result<value::Value> set_goal(const value::Value& document, std::string_view text,
                                    bool is_hidden);
bool is_goal_hidden(const value::Value& document) noexcept;

}  // namespace arbiter::table
