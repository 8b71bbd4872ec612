// The last turn explained to its player: first the refusals with reasons, then the changes.
// Pure functions.
#pragma once

#include <string>

#include "base/messages.h"
#include "engine/engine.h"
#include "ledger/record.h"
#include "table/player_view.h"
#include "value/value.h"

namespace arbiter::cli {

// `after`: the state after the turn, for names and the reasons of refused calls; `redactor` hides
// what the player could not see before and after it.
std::string why_words(const ledger::Record& record, const table::Redactor& redactor,
                      const engine::State& after, base::Language language);

}  // namespace arbiter::cli
