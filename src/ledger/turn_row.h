// The row of a turn: its record, encoded, under its id; and the texts by which people name a row.
// Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "ledger/store.h"

namespace arbiter::ledger {

// The row of a record that can be read back, and no other.
struct EncodedTurn {
    TurnRow row;
    std::size_t changes_bytes = 0;  // of the text that holds its changes
};
// Fails with kRecordTooLarge, kRecordTooDeep or kNotUtf8.
base::Result<EncodedTurn> encode_row(const Record& record);

// A number of a turn as it is written; nothing: it is not one.
std::optional<std::size_t> turn_number(std::string_view text) noexcept;

// The ids whose first digits are the text, four or more; nothing: it is not the beginning of one.
struct IdRange {
    TurnId first;
    TurnId last;
};
std::optional<IdRange> ids_that_begin_with(std::string_view text);

}  // namespace arbiter::ledger
