// Intake: the door through which text comes into a turn. Behind it text is UTF-8 and within
// base::kTurnTextBytesMax, so that live play and replay see the same bytes. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "prompt/message.h"

namespace arbiter::turn {

// Broken bytes become U+FFFD. They fail with kReplyTooLong and kSaidTooLong.
base::Result<std::string> take_reply(std::string bytes);
base::Result<std::string> take_said(std::string bytes);

// The limit of take_reply(), for a reply that is not stored, and for one of which more is to come.
base::Result<> check_reply(std::string_view bytes);
base::Result<> check_reply_size(std::size_t bytes);

// Native calls are part of a reply: the same holds for all their texts together.
base::Result<std::vector<prompt::NativeToolCall>> take_calls(
    std::vector<prompt::NativeToolCall> calls);

}  // namespace arbiter::turn
