// Routes of archives: export, import, backup.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> archive_routes();

}  // namespace arbiter::server
