#include "campaign/new_turn.h"

#include "reader/told.h"
#include "table/campaign.h"
#include "table/layout.h"

namespace arbiter::campaign {

ledger::NewTurn new_turn(const turn::Commit& commit) {
    const turn::Begun& begun = *commit.begun;
    const turn::PendingTurn& turn = *commit.turn;
    const turn::Attempt& attempt = turn.finished.attempt;
    ledger::NewTurn made;
    made.context = begun.context;
    made.said = turn.said;
    made.raw = turn.raw;
    made.rounds = turn.rounds;
    made.shown = attempt.reading.text;
    made.told = reader::told(attempt.reading);
    made.proposals = attempt.reading.proposals;
    made.player_proposals = attempt.player_proposals;
    made.outcome = &attempt.outcome;
    made.effects = attempt.effects;
    made.actions = attempt.actions;
    made.usage = turn.usage;
    made.story_tokens = turn.story_tokens;
    made.failed_calls = turn.failed_calls;
    made.host = turn.finished.meta;
    if (table::has_campaign(attempt.candidate().document)) {
        made.actor_id = table::active_actor(begun.state.document);
        made.settings_revision = attempt.settings_revision;
    }
    made.trace = turn.trace;
    made.continues = turn.continues;
    return made;
}

}  // namespace arbiter::campaign
