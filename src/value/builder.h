// Builder: the values of a document while it is read, innermost first.
//
// Parsers push finished values and keys onto its stacks and then close the container around the
// last n of them. Objects that repeat the keys of an earlier one (the usual case: lists of similar
// things) share its Keys, so their names cost neither memory nor time. An empty one costs nothing.
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

    // Room for the open containers of a document, so that it need not grow.
    void reserve(std::size_t values);

    void push(Value value) {
        internal::Slot& slot = internal::Access::slot(value);
        values_.push_back(slot);
        slot = {};
    }
    // The bytes must stay where they are until the object is closed.
    void push_key(std::string_view key) { keys_.push_back(key); }

    // Makes one container of the last `count` values. close_object also takes that many keys and
    // says whether one of them was there twice.
    void close_array(std::size_t count);
    [[nodiscard]] bool close_object(std::size_t count);

    // The same for as many values as a small object has that was closed before, under its keys; no
    // key is pushed.
    void close_object_like(const Value& model);

    // The one value that is left.
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
    // By a cheap hash of the keys, the newest of equals stays; none before there are some objects,
    // few before there are many.
    std::vector<internal::Keys*> shapes_;
    std::size_t small_objects_ = 0;
};

}  // namespace arbiter::value
