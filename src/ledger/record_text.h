// Record text: a record as two JSON texts, and back.
//
// The replay part holds what replaying the turn needs and the changes it made; the details part
// holds the rest. The replay part names the SHA-256 of the details part, and its own SHA-256 is the
// turn's id. docs/ledger.md describes the members.
//
// Format 3 is written. Formats 1 and 2 are read: all give the same Record.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "ledger/record.h"

namespace arbiter::ledger {

struct EncodedRecord {
    std::string replay_part;
    std::string details_part;
};

EncodedRecord print_record(const Record& record);

// Input is not trusted: they fail with kRecordField or kCorrupt.
// `with_changes` false: without the changes (steps, meta), which are most of the text of some
// turns.
base::Result<Record> parse_record(const EncodedRecord& encoded, bool with_changes = true);
// Without the details.
base::Result<Record> parse_replay_part(std::string_view replay_part);
// Without the details and the changes (steps, meta): enough to play the turn again.
base::Result<Record> parse_replay_inputs(std::string_view replay_part);

// The format of a replay part.
int record_format(std::string_view replay_part) noexcept;

}  // namespace arbiter::ledger
