#include "server/kept_answers.h"

namespace arbiter::server {

namespace {

std::size_t size_of(const std::string& place, const net::Response& response) {
    constexpr std::size_t kOverhead = 256;  // of the containers
    return kOverhead + 2 * place.size() + response.body.size();
}

}  // namespace

base::Result<std::optional<net::Response>> KeptAnswers::find(const std::string& place,
                                                             const ledger::Digest& request) const {
    const std::scoped_lock lock(lock_);
    const auto found = answers_.find(place);
    if (found == answers_.end()) {
        return std::nullopt;
    }
    if (found->second.request != request) {
        const std::size_t key = place.rfind('\n');
        const std::size_t route = place.find('\n');
        return base::fail(base::ErrorCode::kKeyReused,
                          {place.substr(key + 1), place.substr(route + 1, key - route - 1)});
    }
    return found->second.response;
}

void KeptAnswers::put(const std::string& place, const ledger::Digest& request,
                      const net::Response& response) {
    const std::size_t size = size_of(place, response);
    if (size > kBytesMax / 8) {
        return;
    }
    const std::scoped_lock lock(lock_);
    if (!answers_.emplace(place, Kept{request, response}).second) {
        return;
    }
    order_.push_back(place);
    bytes_ += size;
    while (bytes_ > kBytesMax) {
        const auto oldest = answers_.find(order_.front());
        bytes_ -= size_of(oldest->first, oldest->second.response);
        answers_.erase(oldest);
        order_.pop_front();
    }
}

}  // namespace arbiter::server
