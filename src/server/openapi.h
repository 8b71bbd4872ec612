// The OpenAPI 3.1 document, generated from the table of routes.
#pragma once

#include <span>

#include "server/routes.h"
#include "value/value.h"

namespace arbiter::server {

// One shared instance.
const value::Value& openapi_document();

// GET /api/v1/openapi.json.
std::span<const Route> openapi_routes();

}  // namespace arbiter::server
