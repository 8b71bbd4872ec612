// Feedback: everything that was wrong with an attempt, as one document that is added to the same
// request, in place of the one before. So a model is told, and need not guess.
//
// {failed_calls: [{id, tool, status, reason, code, disabled_until?}],
//  parse_errors: [{error, suggestion, text}],
//  failed_expectations: [{path, expected, actual, reason}],
//  conflicts: [{type, field, expected_state_snippet, mismatch_reason, instructions, found}],
//  refused_commands: [{path, code, reason}], more?: {list: how many are left out}}
#pragma once

#include <span>
#include <string>

#include "base/messages.h"
#include "proposal/proposal.h"
#include "table/judge.h"
#include "value/value.h"

namespace arbiter::table {

// `proposals` are those that were judged.
value::Value feedback(const Judged& judged, std::span<const proposal::Proposal> proposals,
                      const TableSetting& setting, base::Language language);

// Both in one, each entry once: later retries are told of the earlier diagnostics too.
value::Value joined_feedback(const value::Value& earlier, const value::Value& later);

// Whether an attempt is to be made again: failed calls (but those that were suppressed as
// repeated), parse errors, failed expectations, conflicts. Other refused commands are only told.
bool asks_again(const Judged& judged, std::span<const proposal::Proposal> proposals) noexcept;

// As a message to the model.
std::string feedback_text(const value::Value& feedback, base::Language language);

// What the player is given when the retries are spent: {attempts, conflicts, failed_calls, notice,
// choices}.
value::Value conflict_report(const value::Value& feedback, std::int64_t attempts,
                             bool can_roll_back, base::Language language);

}  // namespace arbiter::table
