// The routes of OpenAI: chat completions that play in campaigns, the list of models, and
// completions, which are passed on. Each with and without /v1, and below /c/{campaign}.
#pragma once

#include <span>

#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> chat_routes();

}  // namespace arbiter::server
