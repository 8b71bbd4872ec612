#include "campaign/withheld_turn.h"

namespace arbiter::campaign {

base::Result<turn::TurnResult> choose(Session& session, const WithheldTurn& withheld,
                                      turn::ReportChoice choice, std::string_view text,
                                      engine::Instant now) {
    const bool accepts = choice == turn::ReportChoice::kAccept;
    const value::Object settings = session.settings();
    const auto claims = [&](const engine::State& state) {
        return turn::accept_claims(state, withheld.result, settings, now);
    };
    if (accepts) {
        if (const auto possible = claims(session.campaign().state()); !possible) {
            return std::unexpected(possible.error());
        }
    }
    auto played = session.apply(
        turn::chosen_reply(withheld.result, choice, withheld.said, std::string(text), now));
    if (!played || !accepts) {
        return played;
    }
    if (const auto changed = session.edit(claims, now, "accepted narration"); !changed) {
        return std::unexpected(changed.error());
    }
    played->notice = {};
    return played;
}

}  // namespace arbiter::campaign
