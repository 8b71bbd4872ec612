// Campaign: how one begins, and what its player does to it beside speaking.
//
// Each of these gives a new document, and with it the action that explains the change (see
// conflicts.h), so that the actions of a campaign from its first state on tell all of it. None of
// them is a tool: the model cannot ask for them.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "engine/engine.h"
#include "table/registries.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

struct Step {
    value::Value document;
    value::Object action;  // {kind: "player", what, time, changes}
};

// A document with a campaign, from what somebody wrote:
//
//   {id, title?, seed?, world?: {id, name, background}, rules?: {…},
//    map?: {id, areas, paths}, characters?: {id: card}, party?: [id], active_actor?: id,
//    goal?: {ultimate_goal_text, is_hidden}, settings?: {key: value}, tools?: [name],
//    authority?: [{path, tool?, character?}], milestone?: {advance_policy}}
//
// `document` is what a card or a save brings beside it. Everything is checked; unknown keys,
// tools, areas and characters are errors that name them.
base::Result<value::Value> begin_campaign(const value::Value& document, const value::Value& written,
                                          const Registries& registries,
                                          const value::Object& globals, engine::Instant now);

// All or nothing; counts a revision. The dialog type and the milestone's policy follow.
base::Result<Step> patch_settings(const value::Value& document, const value::Object& patch,
                                  const Registries& registries, const value::Object& globals,
                                  engine::Instant now);
// Fails with kNotInParty.
base::Result<Step> select_actor(const value::Value& document, std::string_view character,
                                engine::Instant now);
// Into the party, or out of it; whoever acts stays. Fails with kNotFound, kNotInParty.
base::Result<Step> join_party(const value::Value& document, std::string_view character,
                              engine::Instant now);
base::Result<Step> leave_party(const value::Value& document, std::string_view character,
                               engine::Instant now);
// Fails with kUnknownKey for a tool that is not registered.
base::Result<Step> allow_tools(const value::Value& document, const value::Array& names,
                               const Registries& registries, engine::Instant now);
// Off until so many turns are committed; a turn in the past switches it on again.
base::Result<Step> disable_tool(const value::Value& document, std::string_view tool,
                                std::int64_t until_turn, const Registries& registries,
                                engine::Instant now);
// The player or the story says that it is over: goal_achieved, given_up.
base::Result<Step> end_campaign(const value::Value& document, std::string_view reason,
                                engine::Instant now);

}  // namespace arbiter::table
