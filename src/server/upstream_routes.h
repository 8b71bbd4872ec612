// Routes of the operator about the model server that plays: show, test and connect it.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> upstream_routes();

}  // namespace arbiter::server
