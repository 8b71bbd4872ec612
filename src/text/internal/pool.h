// Pool: items with stable numbers. The number of a released item is reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace arbiter::text::internal {

template <typename T>
class Pool {
  public:
    std::uint32_t take(T value) {
        if (free_.empty()) {
            items_.push_back(std::move(value));
            return static_cast<std::uint32_t>(items_.size() - 1);
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        items_[number] = std::move(value);
        return number;
    }
    void give_back(std::uint32_t number) {
        items_[number] = T();
        free_.push_back(number);
    }
    T& operator[](std::uint32_t number) { return items_[number]; }
    const T& operator[](std::uint32_t number) const { return items_[number]; }
    // Every number is below this.
    [[nodiscard]] std::size_t bound() const noexcept { return items_.size(); }

  private:
    std::vector<T> items_;
    std::vector<std::uint32_t> free_;
};

}  // namespace arbiter::text::internal
