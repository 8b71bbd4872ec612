// Target: the database that a url names, and the places where its server may be.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::ledger {

// A server and a schema. A database can hold several stores, each in its own schema: the one of the
// url's search_path, else `arbiter`.
struct Target {
    // Where the server may be: a primary and the standbys that may take its place.
    struct Place {
        std::string host;
        std::string address;
        std::string port;
    };

    std::string url;
    std::string name;  // for messages: the url without a password
    bool names_schema = false;
    std::vector<Place> places = {};  // at least one; empty members: as the url says
    // The place that was right last time is tried first. Shared by copies.
    std::shared_ptr<std::atomic<std::size_t>> last_place =
        std::make_shared<std::atomic<std::size_t>>(0);
};
// Fails with kStoreUrl or kStoreUrlOption.
base::Result<Target> read_target(std::string_view url);

}  // namespace arbiter::ledger
