// Routes of the present state: reading it, proposing changes, settings, prompt, withheld turns.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> state_routes();

}  // namespace arbiter::server
