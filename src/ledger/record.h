// Record: one turn as it is kept for ever, and the state it led to by hash.
//
// The id of a turn is a SHA-256 over its record, which holds the id of its parent: a turn vouches
// for all before it, the same turn kept twice is one, and whatever was changed afterwards is seen.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "engine/engine.h"
#include "ledger/digest.h"
#include "value/array.h"
#include "value/diff.h"
#include "value/object.h"

namespace arbiter::ledger {

using TurnId = Digest;

struct Record {
    std::string campaign;
    std::optional<TurnId> parent;  // none: the beginning
    std::int64_t number = 0;       // of turns before it
    engine::Actor actor = engine::Actor::kSystem;
    engine::Instant time = 0;
    std::string batch;       // the id of its batch of commands
    std::string said;        // what the player said before it
    std::string raw;         // the reply as it came
    std::string shown;       // what the player saw of it
    value::Array proposals;  // proposal::encode
    value::Array audit;      // of commands, then of rules
    value::Diff document;    // what changed
    value::Diff meta;
    std::string state;    // the hash of the state after it
    value::Object rules;  // what it was judged under: names → digests of their texts
    value::Object extra;  // whatever a host needs to play it again
    value::Object notes;  // whatever else it keeps with it
};

// The record as two texts: what playing it again needs, and what people want to know besides (what
// was said, the reply as it came, the audit, notes). The first names the digest of the second, and
// its own digest is the id.
struct Written {
    std::string head;
    std::string body;
};
Written print_record(const Record& record);
// Fails with kRecordField or kCorrupt; what comes from outside is not trusted.
base::Result<Record> parse_record(const Written& written);
// Without what is in the body.
base::Result<Record> parse_head(std::string_view head);

// Both texts in one string of bytes, packed; the first can be had without the second.
std::string pack_record(const Written& written);
base::Result<Written> unpack_record(std::string_view bytes);
base::Result<std::string> unpack_head(std::string_view bytes);

// The hash of a state: 32 hex digits over document and metadata, order kept.
std::string hash_of(const engine::State& state);

// A whole state as text, and back.
std::string print_state(const engine::State& state);
base::Result<engine::State> parse_state(std::string_view text);

// What applying a record's changes to the state before it gives. Fails with kCorrupt when it does
// not fit, or does not have the hash that it should.
base::Result<engine::State> step(const engine::State& before, const Record& record);

}  // namespace arbiter::ledger
