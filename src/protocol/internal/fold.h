// Case folding of keywords: Latin, Greek and Cyrillic letters and full-width Latin ones become
// small, one character for one; all others stay.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::protocol::internal {

std::string folded(std::string_view text);

// The text without what is quoted in it: “…” 「…」 『…』 "…" `…` within a paragraph, lines that
// begin with >, and fences. `speech` false leaves the quotes of speech in and takes only lines and
// fences out.
std::string unquoted(std::string_view text, bool speech);

}  // namespace arbiter::protocol::internal
