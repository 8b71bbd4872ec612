// The routes that play turns with the model: turns and reroll, streamed or not.
//
// A turn waits in the queue of its campaign, then plays on the campaign's strand; a client that
// goes away cancels it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "campaign/turn_once.h"
#include "net/server.h"
#include "server/host.h"
#include "server/routes.h"

namespace arbiter::server {

struct TurnOrder {
    std::string campaign;
    std::string said;
    // The turn to be played again, as Campaign::find() takes it. Empty: the newest one of the
    // story.
    std::optional<std::string> again = {};
    std::string hint = {};  // turn::TurnRequest::hint
    bool is_streamed = false;
    bool shows_drafts = false;  // of guarded turns, which may be withdrawn
    campaign::TurnCondition condition = {};
    table::Viewer viewer = table::Viewer::kPlayer;
    std::string request_id = {};  // for the log
};

std::span<const Route> turn_routes();

// Answers the exchange when the turn is finished. May wait for the store: for worker threads.
void play_turn(Host& host, TurnOrder order, const std::shared_ptr<net::Exchange>& exchange);

}  // namespace arbiter::server
