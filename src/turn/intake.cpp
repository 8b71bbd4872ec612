#include "turn/intake.h"

#include "base/limits.h"
#include "text/utf8.h"

namespace arbiter::turn {

using base::ErrorCode;
using base::Result;

namespace {

Result<> check_size(std::size_t bytes, ErrorCode code) {
    return bytes <= base::kTurnTextBytesMax
               ? Result<>()
               : base::fail(code, {std::to_string(bytes), std::to_string(base::kTurnTextBytesMax)});
}

Result<std::string> take(std::string bytes, ErrorCode code) {
    // Checked before and after: a broken byte becomes three.
    if (auto fits = check_size(bytes.size(), code); !fits) {
        return std::unexpected(std::move(fits).error());
    }
    std::string text = text::to_utf8(std::move(bytes));
    if (auto fits = check_size(text.size(), code); !fits) {
        return std::unexpected(std::move(fits).error());
    }
    return text;
}

}  // namespace

Result<std::string> take_reply(std::string bytes) {
    return take(std::move(bytes), ErrorCode::kReplyTooLong);
}

Result<std::string> take_said(std::string bytes) {
    return take(std::move(bytes), ErrorCode::kSaidTooLong);
}

Result<> check_reply(std::string_view bytes) {
    auto fits = check_reply_size(bytes.size());
    return !fits || text::is_valid(bytes) ? fits : check_reply_size(text::repair(bytes).size());
}

Result<> check_reply_size(std::size_t bytes) {
    return check_size(bytes, ErrorCode::kReplyTooLong);
}

Result<std::vector<prompt::NativeToolCall>> take_calls(std::vector<prompt::NativeToolCall> calls) {
    std::size_t bytes = 0;
    for (prompt::NativeToolCall& call : calls) {
        for (std::string* text : {&call.id, &call.name, &call.arguments}) {
            *text = text::to_utf8(std::move(*text));
            bytes += text->size();
        }
    }
    if (auto fits = check_reply_size(bytes); !fits) {
        return std::unexpected(std::move(fits).error());
    }
    return calls;
}

}  // namespace arbiter::turn
