// Engine: (state, proposals, policy, clock) → (state, verdicts).
//
// Pure: the same arguments give the same bytes on every machine, and nothing is kept between calls,
// so any thread may call it. Every proposal gets exactly one verdict, in order. A proposal that is
// refused, skipped or fails has no effect: no created parents, no idempotency key, no copy in the
// recycle bin. A transaction takes effect as a whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "engine/instant.h"
#include "engine/policy.h"
#include "proposal/proposal.h"
#include "value/diff.h"
#include "value/value.h"

namespace arbiter::engine {

// The document, and the engine's own data about it (timers, idempotency keys, structure rules).
// They belong together and are saved together.
struct State {
    value::Value document = value::Object();
    value::Object meta;
    friend bool operator==(const State&, const State&) = default;
};

struct Context {
    Instant now = 0;
    Actor actor = Actor::kModel;
    std::string batch_id;  // unique for this call; operation ids are made from it
    // The state before the turn, if this call judges only a part of the turn: limits per turn count
    // from there. Default: the call is the whole turn.
    std::optional<State> turn_start = {};
    // Pays for conditions, patterns, formulas and checks. Several calls of one turn share it.
    // Default: the call has a budget of its own.
    base::Budget* budget = nullptr;
    // The commands were read from a text, such as the greeting of a card. Those of the system may
    // then not touch what is closed to texts.
    bool is_text = false;
};

struct Verdict {
    proposal::Status status = proposal::Status::kApplied;
    std::optional<proposal::Problem> problem;  // the reason if it was not applied
    proposal::Warnings warnings;
    std::vector<proposal::Remark> remarks;  // the particulars of some warnings
    std::optional<proposal::Op> op;      // the operation carried out; `add` may become another one
    value::Path path;                    // in the document; array indexes as numbers
    std::optional<value::Value> value;   // the result of get, pop, splice and pull
    std::optional<value::Value> before;  // at the path; nothing if there was no value
    std::optional<value::Value> after;
    value::Diff changes;                     // of the document; empty unless applied
    std::string id;                          // of this operation
    Actor actor = Actor::kModel;             // the author of the proposal
    std::string tool;                        // of a tool call
    std::string reason;                      // of a refused tool call, as its tool names it
    std::vector<std::string_view> left_out;  // names of the features that were switched off
};

// A callback that a proposal asks the host to make.
struct Event {
    std::string name;
    value::Array arguments;
    std::size_t proposal = 0;  // its index
};

// A node that the engine removed because its time was over (options ttl and expiresAt).
struct Expired {
    value::Path path;
    value::Value value;
    bool binned = false;                 // it is in the recycle bin now
    std::vector<value::Path> kept = {};  // protected nodes of it that stayed; the rest was deleted
    value::Diff changes;                 // of the document
    std::string id;                      // of this removal
};

struct Outcome {
    State state;
    std::vector<Verdict> verdicts;  // one for each proposal
    std::vector<Event> events;
    std::vector<Expired> expired;
};

// The document as it is read at an instant: without expired nodes.
value::Value current_document(const State& state, Instant now);

// Removes expired nodes first, then judges the proposals batch by batch (engine/batch.h).
Outcome apply(const State& state, std::span<const proposal::Proposal> proposals,
              const Policy& policy, const Context& context);

}  // namespace arbiter::engine
