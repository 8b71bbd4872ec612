// Describe: verdicts as text for tests and terminals, and as records of the audit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace arbiter::engine {

// One line without translated words: `applied set a.b: 1 → 2 ! repaired`,
// `failed delete a.c X not_found`.
std::string describe(const Verdict& verdict);

// The audit of a batch: one record for each node that expired, then one for each proposal, whose
// number must be that of the verdicts. A record is {opId, time, actor, action, key, status, op?,
// before?, after?, code?, value?, expected?, actual?, details?, warnings?, remarks?, leftOut?,
// reason?, options?, metadata?, tags?, dialect, span, changes?}; before and after are absent if
// there was no value. A command that was not carried out has its code with the value that was asked
// for, what the engine expected and what it found. Expired nodes have the action "expire", the
// actor "system" and softDelete; those that were protected have the code "protected" and kept.
//
// `forms` says how the caller stores each record; those that it does not name are whole.
enum class AuditForm : std::uint8_t {
    kWhole,
    kWithoutChanges,  // the caller stores the changes elsewhere
    kNull             // the caller does not need the record: null takes its place
};
std::vector<value::Value> audit_records(std::span<const proposal::Proposal> proposals,
                                        const Outcome& outcome, const Context& context,
                                        std::span<const AuditForm> forms = {});

// Undoes the changes of some records, newest first. Fails if the document has changed since in the
// same places.
base::Result<value::Value> undo(const value::Value& document,
                                std::span<const value::Value> records);

}  // namespace arbiter::engine
