// Activation: protocols that are switched on and off in the course of a story.
//
// The active protocols are kept in the state's metadata under one key. They are stored with every
// turn, so a rollback or another branch restores them. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "protocol/library.h"
#include "reader/reader.h"
#include "value/object.h"

namespace arbiter::protocol {

inline constexpr std::string_view kProtocolsKey = "protocols";  // of engine::State::meta

enum class Speaker : std::uint8_t { kPlayer, kCard, kModel };
std::string_view name(Speaker speaker) noexcept;  // "player", "card", "model"

// Who may switch protocols, and by which means.
struct ActivationPolicy {
    bool keywords = true;         // keywords of the player
    bool model_tags = false;      // <use_protocol> and <end_protocol> in a reply
    bool model_keywords = false;  // keywords in the narrative of a reply, outside quotes
};

struct Active {
    std::string reference;
    ActivationReason why;
    std::int64_t since = 0;  // the first turn whose prompt has it
    std::int64_t until = 0;  // the last one; 0: no limit
    friend bool operator==(const Active&, const Active&) = default;
};
// In the order in which they were switched on. Malformed metadata is skipped.
std::vector<Active> active(const value::Object& meta);
std::vector<ProtocolRequest> active_requests(const value::Object& meta);

struct ActivationResult {
    struct Change {
        std::string id;
        bool on = false;
        ActivationReason why;
        friend bool operator==(const Change&, const Change&) = default;
    };
    value::Object meta;  // the new metadata of the state
    std::vector<Change> changes;
    std::vector<std::string> refused;   // ids that the model named without permission
    std::vector<base::Error> warnings;  // ids that are unknown or lack a dependency
};

// Applies the input of a player for turn number `turn`, before its prompt is built. Protocols whose
// turns are over end first. For Speaker::kCard only tags count.
ActivationResult update_activation(const value::Object& meta, Speaker speaker,
                                   std::string_view text, std::int64_t turn, const Library& library,
                                   const ActivationPolicy& policy = {});
// Applies the reply of turn number `turn`, with effect on the prompt of the next turn. The policy
// applies to the model; a reply may also be a text of the card or of the player.
ActivationResult update_activation(const value::Object& meta, Speaker speaker,
                                   const reader::Reading& reply, std::int64_t turn,
                                   const Library& library, const ActivationPolicy& policy = {});

// For a host that sets a campaign up. Switching an active protocol on renews its turns.
ActivationResult switch_on(const value::Object& meta, std::string_view reference, std::int64_t turn,
                           const Library& library,
                           ActivationReason why = {ActivationReason::Kind::kCommand, {}});

// One sentence for everything that an update did or refused to do, for the player.
std::vector<base::Text> notices(const ActivationResult& result);
// One sentence for each warning of `after` that `before` does not have.
std::vector<base::Text> new_warnings(const std::vector<base::Error>& before,
                                     const std::vector<base::Error>& after);

// The error of the first active protocol that the library does not have or cannot use because a
// dependency is missing.
std::optional<base::Error> find_missing(const value::Object& meta, const Library& library);

}  // namespace arbiter::protocol
