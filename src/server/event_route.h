// The route of the event stream of a campaign.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "net/server.h"
#include "server/host.h"
#include "server/routes.h"

namespace arbiter::server {

std::span<const Route> event_routes();

struct EventOrder {
    std::string campaign;
    std::optional<std::string> last_event = {};  // of a viewer that comes back
};

// Sends events until the viewer goes or the server stops. Begins with what the viewer missed, or
// with a "head". A viewer that reads too slowly misses drafts, and is cut off in the end; it can
// come back with the id of its last event. May wait for the store: for worker threads.
void watch_events(Host& host, const EventOrder& order,
                  const std::shared_ptr<net::Exchange>& exchange);

}  // namespace arbiter::server
