// Verdicts as people and programs read them.
#pragma once

#include <string>

#include "engine/engine.h"

namespace arbiter::engine {

// `applied set a.b: 1 → 2 ! repaired`, `failed delete a.c X not_found`: one line, in no language.
std::string describe(const Verdict& verdict);

// The audit record of a command: {opId, time, actor, action, key, status, before?, after?, code?,
// reason?, tags?, options?, dialect, span, changes}. before and after are absent where nothing was.
value::Value audit_record(const proposal::Proposal& proposal, const Verdict& verdict,
                          const Context& context);
// The records of a whole batch, which share what is the same in them; one for each proposal.
std::vector<value::Value> audit_records(std::span<const proposal::Proposal> proposals,
                                        std::span<const Verdict> verdicts, const Context& context);

// The same for what the engine removed by itself: action "expire", actor "system".
value::Value audit_record(const Expired& expired, const Context& context);

// Undoes what one verdict or a batch of them did, newest first, from their records. Fails when the
// document has changed since in the same places.
base::Result<value::Value> undo(const value::Value& document,
                                std::span<const value::Value> records);

}  // namespace arbiter::engine
