// HeldText: text that is hidden for now and shown after all if the block around it turns out to be
// none. Holds a fixed number of bytes, however the text was cut into pieces.
#pragma once

#include <string>
#include <string_view>

#include "base/limits.h"

namespace arbiter::reader::internal {

class HeldText {
  public:
    void append(std::string_view text) {
        text_ += text.substr(0, base::kKeptBytesMax - text_.size());
    }
    void clear() noexcept { text_.clear(); }
    // The text, without a last character that did not fit completely. Leaves it empty.
    [[nodiscard]] std::string take();

  private:
    std::string text_;
};

}  // namespace arbiter::reader::internal
