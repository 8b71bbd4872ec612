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
    // Both after what is hidden was revealed or dropped.
    void append(std::string_view bytes) {
        buffer_ += bytes;
        size_ = buffer_.size();
    }
    // Bytes behind end() that somebody has yet to look at.
    void append_hidden(std::string_view bytes) { buffer_ += bytes; }
    [[nodiscard]] std::string_view hidden() const noexcept {
        return std::string_view(buffer_).substr(size_);
    }
    // The last bytes, hidden or not; fewer if there are not so many.
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

    // Forgets what lies before `at`. Cheap on average: bytes move only when most are to go.
    void forget_before(std::size_t at) {
        const std::size_t useless = at - base_;
        if (useless >= kSlack && useless >= size_ - useless) {
            buffer_.erase(0, useless);
            size_ -= useless;
            base_ = at;
        }
    }

  private:
    static constexpr std::size_t kSlack = 4096;
    std::string buffer_;
    std::size_t base_ = 0;
    std::size_t size_ = 0;  // of what is not hidden
};

// What a scanner says about the bytes it has seen.
enum class Scan : std::uint8_t {
    kMore,  // cannot tell yet
    kNo,    // it is not what it seemed to be
    kDone   // it is complete; the scanner knows where it ends
};

}  // namespace arbiter::reader::internal
