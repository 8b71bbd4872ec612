// Secret: a text that must not appear in logs, errors, exports or metrics, such as a key or a
// token. It has no printer and no conversion; reveal() is the one way to its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace arbiter::base {

// Compares in a time that depends on the lengths only, so that the response time reveals nothing
// about the first wrong byte.
inline bool equal_in_constant_time(std::string_view left, std::string_view right) noexcept {
    if (left.size() != right.size()) {
        return false;
    }
    volatile unsigned char difference = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        difference =
            static_cast<unsigned char>(difference | (static_cast<unsigned char>(left[i]) ^
                                                     static_cast<unsigned char>(right[i])));
    }
    return difference == 0;
}

class Secret {
  public:
    Secret() = default;
    explicit Secret(std::string text) : text_(std::move(text)) {}
    Secret(const Secret&) = default;
    Secret& operator=(const Secret&) = default;
    Secret(Secret&&) noexcept = default;
    Secret& operator=(Secret&&) noexcept = default;
    ~Secret() { wipe(); }

    [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
    // For the one place that sends or compares it. Valid as long as this.
    [[nodiscard]] const std::string& reveal() const noexcept { return text_; }

    friend bool operator==(const Secret& left, const Secret& right) noexcept {
        return equal_in_constant_time(left.text_, right.text_);
    }

  private:
    void wipe() noexcept {
        volatile char* at = text_.data();
        for (std::size_t i = 0; i < text_.size(); ++i) {
            at[i] = 0;
        }
    }

    std::string text_;
};

}  // namespace arbiter::base
