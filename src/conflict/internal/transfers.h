// Transfers: things that change hands, are used up or break, by the frames of verbs.
//
// A frame is a class of verbs with the places of its persons and its thing: the giver is before
// a verb of giving, the receiver behind it; a thing that breaks is the subject itself. Holding,
// showing or using what one keeps is not a claim.
#pragma once

#include <cstddef>
#include <string>

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

// Reads the thing `name`, named by the token `item` of a clause. False if no frame applies.
bool read_transfer(const Context& at, std::size_t clause, std::size_t item,
                   const std::string& name);

}  // namespace arbiter::conflict::internal
