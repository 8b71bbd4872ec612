// Stored audit: the audit records of a turn without the members that follow from its proposals and
// its steps, and the whole records again.
//
// An entry of Record::audit is
//   {…}                          a whole record: expired nodes, and commands that were refused,
//                                repaired or remarked on; formats 1 and 2 have no others;
//   n or [n, {…}]                the applied proposal n, with members that do not follow: op, opId,
//                                and key, before, after unless its step begins with that change;
//   "rule" or ["rule", {…}]      an effect of a rule, with key, before and after likewise.
#pragma once

#include <optional>
#include <vector>

#include "ledger/new_turn.h"
#include "ledger/record.h"

namespace arbiter::ledger {

// How a record is stored: its changes are those of the step of the only action that refers to it,
// or they are not.
enum class Changes : std::uint8_t { kInStep, kOwn };

// The entries of expired nodes, proposals and effects, in this order. `changes` has one element for
// each.
std::vector<value::Value> store_audit(const NewTurn& turn, const std::vector<Changes>& changes);

// The whole records in the order of the entries, without changes that are in steps. An entry that
// does not fit its record (which the input may claim) becomes an empty object.
std::vector<value::Value> restore_audit(const Record& record);

// The step of each entry that exactly one action refers to.
std::vector<std::optional<std::size_t>> steps_of_audit(const Record& record);

}  // namespace arbiter::ledger
