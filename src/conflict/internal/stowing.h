// Stowing: verbs that put a thing away with oneself, and the container behind them.
#pragma once

#include <cstddef>
#include <optional>

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

// False for a noun that looks like a verb: "the drop", "his pack".
bool is_verb(const Context& at, std::size_t clause, std::size_t token);
// "tucks … into", "goes into", 揣进
bool is_stowing(const Context& at, std::size_t clause, std::size_t token);
// The container behind such a verb: "into your coat", 怀里. Nothing if the thing goes back.
std::optional<std::size_t> own_container(const Context& at, std::size_t clause, std::size_t verb);
// The owner of the container, if it is named; else the subject.
Subject keeper_of_container(const Context& at, std::size_t clause, std::size_t verb,
                            std::size_t container, const Subject& subject);
// Reads a clause in which a thing that no inventory lists is put away.
void read_stowed(const Context& at, std::size_t clause);

}  // namespace arbiter::conflict::internal
