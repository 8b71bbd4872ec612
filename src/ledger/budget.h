// Budget: the size limits of stored data. A turn or a state is stored only if it can be read back,
// so the limits of reading (bytes, nesting, UTF-8) are checked here, before anything is committed.
//
// Shared parts of a document count as often as they are written. Both checks cost little memory,
// however large the text would be.
#pragma once

#include <cstddef>

#include "base/error.h"
#include "ledger/record_text.h"

namespace arbiter::ledger {

// Before a record is printed. Fails with kRecordTooLarge or kRecordTooDeep.
base::Result<> check_budget(const Record& record);
// After it is printed. Fails with kRecordTooLarge or kNotUtf8.
base::Result<> check_encoded(const EncodedRecord& encoded);

// An upper bound of the bytes of a stored state. Fails with kStateTooLarge or kRecordTooDeep.
base::Result<std::size_t> measure_state(const engine::State& state);

}  // namespace arbiter::ledger
