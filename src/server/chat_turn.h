// play_chat(): answers a chat completions request of a client that keeps the chat itself. The
// request waits in the queue of its campaign; then its history determines the turn to continue,
// and the reply becomes a child of that turn.
#pragma once

#include <memory>
#include <string>

#include "chat/client_request.h"
#include "model/async_model.h"
#include "net/server.h"
#include "server/host.h"

namespace arbiter::server {

struct ChatOrder {
    // Its campaign is the one that was found; empty: none, for a question that is beside all of
    // them.
    chat::ClientRequest request;
    std::shared_ptr<model::AsyncModel> model;
    std::string request_id;
};

// May wait for the store, unless Gateway::is_quick(): for worker threads.
void play_chat(Host& host, ChatOrder order, const std::shared_ptr<net::Exchange>& exchange);

}  // namespace arbiter::server
