// Lazy<T>: a value that is made when it is first changed, for the rarely used parts of objects that
// are many. Until then it reads as a default value and takes the room of a pointer.
//
// As thread-safe as T.
#pragma once

#include <memory>
#include <utility>

namespace arbiter::base {

template <typename T>
class Lazy {
  public:
    [[nodiscard]] const T& operator*() const noexcept {
        static const T kDefault{};
        return value_ != nullptr ? *value_ : kDefault;
    }
    [[nodiscard]] const T* operator->() const noexcept { return &**this; }
    [[nodiscard]] T& change() {
        if (value_ == nullptr) {
            value_ = std::make_unique<T>();
        }
        return *value_;
    }
    // A default value does not make it.
    void set(T value) {
        if (value_ != nullptr || value != T()) {
            change() = std::move(value);
        }
    }

  private:
    std::unique_ptr<T> value_;
};

}  // namespace arbiter::base
