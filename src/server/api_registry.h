// Routes of everything that is registered, beside the campaigns: tools, settings, protocols,
// profiles.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> registry_routes();

}  // namespace arbiter::server
