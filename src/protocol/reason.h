// ActivationReason: why a protocol is active, or why it is not any more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/messages.h"

namespace arbiter::protocol {

struct ActivationReason {
    enum class Kind : std::uint8_t {
        kCard,        // the character card names it
        kConfigured,  // the campaign was set up with it
        kNeeded,      // `about` = the protocol that depends on it
        kKeyword,     // `about` = the keyword
        kTag,         // <use_protocol> or <end_protocol>; `about` = the speaker
        kScope,       // its number of turns is over
        kCommand      // of the host
    };
    Kind kind = Kind::kConfigured;
    std::string about = {};
    friend bool operator==(const ActivationReason&, const ActivationReason&) = default;
};
std::string_view name(ActivationReason::Kind kind) noexcept;  // "card", …
std::string explain(const ActivationReason& reason, base::Language language);

}  // namespace arbiter::protocol
