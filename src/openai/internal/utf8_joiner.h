// Utf8Joiner: pieces of text whose characters may be cut → pieces of valid UTF-8.
//
// The joined output is text::repair() of the joined input: an incomplete character at the end of a
// piece waits for its other bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace arbiter::openai::internal {

class Utf8Joiner {
  public:
    // The text that is complete now.
    std::string add(std::string_view bytes);
    // Whether a character is incomplete.
    [[nodiscard]] bool is_waiting() const noexcept { return waiting_bytes_ > 0; }
    // U+FFFD if a character was left incomplete.
    std::string finish();

  private:
    std::string take_waiting();

    std::array<char, 3> waiting_ = {};  // of an incomplete character
    std::uint8_t waiting_bytes_ = 0;
};

}  // namespace arbiter::openai::internal
