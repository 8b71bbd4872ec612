// Activation: protocols that are switched on and off while the story is told.
//
// What is active lies in the state's metadata under one key, so that it is kept with every turn,
// and a rollback or another branch brings back what was active then. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/library.h"
#include "reader/reader.h"
#include "value/object.h"

namespace arbiter::protocol {

inline constexpr std::string_view kProtocolsKey = "protocols";  // of engine::State::meta

enum class Speaker : std::uint8_t { kPlayer, kCard, kModel };
std::string_view name(Speaker speaker) noexcept;  // "player", "card", "model"

// Who may do what.
struct Listening {
    bool keywords = true;         // a player's words switch protocols on and off
    bool model_tags = false;      // <use_protocol> and <end_protocol> of a reply count
    bool model_keywords = false;  // so do keywords in its narrative, outside quotes
};

struct Active {
    std::string reference;
    Why why;
    std::int64_t since = 0;  // the first turn whose prompt has it
    std::int64_t until = 0;  // the last one; 0: until it is ended
    friend bool operator==(const Active&, const Active&) = default;
};
// In the order in which they were switched on. What is broken in the metadata is left out.
std::vector<Active> active(const value::Object& meta);
std::vector<Wish> active_wishes(const value::Object& meta);

struct Heard {
    struct Switched {
        std::string id;
        bool on = false;
        Why why;
        friend bool operator==(const Switched&, const Switched&) = default;
    };
    value::Object meta;  // what the state's becomes
    std::vector<Switched> switched;
    std::vector<std::string> refused;   // ids that the model named and may not
    std::vector<base::Error> warnings;  // ids that there are not
};

// What a player types for turn number `turn`, before its prompt is built; first, what was limited
// to earlier turns ends. Also what a card says (Speaker::kCard), where only tags count.
Heard listen(const value::Object& meta, Speaker speaker, std::string_view text, std::int64_t turn,
             const Library& library, const Listening& listening = {});
// The model's reply of turn number `turn`, for the prompt of the next one.
Heard listen(const value::Object& meta, const reader::Reading& reply, std::int64_t turn,
             const Library& library, const Listening& listening = {});

// For a host's own buttons. Switching on what is on renews its turns.
Heard switch_on(const value::Object& meta, std::string_view reference, std::int64_t turn,
                const Library& library, Why why = {Why::What::kCommand, {}});
Heard switch_off(const value::Object& meta, std::string_view id,
                 Why why = {Why::What::kCommand, {}});

}  // namespace arbiter::protocol
