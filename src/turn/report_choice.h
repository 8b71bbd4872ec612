// Choices of a player about a turn that was reported: its narration contradicted the state, and the
// retries were used up. Nothing of it was committed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "table/campaign.h"
#include "turn/machine.h"

namespace arbiter::turn {

enum class ReportChoice : std::uint8_t {
    kKeepState,  // the reply is played without the sentences that contradict the state
    kEdit,       // the player's words are in place of its narration; its commands stay
    kAccept      // the reply is played as it is, then the player changes the state accordingly
};
std::optional<ReportChoice> find_report_choice(std::string_view word) noexcept;  // "keep", …

// The reply to play. `text`: of kEdit.
SuppliedReply chosen_reply(const TurnResult& reported, ReportChoice choice, std::string said,
                           std::string text, engine::Instant now);

// Of kAccept, after the reply was played: the state in which its claims are true. Fails with
// kNotAcceptable if the report does not say plainly what would have to be.
base::Result<table::Step> accept_claims(const engine::State& state, const TurnResult& reported,
                                        const value::Object& settings, engine::Instant now);

}  // namespace arbiter::turn
