// Routes of the table: characters, party, tools, goal, end, protocols, bin, worlds, greetings.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> table_routes();

}  // namespace arbiter::server
