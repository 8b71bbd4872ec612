// Oracles: what must hold of every turn that was committed, and of everything that a player sees.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ledger/campaign.h"
#include "tests/sim/plan.h"
#include "tests/sim/setup.h"
#include "turn/turn_result.h"

namespace arbiter::sim {

struct CommittedTurn {
    const engine::State& before;
    const engine::State& after;
    const turn::TurnResult& result;
    engine::Actor actor = engine::Actor::kModel;
    const SimulatedCampaign& campaign;
    std::optional<double> gold;  // the last number that stood there before the turn
};
std::optional<Failure> turn_mistake(const CommittedTurn& turn);
// Compares the record, as it was read back, with the turn, and commands with the reference.
std::optional<Failure> record_mistake(const CommittedTurn& turn, const ledger::Record& record);

// True if a text quotes a secret: eight letters of it in a row, in any case and spacing.
bool quotes(std::string_view text, std::string_view secret);
// True while the hidden node of a campaign is hidden in the document.
bool is_node_hidden(const value::Value& document);

}  // namespace arbiter::sim
