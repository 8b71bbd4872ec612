// Removes quotations from a text, for keywords that only count where the speaker says them.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::protocol::internal {

// The text without lines that begin with > and without fences; with `speech` also without “…” 「…」
// 『…』 "…" `…` ‘…’ within a line.
std::string unquoted(std::string_view text, bool speech);

}  // namespace arbiter::protocol::internal
