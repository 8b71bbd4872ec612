// The template that a campaign begins from, as an author writes it:
//
//   {id, title?, seed?, world?: {id, name, background, …}, rules?: {…},
//    map?: {id, areas, paths}, characters?: {id: card}, party?: [id], active_actor?: id,
//    goal?: {ultimate_goal_text, is_hidden}, settings?: {key: value}, tools?: [name],
//    dialog_types?: {id: type}, authority?: [{path, tool?, character?}],
//    milestone?: {advance_policy}}
//
// Pure.
#pragma once

#include "table/registries.h"
#include "value/diagnostic.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

// All mistakes of a template, in the order of its parts: unknown keys, wrong types, names of areas,
// characters and tools that do not exist. Members of `world`, `rules` and the items are free.
value::Diagnostics check_template(const value::Value& written, const Registries& registries,
                                  const value::Object& globals);

// The first diagnostic as one error that names its path.
base::Error first_error(const value::Diagnostics& diagnostics);

}  // namespace arbiter::table
