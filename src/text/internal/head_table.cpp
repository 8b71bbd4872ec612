#include "text/internal/head_table.h"

#include <utility>

#include "base/check.h"

namespace arbiter::text::internal {

HeadTable::HeadTable() {
    lay_out(kSlotBitsMin);
}

// The slot of the key, or the free slot where it belongs.
std::size_t HeadTable::place(std::uint64_t key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = home(key);
    while (slots_[i].key != 0 && slots_[i].key != key) {
        i = (i + 1) & mask;
    }
    return i;
}

HeadTable::Found HeadTable::find(std::uint64_t key) const noexcept {
    const std::size_t i = place(key);
    const std::size_t looked = ((i - home(key)) & (slots_.size() - 1)) + 1;
    return {slots_[i].key == key ? &slots_[i] : nullptr, looked};
}

std::uint32_t& HeadTable::at(std::uint64_t key) {
    Slot& slot = slots_[place(key)];
    CHECK(slot.key == key);
    return slot.value;
}

void HeadTable::note(std::uint64_t key) {
    const auto bit = static_cast<std::size_t>(view().bit_of(hash(key)));
    filter_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
    std::uint8_t& sizes = sizes_[static_cast<std::uint8_t>(key)];
    sizes = static_cast<std::uint8_t>(sizes | 1U << ((key >> 48) - 1));
}

void HeadTable::insert(std::uint64_t key, std::uint32_t value) {
    if (4 * (used_ + 1) > 3 * slots_.size()) {
        lay_out(slot_bits_ + 1);
    }
    Slot& slot = slots_[place(key)];
    CHECK(slot.key == 0);
    slot = {key, value};
    ++used_;
    note(key);
}

void HeadTable::erase(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t hole = place(key);
    CHECK(slots_[hole].key == key);
    // Moves later entries of the probe sequence up, so that no lookup ends early.
    for (std::size_t i = (hole + 1) & mask; slots_[i].key != 0; i = (i + 1) & mask) {
        if (((i - home(slots_[i].key)) & mask) >= ((i - hole) & mask)) {
            slots_[hole] = slots_[i];
            hole = i;
        }
    }
    slots_[hole] = {};
    --used_;
    // Rebuilds the filter once it holds many erased keys; amortised over the erasures.
    if (++erased_ > slots_.size() / 2) {
        lay_out(slot_bits_);
    }
}

void HeadTable::lay_out(unsigned slot_bits) {
    slot_bits_ = slot_bits;
    const std::vector<Slot> before = std::exchange(slots_, {});
    slots_.resize(std::size_t{1} << slot_bits);
    filter_.assign((std::size_t{1} << (slot_bits + kFilterBitsOfSlot)) / 64, 0);
    sizes_.fill(0);
    erased_ = 0;
    for (const Slot& slot : before) {
        if (slot.key != 0) {
            slots_[place(slot.key)] = slot;
            note(slot.key);
        }
    }
}

}  // namespace arbiter::text::internal
