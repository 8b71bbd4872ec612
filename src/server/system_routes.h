// Routes about the server itself: whether it lives, and its metrics.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> system_routes();

}  // namespace arbiter::server
