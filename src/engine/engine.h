// Engine: (state, proposals, policy, clock) → (state, verdicts). Pure: the same arguments give the
// same bytes on every machine; nothing is kept between calls.
//
// Every proposal gets exactly one verdict, in order. One that is refused, skipped or fails leaves
// nothing behind: no created parents, no marks, no copies in the bin. A transaction is all or
// nothing. Rolling back is dropping a pointer, since states are values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/policy.h"
#include "proposal/proposal.h"
#include "value/diff.h"
#include "value/value.h"

namespace arbiter::engine {

// The document, and beside it what the engine itself must remember (timers, idempotency marks,
// structure rules). Both belong together: whoever keeps one keeps the other.
struct State {
    value::Value document = value::Object();
    value::Object meta;
    friend bool operator==(const State&, const State&) = default;
};

// Milliseconds since 1970, UTC.
using Instant = std::int64_t;
// An RFC 3339 text, or nothing.
std::optional<Instant> parse_instant(std::string_view text);
std::string print_instant(Instant instant);

struct Context {
    Instant now = 0;
    Actor actor = Actor::kModel;
    std::string batch_id;  // unique for this call; operation ids are made from it
    // The document before the turn, where this call judges only a part of it: limits for a turn
    // count from there. Nothing: the call is the turn.
    std::optional<value::Value> turn_start = {};
};

struct Verdict {
    proposal::Status status = proposal::Status::kApplied;
    std::optional<proposal::Problem> problem;  // why not
    proposal::Warnings warnings;
    std::optional<proposal::Op> op;      // what was done, where the word left it open
    value::Path path;                    // in the document; indexes of lists as numbers
    std::optional<value::Value> value;   // what get, pop, splice and pull give back
    std::optional<value::Value> before;  // at the path; absent where nothing was
    std::optional<value::Value> after;
    value::Diff changes;                     // of the document; empty unless applied
    std::string id;                          // of this operation
    std::vector<std::string_view> left_out;  // names of the features that were switched off
};

// A callback for the host.
struct Event {
    std::string name;
    value::Array arguments;
    std::size_t proposal = 0;  // which one asked for it
};

// What the engine did by itself: nodes whose time had run out.
struct Expired {
    value::Path path;
    value::Value value;
    bool binned = false;  // it lies in the recycle bin now
    value::Diff changes;  // of the document
    std::string id;       // of this removal
};

struct Outcome {
    State state;
    std::vector<Verdict> verdicts;  // one for each proposal
    std::vector<Event> events;
    std::vector<Expired> expired;
};

Outcome apply(const State& state, std::span<const proposal::Proposal> proposals,
              const Policy& policy, const Context& context);

}  // namespace arbiter::engine
