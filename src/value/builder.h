// Builder: assembles a document bottom-up.
//
// Parsers push finished values and keys onto its stacks and then close the container around the
// last n of them. Objects with the same keys as an earlier one (lists of similar things) share its
// Keys, so their names cost neither memory nor time. An unused builder allocates nothing.
#pragma once

#include <string_view>
#include <vector>

#include "value/internal/large_object.h"
#include "value/internal/tree.h"

namespace arbiter::value {

class Builder {
  public:
    Builder() noexcept = default;
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;
    ~Builder();

    // Reserves capacity for the values of open containers.
    void reserve(std::size_t values);

    void push(Value value) {
        internal::Slot& slot = internal::Access::slot(value);
        values_.push_back(slot);
        slot = {};
    }
    // Borrows the bytes until the object is closed.
    void push_key(std::string_view key) { keys_.push_back(key); }

    // Replaces the last `count` values by one container of them. close_object also consumes that
    // many keys and returns whether one of them was repeated.
    void close_array(std::size_t count);
    [[nodiscard]] bool close_object(std::size_t count);

    // Closes an object with the keys of `model`, a small object that this builder closed before. No
    // keys are pushed.
    void close_object_like(const Value& model);

    // The finished value. Requires that exactly one is left.
    Value take();

  private:
    internal::Slot* last(std::size_t count) noexcept {
        return values_.data() + (values_.size() - count);
    }
    internal::Keys* shape(std::span<const std::string_view> keys);
    void spread_shapes();
    bool close_small(std::span<const std::string_view> keys);
    bool close_large(std::span<const std::string_view> keys);
    std::size_t drop_repeated(std::span<const std::string_view> keys,
                              std::vector<internal::SortedKey>& sorted,
                              std::vector<internal::KeyHash>& hashes);
    void replace_last(std::size_t count, Kind kind, internal::Header* node);

    std::vector<internal::Slot> values_;
    std::vector<std::string_view> keys_;
    std::vector<std::string_view> kept_;
    // Hash table of recent Keys; a collision replaces the older one. Empty for the first objects of
    // a document, small until there are many.
    std::vector<internal::Keys*> shapes_;
    std::size_t small_objects_ = 0;
};

}  // namespace arbiter::value
