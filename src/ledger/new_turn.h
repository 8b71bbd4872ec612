// NewTurn: the parts of a finished turn, and the record made of them. Actions are encoded here and
// nowhere else.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ledger/record.h"
#include "ledger/store.h"
#include "proposal/proposal.h"
#include "turn/attempt.h"

namespace arbiter::ledger {

struct NewTurn {
    engine::Context context;  // its batch id is the campaign's next_batch()
    std::string said;         // by the player, before the reply
    std::string raw;
    std::vector<turn::Round> rounds;
    std::string shown;
    std::string told;  // reader::told
    std::span<const proposal::Proposal> proposals;
    std::size_t player_proposals = 0;          // the first ones: commands in the player's words
    const engine::Outcome* outcome = nullptr;  // its state is the one after the turn
    std::span<const rules::Effect> effects;
    // Every change of the document, in order.
    std::span<const turn::Action> actions;

    value::Object rules;      // names → digests of the texts it was judged under
    std::vector<Blob> texts;  // those of the texts that are not stored yet
    value::Object globals;    // settings of all campaigns
    turn::Usage usage;
    std::optional<std::int64_t> story_tokens = {};
    std::span<const turn::FailedCall> failed_calls;
    turn::MetaEdits host;
    std::string actor_id;
    std::optional<std::int64_t> settings_revision;
    value::Array trace;
    std::optional<RequestKey> key = {};
    std::optional<std::string> continues = {};
};

// The record of a turn, without its place in the campaign (campaign, parent, number, state, meta).
// Fails with kCorrupt when an action refers to nothing.
base::Result<Record> encode_turn(const NewTurn& turn);

}  // namespace arbiter::ledger
