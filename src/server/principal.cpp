#include "server/principal.h"

#include <algorithm>

namespace arbiter::server {

std::string_view name(Scope scope) {
    switch (scope) {
        case Scope::kNone:
            return "none";
        case Scope::kRead:
            return "read";
        case Scope::kPlay:
            return "play";
        case Scope::kAdmin:
            return "admin";
    }
    return {};
}

std::optional<Scope> parse_scope(std::string_view text) {
    const auto* const found =
        std::ranges::find(kTokenScopes, text, [](Scope scope) { return name(scope); });
    return found != std::end(kTokenScopes) ? std::optional(*found) : std::nullopt;
}

bool Principal::may(Scope needed, std::string_view campaign) const {
    if (needed == Scope::kNone) {
        return true;
    }
    return scope >= needed &&
           (campaigns.empty() || std::ranges::find(campaigns, campaign) != campaigns.end());
}

bool Principal::may(Scope needed) const {
    return needed == Scope::kNone ||
           (scope >= needed && (campaigns.empty() || needed == Scope::kRead));
}

}  // namespace arbiter::server
