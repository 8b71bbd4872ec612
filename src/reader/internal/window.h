// Window: the part of a stream that is still needed, addressed by its offset in the whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"

namespace arbiter::reader::internal {

class Window {
  public:
    // Precondition: nothing is hidden.
    void append(std::string_view bytes) {
        buffer_ += bytes;
        size_ = buffer_.size();
    }
    // Hidden bytes are behind end(): received, but not yet checked to be UTF-8.
    void append_hidden(std::string_view bytes) { buffer_ += bytes; }
    [[nodiscard]] std::string_view hidden() const noexcept {
        return std::string_view(buffer_).substr(size_);
    }
    // The last bytes, hidden or not; at most `bytes`.
    [[nodiscard]] std::string_view last(std::size_t bytes) const noexcept {
        return std::string_view(buffer_).substr(buffer_.size() - std::min(bytes, buffer_.size()));
    }
    void reveal(std::size_t bytes) noexcept { size_ += bytes; }
    void drop_hidden() { buffer_.resize(size_); }

    [[nodiscard]] std::size_t begin() const noexcept { return base_; }
    [[nodiscard]] std::size_t end() const noexcept { return base_ + size_; }
    // begin() <= at < end().
    [[nodiscard]] char operator[](std::size_t at) const noexcept { return buffer_[at - base_]; }
    [[nodiscard]] std::string_view view(std::size_t from, std::size_t to) const noexcept {
        CHECK(from >= base_ && from <= to && to <= end());
        return std::string_view(buffer_).substr(from - base_, to - from);
    }
    [[nodiscard]] std::string_view from(std::size_t at) const noexcept { return view(at, end()); }

    // Allows the bytes before `at` to be dropped. Amortised constant: bytes are moved only when
    // most of the buffer can go.
    void forget_before(std::size_t at) {
        const std::size_t unneeded = at - base_;
        if (unneeded >= kSlack && unneeded >= size_ - unneeded) {
            buffer_.erase(0, unneeded);
            size_ -= unneeded;
            base_ = at;
        }
    }

  private:
    static constexpr std::size_t kSlack = 4096;
    std::string buffer_;
    std::size_t base_ = 0;
    std::size_t size_ = 0;  // of the part that is not hidden
};

}  // namespace arbiter::reader::internal
