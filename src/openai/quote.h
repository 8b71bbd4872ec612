// Quotations of what a model server wrote, for errors: one line, short, and without the key.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::openai {

// `text` with "***" for every part of ten or more characters that it shares with `secret`, and for
// the whole of a shorter secret. Servers repeat the key that they refuse, some of them in parts.
std::string redact(std::string_view text, std::string_view secret);

// Redacted, on one line, without characters that act on a terminal, at most kQuoteBytesMax bytes
// and an ellipsis.
inline constexpr std::size_t kQuoteBytesMax = 300;
std::string quote(std::string_view text, std::string_view secret);

}  // namespace arbiter::openai
