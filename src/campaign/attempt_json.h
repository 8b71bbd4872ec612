// The results of a judged reply as JSON, in the names of the conformance format, and without the
// values of hidden nodes. Pure functions.
#pragma once

#include "table/player_view.h"
#include "table/tool.h"
#include "turn/attempt.h"
#include "value/array.h"

namespace arbiter::campaign {

// [{op, path, status, code?, value?, warnings?}], one for each proposal in the order of the text.
value::Array results_json(const turn::Attempt& attempt);
// The same with the reason of each refusal in both languages, for people: {…, message?,
// message_zh?}. `tools` explain their own.
value::Array explained_results_json(const turn::Attempt& attempt, const table::ToolRegistry& tools);
// All events other than state changes, in the order of the text: [{event, …}].
value::Array events_json(const turn::Attempt& attempt);

// Removes the values that verdicts, events and effects report from hidden nodes.
void mask_hidden_values(turn::Attempt& attempt, const table::Redactor& redactor);

// True if a command was rejected or failed.
bool is_refused(const turn::Attempt& attempt);

}  // namespace arbiter::campaign
