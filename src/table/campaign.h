// Campaign: creating a campaign, and the player's actions outside the story.
//
// Each function returns a new document and the action that explains the change (see conflicts.h),
// so that the initial state and the recorded actions explain every later state. None of them is a
// tool: the model cannot call them. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "engine/engine.h"
#include "table/registries.h"
#include "value/array.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

struct Step {
    value::Value document;
    value::Object action;                    // {kind: "player", what, time, changes}
    std::optional<value::Object> meta = {};  // the metadata, where that changed
};

// The tools that a template without a list allows.
value::Array usual_tools();

// Creates the campaign that a template (table/template.h) describes. `document` holds the other
// data of a card or a save; the campaign is added to it. Fails with the first mistake of the
// template.
base::Result<value::Value> begin_campaign(const value::Value& document, const value::Value& written,
                                          const Registries& registries,
                                          const value::Object& globals, engine::Instant now);

// Applies the whole patch or none of it, and increments the revision. Updates the dialog type and
// the milestone policy accordingly.
base::Result<Step> patch_settings(const engine::State& state, const value::Object& patch,
                                  const Registries& registries, const value::Object& globals,
                                  engine::Instant now);
// The settings of another state of the campaign in place of those of `state`. Values that are not
// valid here have no effect, as in an old save.
base::Result<Step> take_settings(const engine::State& state, const engine::State& from,
                                 const Registries& registries, const value::Object& globals,
                                 engine::Instant now);
// Fails with kNotInParty.
base::Result<Step> select_actor(const value::Value& document, std::string_view character,
                                engine::Instant now);
// Adds a character to the party, or removes it. The active actor cannot leave. Fails with kNotFound
// or kNotInParty.
base::Result<Step> join_party(const value::Value& document, std::string_view character,
                              engine::Instant now);
base::Result<Step> leave_party(const value::Value& document, std::string_view character,
                               engine::Instant now);
// A value that a player gives to a character: one of these.
struct CharacterChange {
    std::string character;
    std::optional<std::int64_t> hp = {};          // kept within its range
    std::optional<std::string> area = {};         // an id
    std::optional<std::string> alive_state = {};  // the hit points follow it
};
// Fails with kNotFound for a character or an area that does not exist.
base::Result<Step> change_characters(const value::Value& document,
                                     std::span<const CharacterChange> changes,
                                     const value::Object& settings, engine::Instant now);
// Fails with kUnknownKey for a tool that is not registered.
base::Result<Step> allow_tools(const value::Value& document, const value::Array& names,
                               const Registries& registries, engine::Instant now);
// Disables a tool until turn `until_turn`; a past turn enables it again.
base::Result<Step> disable_tool(const value::Value& document, std::string_view tool,
                                std::int64_t until_turn, const Registries& registries,
                                engine::Instant now);
// Stores a router's decision in campaign.dialog.future_route_decision. It has no effect: the
// player's selection wins.
base::Result<Step> store_route(const value::Value& document, const RouteDecision& decision,
                               engine::Instant now);
// Ends the campaign. Usual reasons: goal_achieved, given_up.
base::Result<Step> end_campaign(const value::Value& document, std::string_view reason,
                                engine::Instant now);

}  // namespace arbiter::table
