// Value: one immutable JSON value of 16 bytes. A document is just a Value.
//
// Copying a Value copies a pointer; copies never see each other's changes. Values may be shared
// between threads; only the owner of one may assign to it or pass it as an rvalue. No Value nests
// deeper than base::kDepthBuildMax, so recursion over one is safe.
//
// Numbers have one form each: whole numbers that fit are int64, everything else is a finite
// double. A whole double becomes the integer that JavaScript would print for it; NaN and the
// infinities, which JSON cannot hold, become null; -0 becomes 0. So equal numbers are equal bits.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "value/internal/node.h"
#include "value/kind.h"
#include "value/str.h"

namespace arbiter::value {

class Array;
class Object;
namespace internal {
struct Access;
}

class Value {
  public:
    Value() noexcept = default;        // null
    Value(std::nullptr_t) noexcept {}  // NOLINT: literals convert
    Value(bool value) noexcept : slot_{value ? 1U : 0U, tag(Kind::kBool)} {}  // NOLINT
    template <std::signed_integral T>
    Value(T value) noexcept  // NOLINT
        : slot_{static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), tag(Kind::kInt)} {}
    Value(double value) noexcept : slot_(number(value)) {}                             // NOLINT
    Value(std::string_view text) noexcept : slot_(Str::make(text)) {}                  // NOLINT
    Value(const char* text) noexcept : Value(std::string_view(text)) {}                // NOLINT
    Value(const Str& text) noexcept : slot_(text.slot_) { internal::retain(slot_); }   // NOLINT
    Value(Str&& text) noexcept : slot_(std::exchange(text.slot_, {0, Str::tag()})) {}  // NOLINT
    Value(Array array) noexcept;                                                       // NOLINT
    Value(Object object) noexcept;                                                     // NOLINT

    Value(const Value& other) noexcept : slot_(other.slot_) { internal::retain(slot_); }
    Value(Value&& other) noexcept : slot_(std::exchange(other.slot_, {})) {}
    Value& operator=(const Value& other) noexcept {
        internal::retain(other.slot_);
        internal::release(std::exchange(slot_, other.slot_));
        return *this;
    }
    Value& operator=(Value&& other) noexcept {
        internal::release(std::exchange(slot_, std::exchange(other.slot_, {})));
        return *this;
    }
    ~Value() { internal::release(slot_); }

    [[nodiscard]] Kind kind() const noexcept {
        return static_cast<Kind>((slot_.hi >> internal::kTagShift) & 0x0F);
    }
    [[nodiscard]] bool is_null() const noexcept { return kind() == Kind::kNull; }
    [[nodiscard]] bool is_bool() const noexcept { return kind() == Kind::kBool; }
    [[nodiscard]] bool is_int() const noexcept { return kind() == Kind::kInt; }
    [[nodiscard]] bool is_number() const noexcept {
        return kind() == Kind::kInt || kind() == Kind::kDouble;
    }
    [[nodiscard]] bool is_string() const noexcept { return kind() == Kind::kString; }
    [[nodiscard]] bool is_array() const noexcept { return kind() == Kind::kArray; }
    [[nodiscard]] bool is_object() const noexcept { return kind() == Kind::kObject; }
    [[nodiscard]] bool is_container() const noexcept { return kind() >= Kind::kArray; }

    // The contents; the kind must be the one asked for.
    [[nodiscard]] bool as_bool() const noexcept {
        CHECK(is_bool());
        return slot_.lo != 0;
    }
    [[nodiscard]] std::int64_t as_int() const noexcept {
        CHECK(is_int());
        return static_cast<std::int64_t>(slot_.lo);
    }
    // Any number; an integer beyond 2^53 is rounded.
    [[nodiscard]] double as_double() const noexcept;
    [[nodiscard]] std::string_view as_string() const noexcept {
        CHECK(is_string());
        return Str::view(slot_);
    }
    [[nodiscard]] Str as_str() const noexcept;
    [[nodiscard]] const Array& as_array() const noexcept {
        CHECK(is_array());
        return reinterpret_cast<const Array&>(slot_);
    }
    [[nodiscard]] const Object& as_object() const noexcept {
        CHECK(is_object());
        return reinterpret_cast<const Object&>(slot_);
    }

    // How deep containers nest: 0 for a scalar, 1 for [] and {}. Visits every node once.
    [[nodiscard]] std::size_t depth() const noexcept;
    // The same comparison, usually without the walk, by a cached upper bound.
    [[nodiscard]] bool is_deeper_than(std::size_t levels) const noexcept;

    // Whether both are the same node or the same scalar. Implies equality; false proves nothing.
    [[nodiscard]] bool is_identical(const Value& other) const noexcept {
        return slot_.lo == other.slot_.lo && slot_.hi == other.slot_.hi;
    }

    // Deep equality. The order of members does not matter; 1 equals 1.0; "1" does not equal 1.
    friend bool operator==(const Value& a, const Value& b) noexcept;

  private:
    friend class Array;
    friend class Object;
    friend class Segment;
    friend struct internal::Access;

    static constexpr std::uint64_t tag(Kind kind) noexcept {
        return static_cast<std::uint64_t>(kind) << internal::kTagShift;
    }
    static internal::Slot number(double value) noexcept;

    internal::Slot slot_;
};
static_assert(sizeof(Value) == 16);

// Equality including the order of members: both print the same bytes.
bool same_bytes(const Value& a, const Value& b) noexcept;

// The JSON name of a kind; int and double are both "number".
std::string_view name(Kind kind) noexcept;

}  // namespace arbiter::value
