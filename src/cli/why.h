// The last turn explained to its player: first what was refused and why, then what has changed.
// Pure functions.
#pragma once

#include <string>

#include "base/messages.h"
#include "ledger/record.h"
#include "table/player_view.h"
#include "value/value.h"

namespace arbiter::cli {

// `after`: the document after the turn, for names; `redactor` hides what the player could not see
// before and after it.
std::string why_words(const ledger::Record& record, const table::Redactor& redactor,
                      const value::Value& after, base::Language language);

}  // namespace arbiter::cli
