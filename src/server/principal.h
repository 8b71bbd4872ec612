// Principal: the sender of a request, and what it may do. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::server {

// Each scope includes those before it.
enum class Scope : std::uint8_t {
    kNone,   // open to all: routes without data of campaigns
    kRead,   // looks at campaigns as a player sees them
    kPlay,   // plays: turns, re-rolls, rollbacks, settings of a campaign
    kAdmin,  // everything: hidden parts, deleting, import, backup
};
inline constexpr Scope kTokenScopes[] = {Scope::kRead, Scope::kPlay, Scope::kAdmin};
// "none", "read", "play", "admin".
std::string_view name(Scope scope);
// Of a token: "read", "play" or "admin".
std::optional<Scope> parse_scope(std::string_view name);

struct Principal {
    Scope scope = Scope::kNone;
    std::vector<std::string> campaigns = {};  // granted; empty: all
    std::string token = {};  // the name of its token; empty: a local request while there are none

    // For a request about one campaign.
    [[nodiscard]] bool may(Scope needed, std::string_view campaign) const;
    // For a request about the whole server. A token for some campaigns may only read here: a list
    // shows it the campaigns that it sees, but it creates none and makes no backup of all of them.
    [[nodiscard]] bool may(Scope needed) const;
    // A campaign that it does not see must be answered like one that does not exist.
    [[nodiscard]] bool sees(std::string_view campaign) const { return may(Scope::kRead, campaign); }
};

}  // namespace arbiter::server
