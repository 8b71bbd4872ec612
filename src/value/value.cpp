#include "value/value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "base/limits.h"
#include "value/array.h"
#include "value/internal/tree.h"
#include "value/number.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

// Measures depth, each node once: a document may share one part many times on every level.
class Depth {
  public:
    std::size_t of(const Value& value) {
        if (!value.is_container()) {
            return 0;
        }
        const internal::Slot& slot = internal::Access::slot(value);
        if (!internal::is_counted(slot)) {
            return 1;
        }
        const internal::Header* node = internal::node_of(slot);
        if (const auto known = known_.find(node); known != known_.end()) {
            return known->second;
        }
        std::size_t deepest = 0;
        if (value.is_array()) {
            for (const Value& item : value.as_array()) {
                deepest = std::max(deepest, of(item));
            }
        } else {
            for (const auto& [key, item] : value.as_object()) {
                deepest = std::max(deepest, of(item));
            }
        }
        known_.emplace(node, deepest + 1);
        return deepest + 1;
    }

  private:
    std::unordered_map<const internal::Header*, std::size_t> known_;
};

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

std::size_t Value::depth() const noexcept {
    return Depth().of(*this);
}

bool Value::is_deeper_than(std::size_t levels) const noexcept {
    return internal::height_of(*this) > levels && depth() > levels;
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
