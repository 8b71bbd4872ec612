// Routes of the past: history, turns, diff, audit, blame, checkpoints, rollback, undo, branches.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> history_routes();

}  // namespace arbiter::server
