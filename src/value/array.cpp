#include "value/array.h"

#include <vector>

#include "base/check.h"
#include "value/internal/descent.h"
#include "value/internal/tree.h"

namespace arbiter::value {
namespace {

internal::Header* build(std::span<const Value> items) noexcept {
    std::vector<Value> copies(items.begin(), items.end());
    return internal::tree_build(copies);
}

}  // namespace

Array::Array(std::initializer_list<Value> items) noexcept
    : Array(std::span<const Value>(items.begin(), items.size())) {}

Array::Array(std::span<const Value> items) noexcept : Array() {
    slot_ = internal::Access::bits(Kind::kArray, build(items));
}

const Value& Array::operator[](std::size_t position) const noexcept {
    CHECK(position < size());
    const internal::Spot spot = internal::locate(node(), position);
    return spot.leaf->items()[spot.index];
}

Array Array::set(std::size_t position, Value value) && noexcept {
    CHECK(position < size());
    Value self(std::move(*this));
    const std::size_t height = internal::height_above(value);
    {
        internal::Descent descent(self);
        descent.enter(position, height);
        descent.finish(std::move(value));
    }
    std::swap(slot_, self.slot_);
    return std::move(*this);
}

Array Array::insert(std::size_t position, Value value) && noexcept {
    internal::Header* tree = node();
    CHECK(position <= internal::tree_size(tree));
    internal::tree_insert(tree, position, {std::move(value)});
    slot_ = internal::Access::bits(Kind::kArray, tree);
    return std::move(*this);
}

Array Array::erase(std::size_t position) && noexcept {
    internal::Header* tree = node();
    CHECK(position < internal::tree_size(tree));
    internal::tree_erase(tree, position);
    slot_ = internal::Access::bits(Kind::kArray, tree);
    return std::move(*this);
}

Array Array::push_back(Value value) && noexcept {
    const std::size_t position = size();
    return std::move(*this).insert(position, std::move(value));
}

Array Array::set(std::size_t position, Value value) const& noexcept {
    return Array(*this).set(position, std::move(value));
}
Array Array::insert(std::size_t position, Value value) const& noexcept {
    return Array(*this).insert(position, std::move(value));
}
Array Array::erase(std::size_t position) const& noexcept {
    return Array(*this).erase(position);
}
Array Array::push_back(Value value) const& noexcept {
    return Array(*this).push_back(std::move(value));
}

bool operator==(const Array& a, const Array& b) noexcept {
    return Value(a) == Value(b);
}

}  // namespace arbiter::value
