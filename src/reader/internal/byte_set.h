// ByteSet: a set of bytes that is made at compile time.
#pragma once

#include <array>
#include <string_view>

namespace arbiter::reader::internal {

class ByteSet {
  public:
    constexpr explicit ByteSet(std::string_view bytes) noexcept {
        for (const char byte : bytes) {
            has_[static_cast<unsigned char>(byte)] = true;
        }
    }
    [[nodiscard]] constexpr bool has(char byte) const noexcept {
        return has_[static_cast<unsigned char>(byte)];
    }

  private:
    std::array<bool, 256> has_{};
};

}  // namespace arbiter::reader::internal
