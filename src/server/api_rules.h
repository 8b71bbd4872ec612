// The route of the rules that hold in a campaign.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> rules_routes();

}  // namespace arbiter::server
