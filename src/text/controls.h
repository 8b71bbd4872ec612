// Control characters made visible: text of strangers must not act on a terminal. Pure.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::text {

enum class LineBreaks : bool { kStay, kShown };

// A copy without characters that act on a terminal. C0 characters except tab and line feed become
// their pictures (U+241B for ESC), a carriage return before a line feed is dropped; DEL, C1
// characters and the marks that turn the direction of text (U+202A–202E, U+2066–2069) become
// escapes (\u009b), which are right in JSON too; broken UTF-8 becomes U+FFFD. `breaks`: kShown for
// text that must stay on one line; tabs become blanks then.
std::string show_controls(std::string_view text, LineBreaks breaks = LineBreaks::kStay);

}  // namespace arbiter::text
