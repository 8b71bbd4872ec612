// Judging: one reply on the state of a campaign, and what is kept of it. Live play and replays go
// through the same functions, so that a turn that is played again leads to the same state.
#pragma once

#include <string>
#include <vector>

#include "campaign/stage.h"
#include "model/model.h"
#include "reader/reader.h"

namespace arbiter::campaign {

// The state in which a turn begins: what the player said may have switched protocols.
engine::State begin_turn(const engine::State& state, std::string_view said, std::int64_t number,
                         const protocol::Library& library);

// Tool calls that came beside the text, as proposals.
std::vector<proposal::Proposal> proposals_of(std::span<const prompt::NativeToolCall> calls,
                                             std::uint32_t batch);

// What is counted of a campaign's models, in its metadata.
struct Spent {
    std::int64_t tokens = 0;
    std::int64_t calls = 0;
};
Spent spent_of(const value::Object& meta) noexcept;
value::Object with_spent(value::Object meta, const Spent& spent);

// A failed call of an earlier attempt, as far as later turns want to know of it.
value::Array encode_failed(std::span<const table::FailedCall> failed);
std::vector<table::FailedCall> decode_failed(const value::Array& encoded);

// What surrounds the commands of a turn: all that a replay must know beside them.
struct Around {
    value::Object globals;  // settings of all campaigns at the time
    std::int64_t tokens = 0;
    std::vector<table::FailedCall> failed;  // of all attempts
};
// As members of a record's `extra`, and out of it again.
value::Object with_around(value::Object extra, const Around& around);
Around around_of(const value::Object& extra);

// The end of a turn whose reply was accepted.
table::Closed close(const engine::State& candidate, const Stage& stage,
                    const value::Object& settings, const engine::Context& context,
                    const Around& around);

}  // namespace arbiter::campaign
