// The start of a card's story: its initial variables in MVU's layout, and its greeting.
//
//   auto start = initial_state(card, {.greeting = 1, .user = "阿青"});
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "card/card.h"
#include "config/diagnostics.h"
#include "engine/engine.h"
#include "engine/policy.h"
#include "value/value.h"

namespace arbiter::config {

struct StartOptions {
    std::size_t greeting = 0;              // index into Card::greetings
    std::string user = "User";             // {{user}}
    std::vector<card::Initvar> more = {};  // merged after those of the card
    std::uint64_t seed = 0;                // of {{random}}, {{pick}} and {{roll}}
};
struct Start {
    // {"stat_data": {…}} with its $meta rules (engine/initvar.h takes them out); {} if the card has
    // no variables.
    value::Value document;
    // The first message with its commands and without its <initvar> elements. The commands belong
    // to the first turn.
    std::string greeting;
};
// Expands macros (prompt/macros.h). Fails with the text of the entry that cannot be parsed.
std::expected<Start, FileDiagnostics> initial_state(const card::Card& card,
                                                    const StartOptions& options = {});

bool has_variables(const Start& start);
// Sets `state` to the card's first state if the card has one, else leaves it unchanged.
void begin_with(const Start& start, const engine::Policy& policy, engine::State& state);

}  // namespace arbiter::config
