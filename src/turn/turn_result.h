// The result of a turn, committed or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "table/player_view.h"
#include "turn/attempt.h"
#include "turn/usage.h"
#include "value/array.h"
#include "value/value.h"

namespace arbiter::turn {

enum class Status : std::uint8_t {
    kCommitted,
    kReported,   // the retries are used up: `report` is for the player, nothing has changed
    kCancelled,  // nothing has changed
    kBlocked,    // no turn can begin: `notice` says why
    kOverSpent,  // a spending cap of the settings is reached; nothing has changed
    kFailed      // `error` says why; nothing has changed
};
std::string_view name(Status status) noexcept;  // "committed", …

struct TurnResult {
    Status status = Status::kCommitted;
    std::string id;  // of the committed turn
    // The whole narrative of a committed turn; of a reported one if conflict.intercept_output is
    // off.
    table::PlayerText shown;
    table::PlayerText notice;           // beside the story, for the player
    table::PlayerText protocol_notice;  // the part of `notice` about protocols
    Attempt attempt;                    // the last one
    value::Value feedback;              // problems of all attempts; null: none
    value::Value report;                // conflict_report()
    value::Array trace;                 // of every attempt: {raw, tokens, feedback?}
    std::int64_t attempts = 0;
    Usage usage;            // of this turn, committed or not
    bool advanced = false;  // a milestone was passed
    // The turn was stored by an earlier request with the same key: this is its result.
    bool already_stored = false;
    std::optional<base::Error> error;
};

}  // namespace arbiter::turn
