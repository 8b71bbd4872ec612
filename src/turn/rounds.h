// Rounds: the replies of one attempt. There are several if the model continued after tool results;
// they are stored joined and judged together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "prompt/message.h"
#include "reader/reader.h"

namespace arbiter::turn {

struct Round {
    std::size_t raw_end = 0;       // where its reply ends in the joined replies
    std::size_t native_calls = 0;  // tool calls beside its text
    friend bool operator==(const Round&, const Round&) = default;
};

// Stands between the visible texts of two rounds.
inline constexpr std::string_view kBetweenRounds = "\n\n";

// Leaves only what changes the state: for a round whose prose is never shown.
void silence(reader::Reading& reading);

// Appends the reading of a reply whose text begins at `offset` of the joined replies.
void append_reading(reader::Reading& all, reader::Reading more, std::size_t offset);

// Tool calls beside a text as proposals of one batch.
std::vector<proposal::Proposal> proposals_of(std::span<const prompt::NativeToolCall> calls,
                                             std::uint32_t batch);

}  // namespace arbiter::turn
