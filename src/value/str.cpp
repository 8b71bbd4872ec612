#include "value/str.h"

#include <new>

#include "base/check.h"
#include "base/limits.h"

namespace arbiter::value {

internal::Slot Str::make_long(std::string_view text) noexcept {
    CHECK(text.size() <= base::kStringBytesMax);
    constexpr std::size_t kPadding = 16;
    auto* node =
        new (internal::allocate(sizeof(internal::Text) + text.size() + kPadding)) internal::Text();
    node->size = static_cast<std::uint32_t>(text.size());
    std::memcpy(node->bytes(), text.data(), text.size());
    std::memset(node->bytes() + text.size(), 0, kPadding);
    internal::Slot slot;
    slot.lo = reinterpret_cast<std::uintptr_t>(static_cast<internal::Header*>(node));
    slot.hi = tag() | internal::kCountedBit;
    return slot;
}

}  // namespace arbiter::value
