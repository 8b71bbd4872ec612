// Routes of campaigns as a whole: list, create, look at, rename, delete.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> campaign_routes();

}  // namespace arbiter::server
