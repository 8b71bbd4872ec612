// KeptAnswers: the answers to writes with an idempotency key, so that a client that did not get its
// answer can repeat the request. Turns are also stored with their keys (campaign/turn_once.h) and
// found after a restart; these answers are kept in memory for some time.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "ledger/digest.h"
#include "net/http.h"

namespace arbiter::server {

class KeptAnswers {
  public:
    // Bytes of all answers: a client repeats a request within seconds, not days.
    static constexpr std::size_t kBytesMax = std::size_t{8} << 20;

    // `place`: the sender, the route and the key, a line each. Nothing if there is none. Fails with
    // kKeyReused if the key was used for another request.
    [[nodiscard]] base::Result<std::optional<net::Response>> find(
        const std::string& place, const ledger::Digest& request) const;
    void put(const std::string& place, const ledger::Digest& request,
             const net::Response& response);

  private:
    struct Kept {
        ledger::Digest request;
        net::Response response;
    };
    mutable std::mutex lock_;
    std::map<std::string, Kept> answers_;
    std::deque<std::string> order_;  // oldest first
    std::size_t bytes_ = 0;
};

}  // namespace arbiter::server
