// RecentValues: the values that were used last, by their keys. Thread-safe.
//
// It compares the keys one by one, so it is for few values that take long to make, such as what a
// text was compiled to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace arbiter::config {

template <typename Key, typename T, typename IsSame = std::equal_to<>>
class RecentValues {
  public:
    explicit RecentValues(std::size_t most) : most_(most) {}

    // Nothing: there is none, or others were used since.
    std::optional<T> find(const Key& key) {
        const std::scoped_lock lock(lock_);
        const auto found =
            std::ranges::find_if(rows_, [&](const Row& row) { return IsSame()(row.key, key); });
        if (found == rows_.end()) {
            return std::nullopt;
        }
        rows_.splice(rows_.begin(), rows_, found);
        return found->value;
    }

    void add(Key key, T value) {
        const std::scoped_lock lock(lock_);
        if (rows_.size() >= most_) {
            rows_.pop_back();
        }
        rows_.push_front({std::move(key), std::move(value)});
    }

  private:
    struct Row {
        Key key;
        T value;
    };
    const std::size_t most_;
    std::mutex lock_;
    std::list<Row> rows_;  // those used last come first
};

// Texts of one kind, and what they were made into: campaigns differ in which of them they use,
// seldom in the texts.
template <typename T>
class RecentTexts {
  public:
    std::optional<T> find(const std::string& text) {
        return text.size() <= kBytesMax ? texts_.find(text) : std::nullopt;
    }
    // Long texts are not kept.
    void add(std::string text, T made) {
        if (text.size() <= kBytesMax) {
            texts_.add(std::move(text), std::move(made));
        }
    }

  private:
    static constexpr std::size_t kMost = 32;
    static constexpr std::size_t kBytesMax = std::size_t{64} << 10;  // longer ones are rare
    RecentValues<std::string, T> texts_{kMost};
};

}  // namespace arbiter::config
