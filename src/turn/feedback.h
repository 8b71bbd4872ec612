// Feedback: everything that was wrong with an attempt, as one document. It is added to the same
// request, replacing the feedback of the attempt before, or to the request of the next turn.
//
// {failed_calls: [{id, tool, status, reason, code, path?, disabled_until?}],
//  parse_errors: [{error, suggestion, text}],
//  failed_expectations: [{path, expected, actual, reason}],
//  conflicts: [{type, field, expected_state_snippet, mismatch_reason, instructions, found}],
//  refused_commands: [{path, code, reason}], more?: {list: how many are left out}}
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/messages.h"
#include "table/tool.h"
#include "turn/attempt.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::turn {

value::Value feedback(const Attempt& attempt, const table::ToolRegistry& tools,
                      base::Language language);
bool is_empty_feedback(const value::Value& feedback) noexcept;

// Both in one, each entry once: later retries contain the earlier problems too.
value::Value joined_feedback(const value::Value& earlier, const value::Value& later);

// True if an attempt should be made again: failed calls (except those suppressed as repeated),
// parse errors, failed expectations, conflicts. Other refused commands are only reported.
bool asks_again(const Attempt& attempt) noexcept;

// The problems in one line each: the subject and the reason.
std::vector<std::string> problem_lines(const value::Value& feedback, base::Language language);
// As a message to the model that asks for the whole reply again.
std::string feedback_text(const value::Value& feedback, base::Language language);
// The same for feedback about the turn before, which is over.
std::string late_feedback_text(const value::Value& feedback, base::Language language);

// Feedback that waits in the metadata for the next turn's request; null: none.
value::Value pending_feedback(const value::Object& meta);
value::Object with_pending_feedback(value::Object meta, const value::Value& feedback);

struct ReportChoices {
    bool can_accept = false;     // the player may make the claims true
    bool can_roll_back = false;  // to an earlier turn
};
// The report for the player when the retries are used up: {attempts, conflicts, failed_calls,
// notice, choices}.
value::Value conflict_report(const value::Value& feedback, std::int64_t attempts,
                             ReportChoices choices, base::Language language);
// The same about a turn that was committed all the same: without choices.
value::Value conflict_report(const value::Value& feedback, base::Language language);

}  // namespace arbiter::turn
