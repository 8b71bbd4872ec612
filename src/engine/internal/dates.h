// Dates as people write them in documents.
#pragma once

#include <optional>
#include <string_view>

#include "engine/instant.h"

namespace arbiter::engine::internal {

// Accepts RFC 3339 and 2031-07-09, 2031/7/9 08:00, July 9, 2031 08:00:00, 9 July 2031. A date
// without a zone is UTC. Returns nothing for any other text ("Lv 3", "08:30").
std::optional<Instant> parse_date(std::string_view text);

}  // namespace arbiter::engine::internal
