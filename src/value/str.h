// Str: an immutable string of 16 bytes that is cheap to copy.
//
// Up to 14 bytes are stored inline; longer text is shared by reference count. Strings from this
// module's parsers are valid UTF-8; the type itself accepts any bytes. Copies may be used from
// several threads.
#pragma once

#include <compare>
#include <cstring>
#include <string_view>
#include <utility>

#include "value/internal/node.h"
#include "value/kind.h"

namespace arbiter::value {

namespace internal {
struct Access;
}

class Str {
  public:
    static constexpr std::size_t kInlineMax = 14;

    Str() noexcept { slot_.hi = tag(); }
    // `text` must be at most base::kStringBytesMax long.
    Str(std::string_view text) noexcept : slot_(make(text)) {}       // NOLINT: implicit by design
    Str(const char* text) noexcept : Str(std::string_view(text)) {}  // NOLINT
    Str(const Str& other) noexcept : slot_(other.slot_) { internal::retain(slot_); }
    Str(Str&& other) noexcept : slot_(std::exchange(other.slot_, {0, tag()})) {}
    Str& operator=(const Str& other) noexcept {
        internal::retain(other.slot_);
        internal::release(std::exchange(slot_, other.slot_));
        return *this;
    }
    Str& operator=(Str&& other) noexcept {
        std::swap(slot_, other.slot_);
        return *this;
    }
    ~Str() { internal::release(slot_); }

    [[nodiscard]] std::string_view view() const noexcept { return view(slot_); }
    operator std::string_view() const noexcept { return view(); }  // NOLINT: reads like a string
    [[nodiscard]] std::size_t size() const noexcept { return view().size(); }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    [[nodiscard]] bool is_inline() const noexcept { return !internal::is_counted(slot_); }

    friend bool operator==(const Str& a, const Str& b) noexcept { return equal(a.slot_, b.slot_); }
    friend bool operator==(const Str& a, std::string_view b) noexcept { return a.view() == b; }
    friend bool operator==(const Str& a, const char* b) noexcept { return a.view() == b; }
    friend std::strong_ordering operator<=>(const Str& a, const Str& b) noexcept {
        return a.view() <=> b.view();
    }

  private:
    friend class Value;
    friend class Segment;
    friend struct internal::Access;

    static constexpr std::uint64_t tag() noexcept {
        return static_cast<std::uint64_t>(Kind::kString) << internal::kTagShift;
    }
    static internal::Slot make(std::string_view text) noexcept {
        return text.size() <= kInlineMax ? make_short(text) : make_long(text);
    }
    static internal::Slot make_long(std::string_view text) noexcept;
    // The bits of an inline string. Loads whole words instead of a copy of unknown length, since
    // this runs for every key and most values of a parsed document.
    static internal::Slot make_short(std::string_view text) noexcept {
        const char* bytes = text.data();
        const std::size_t size = text.size();
        const auto word = [bytes](std::size_t at, auto type) {
            decltype(type) loaded;
            std::memcpy(&loaded, bytes + at, sizeof loaded);
            return std::uint64_t{loaded};
        };
        internal::Slot slot;
        if (size > 8) {
            slot.lo = word(0, std::uint64_t{});
            slot.hi = word(size - 8, std::uint64_t{}) >> (8 * (16 - size));
        } else if (size >= 4) {
            slot.lo = word(0, std::uint32_t{}) | word(size - 4, std::uint32_t{})
                                                     << (8 * (size - 4));
        } else if (size > 0) {
            slot.lo = word(0, std::uint8_t{}) | word(size / 2, std::uint8_t{}) << (8 * (size / 2)) |
                      word(size - 1, std::uint8_t{}) << (8 * (size - 1));
        }
        slot.hi |= tag() | (std::uint64_t{size} << (internal::kTagShift - 8));
        return slot;
    }
    static bool equal(const internal::Slot& a, const internal::Slot& b) noexcept {
        if (a.lo == b.lo && a.hi == b.hi) {
            return true;
        }
        return internal::is_counted(a) && internal::is_counted(b) && view(a) == view(b);
    }
    static std::string_view view(const internal::Slot& slot) noexcept {
        if (internal::is_counted(slot)) {
            const auto* text = static_cast<const internal::Text*>(internal::node_of(slot));
            return {text->bytes(), text->size};
        }
        return {reinterpret_cast<const char*>(&slot),
                static_cast<std::size_t>((slot.hi >> (internal::kTagShift - 8)) & 0xFF)};
    }

    internal::Slot slot_;
};
static_assert(sizeof(Str) == 16);

}  // namespace arbiter::value
