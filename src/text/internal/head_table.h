// A table from the heads of keywords (their first six bytes, or all of a shorter one) to numbers.
//
// A head and its length fit in one integer, so equal integers are equal heads. At most offsets of a
// text no keyword begins; a bit filter detects that without a table lookup. Open addressing with
// linear probing; no more than three quarters of the slots are used.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace arbiter::text::internal {

inline constexpr std::size_t kHeadBytesMax = 6;

// Eight bytes, the first lowest.
inline std::uint64_t load_word(const char* bytes) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}
// Fewer than eight bytes, padded with zeros.
inline std::uint64_t load_part(std::string_view bytes) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        word |= std::uint64_t{static_cast<std::uint8_t>(bytes[i])} << (8 * i);
    }
    return word;
}

// The head of `size` bytes that a word begins with. Never zero.
inline std::uint64_t head_key(std::uint64_t word, unsigned size) noexcept {
    static constexpr std::uint64_t kMasks[] = {0,          0xFF,         0xFFFF,        0xFFFFFF,
                                               0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF};
    return (word & kMasks[size]) | (std::uint64_t{size} << 48);
}
inline std::uint64_t head_key(std::string_view keyword) noexcept {
    const std::string_view head = keyword.substr(0, kHeadBytesMax);
    return head_key(load_part(head), static_cast<unsigned>(head.size()));
}

class HeadTable {
  public:
    struct Slot {
        std::uint64_t key = 0;  // 0: free
        std::uint32_t value = 0;
    };

    // Raw pointers for the inner loop of a search: no calls, no bounds checks.
    struct View {
        const std::uint8_t* sizes;  // by first byte: bit n - 1 for a head of n bytes
        const std::uint64_t* filter;
        std::uint64_t filter_mask;
        // The bit of the filter for a hash. Shifted by a constant, for speed.
        [[nodiscard]] std::uint64_t bit_of(std::uint64_t hash) const noexcept {
            return (hash >> 36) & filter_mask;
        }
        [[nodiscard]] bool may_hold(std::uint64_t hash) const noexcept {
            const std::uint64_t bit = bit_of(hash);
            return ((filter[bit >> 6] >> (bit & 63)) & 1) != 0;
        }
    };
    static std::uint64_t hash(std::uint64_t key) noexcept { return key * 0x9E3779B97F4A7C15ULL; }

    HeadTable();
    [[nodiscard]] View view() const noexcept {
        return {sizes_.data(), filter_.data(), 64 * filter_.size() - 1};
    }
    // The slot of a key or null, and the number of slots examined.
    struct Found {
        const Slot* slot;
        std::size_t looked;
    };
    [[nodiscard]] Found find(std::uint64_t key) const noexcept;
    // The value of a key, which must be present.
    std::uint32_t& at(std::uint64_t key);
    // Precondition: the key is absent.
    void insert(std::uint64_t key, std::uint32_t value);
    // Precondition: the key is present.
    void erase(std::uint64_t key);

  private:
    // 2^4 filter bits per slot: at three quarters load, about one bit in twenty is set.
    static constexpr unsigned kFilterBitsOfSlot = 4;
    static constexpr unsigned kSlotBitsMin = 5;

    [[nodiscard]] std::size_t home(std::uint64_t key) const noexcept {
        return static_cast<std::size_t>(hash(key) >> (64 - slot_bits_));
    }
    [[nodiscard]] std::size_t place(std::uint64_t key) const noexcept;
    void note(std::uint64_t key);
    void lay_out(unsigned slot_bits);

    std::vector<Slot> slots_;
    std::vector<std::uint64_t> filter_;
    std::array<std::uint8_t, 256> sizes_{};
    unsigned slot_bits_ = kSlotBitsMin;
    std::size_t used_ = 0;
    // Keys erased since the last layout; their filter bits are still set.
    std::size_t erased_ = 0;
};

}  // namespace arbiter::text::internal
