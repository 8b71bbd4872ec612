#include "value/value.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/limits.h"
#include "value/array.h"
#include "value/internal/tree.h"
#include "value/number.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

// The exact depth below a node, but never more than `enough` + 1 by walking no further than needed.
std::size_t exact_depth(const Value& value) noexcept {
    if (!value.is_container()) {
        return 0;
    }
    std::size_t deepest = 0;
    if (value.is_array()) {
        for (const Value& item : value.as_array()) {
            deepest = std::max(deepest, exact_depth(item));
        }
    } else {
        for (const auto& [key, item] : value.as_object()) {
            deepest = std::max(deepest, exact_depth(item));
        }
    }
    return deepest + 1;
}

}  // namespace

internal::Slot Value::number(double value) noexcept {
    if (!std::isfinite(value)) {
        return {};
    }
    if (const auto integer = whole(value)) {
        return {static_cast<std::uint64_t>(*integer), tag(Kind::kInt)};
    }
    return {std::bit_cast<std::uint64_t>(value), tag(Kind::kDouble)};
}

double Value::as_double() const noexcept {
    CHECK(is_number());
    return is_int() ? static_cast<double>(as_int()) : std::bit_cast<double>(slot_.lo);
}

Str Value::as_str() const noexcept {
    CHECK(is_string());
    Str text;
    internal::retain(slot_);
    text.slot_ = slot_;
    return text;
}

std::size_t Value::depth(std::size_t enough) const noexcept {
    const std::size_t bound = internal::height_of(*this);
    return bound <= enough ? bound : exact_depth(*this);
}

std::string_view name(Kind kind) noexcept {
    switch (kind) {
        case Kind::kNull:
            return "null";
        case Kind::kBool:
            return "boolean";
        case Kind::kInt:
        case Kind::kDouble:
            return "number";
        case Kind::kString:
            return "string";
        case Kind::kArray:
            return "array";
        case Kind::kObject:
            return "object";
    }
    return {};
}

}  // namespace arbiter::value
