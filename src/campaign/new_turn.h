// new_turn(): a turn that passed as the ledger takes it.
#pragma once

#include "ledger/new_turn.h"
#include "turn/machine.h"

namespace arbiter::campaign {

// Without the rules that it was played under, the settings of all campaigns and the key of its
// request: the session knows them. Borrows from `commit`.
ledger::NewTurn new_turn(const turn::Commit& commit);

}  // namespace arbiter::campaign
