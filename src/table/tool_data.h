// Tools as data: a tool that an author registers in a file instead of in C++.
//
//   name: heal
//   agent_text: {en: …, zh: …}        human_text: {en: …, zh: …}
//   args:   {who: {type: character, about: {en, zh}}, amount: {type: integer, min: 1, about: …}}
//   reasons:    {too_tired: {en: "{0} is too tired.", zh: …}}
//   conditions: [{holds: FORMULA, reason: too_tired, details?: [FORMULA], about: {en, zh}}]
//   let?:       {before: FORMULA, luck: {roll: 2d6}}
//   effect:     [{set: PATH, to: VALUE}, {add: PATH, by: VALUE}, {push: PATH, value: VALUE},
//                {remove: PATH, value: VALUE}, {delete: PATH}]   each with an optional if: FORMULA
//   check:      [FORMULA over the state after the effect]
//   result?:    {name: FORMULA over the state after the effect}
//   continues_turn?: true
//
// Formulas are those of expr/formula.h. Nothing is executed but these: a tool of data has no loops,
// and its work is bounded by base::kToolRowsMax and the limits of formulas. Its effect is applied
// with the rights of a player. Below `campaign` it may write characters, areas, paths, world and
// rules only. Pure.
#pragma once

#include <expected>

#include "table/tool.h"
#include "value/diagnostic.h"
#include "value/value.h"

namespace arbiter::table {

// Fails with every mistake; a part that is missing is named.
std::expected<Tool, value::Diagnostics> compile_tool(const value::Value& written);

}  // namespace arbiter::table
