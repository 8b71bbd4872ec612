// Utf8Joiner: pieces of text whose characters may be cut → pieces of valid UTF-8.
//
// The joined output is text::repair() of the joined input: an incomplete character at the end of a
// piece waits for its other bytes.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::openai::internal {

class Utf8Joiner {
  public:
    // The text that is complete now.
    std::string add(std::string_view bytes);
    // Whether a character is incomplete.
    [[nodiscard]] bool is_waiting() const noexcept { return !waiting_.empty(); }
    // U+FFFD if a character was left incomplete.
    std::string finish();

  private:
    std::string waiting_;  // at most three bytes
};

}  // namespace arbiter::openai::internal
