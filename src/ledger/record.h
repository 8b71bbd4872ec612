// Record: one turn as it is stored, and the hash of the state it led to.
//
// A turn's id is the SHA-256 of its record, which holds the id of the parent: a turn vouches for
// all turns before it, a turn stored twice is one turn, and any later change is detected.
//
// A record stores each change of the document once, as a step, and each command once, as a
// proposal. Audit records and the turn log refer to both; audit_records() and applied_actions()
// join them again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/engine.h"
#include "ledger/digest.h"
#include "turn/finish.h"
#include "turn/rounds.h"
#include "value/array.h"
#include "value/diff.h"
#include "value/object.h"

namespace arbiter::ledger {

using TurnId = Digest;

// A tool call that was refused, of any attempt: later turns count them.
struct RecordedCall {
    std::string tool;
    std::string key;  // equal for the same request in another turn
    std::string reason;
    bool is_error = false;  // malformed; otherwise refused
    friend bool operator==(const RecordedCall&, const RecordedCall&) = default;
};

// Given by the caller of a turn, so that repeating the request stores it once.
struct RequestKey {
    std::string key;
    // A digest of the request: the same key must not mean another one. Empty: the key was made for
    // this request alone.
    std::string request;
    friend bool operator==(const RequestKey&, const RequestKey&) = default;
};

// A change of the state that no command made, such as a settings patch or a restored world.
struct Edit {
    std::string reason;
    value::Object action;  // for the turn log; may be empty
};

// An entry of the turn log. The n-th entry with an `audit` index owns the n-th step.
struct ActionEntry {
    std::optional<std::size_t> audit;  // the audit record it belongs to; none in format 1
    // {kind, …}; empty: they follow from the audit record. Without `audit` with its changes.
    value::Object members;
};

struct Record {
    int format = 3;            // in which it is stored
    bool is_repaired = false;  // its texts have U+FFFD for bytes that are not UTF-8
    std::string campaign;
    std::optional<TurnId> parent;  // none: the first turn
    std::int64_t number = 0;       // of turns before it
    // Its number in the story, in which an edit keeps the number of the turn before it. Absent in
    // records without an edit before them: equal to `number`.
    std::optional<std::int64_t> story_number;
    engine::Actor actor = engine::Actor::kSystem;
    engine::Instant time = 0;
    std::int64_t revision = 1;    // turn::kRevision when it was judged
    std::string batch;            // the id of its batch of commands
    std::string shown;            // the visible part of the reply
    std::string told;             // the same with its components (reader/told.h); empty: none
    value::Array said_proposals;  // commands in the player's words; proposal::encode
    value::Array proposals;       // of the reply; proposal::encode
    value::Object rules;          // names → digests of the texts it was judged under
    value::Object globals;        // settings of all campaigns at the time
    turn::Usage usage;            // format 1 did not count calls
    // Of the player's words and the narrative; none in records of the first version.
    std::optional<std::int64_t> story_tokens;
    std::vector<RecordedCall> failed_calls;
    turn::MetaEdits host;
    std::optional<Edit> edit;
    std::string state;  // the hash of the state after the turn

    // Changes: applied in order to the state before the turn, they give the state after it.
    std::vector<value::Diff> steps;  // of the document
    value::Diff meta;

    // Details, which replaying does not need.
    std::string said;                 // by the player, before the reply
    std::string raw;                  // the reply as it came, or the replies of all rounds, joined
    std::vector<turn::Round> rounds;  // empty: there is only one
    value::Array audit;               // entries of ledger/stored_audit.h
    std::vector<ActionEntry> actions;
    std::string actor_id;  // the acting character at the start of the turn
    std::optional<std::int64_t> settings_revision;
    value::Array trace;  // of the attempts, if there were several
    std::optional<RequestKey> key;
    // The reply of the turn before it, as a client showed it, if this one continues it.
    std::optional<std::string> continues;

    // The number that people see.
    [[nodiscard]] std::int64_t shown_number() const noexcept {
        return story_number.value_or(number);
    }
};

// The audit records with their changes, in the order of the actions: undone from the last to the
// first, they lead back to the state before the turn. Large values (kLargeValues) are restored from
// the document before the turn; without it they stay named but absent.
value::Array audit_records(const Record& record, const value::Value* before = nullptr);
// The values of an audit record that are not stored when they are large, and the member that names
// them then.
inline constexpr std::array<std::string_view, 2> kAuditValues = {"before", "after"};
inline constexpr std::string_view kLargeValues = "large";

// The turn log: {kind: expire|command|tool|settle|rules|close, …, changes}, in order.
value::Array applied_actions(const Record& record);
// The kind and the members of a turn log entry that follow from its audit record.
value::Object derived_action(const value::Object& audit);

// The hash of a state: 32 hex digits over document and metadata, order kept.
std::string hash_of(const engine::State& state);

// A whole state as text, and back. Parsing fails with kCorrupt.
std::string print_state(const engine::State& state);
base::Result<engine::State> parse_state(std::string_view text);

// The result of all steps on a document. Fails with kDiffMismatch.
base::Result<value::Value> apply_steps(const std::vector<value::Diff>& steps,
                                       const value::Value& document);

// Applies a record's changes to the state before it. Fails with kCorrupt when they do not fit or
// the result has another hash.
base::Result<engine::State> step(const engine::State& before, const Record& record);

// Fails with kCorrupt unless a record's changes lead from the state before to the one after. The
// states are compared part by part, without hashes: parts that did not change are shared.
base::Result<> check_changes(const engine::State& before, const Record& record,
                             const engine::State& after);

}  // namespace arbiter::ledger
