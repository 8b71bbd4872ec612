#include "text/keywords.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "text/internal/suffix_order.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace arbiter::text {
namespace {

using internal::head_key;
using internal::HeadTable;
using internal::kHeadBytesMax;
using internal::load_part;
using internal::load_word;

// Marks a value of the head table as the number of a group.
constexpr std::uint32_t kGroup = 0x80000000;

// Step budget of a search behind the heads: per byte of the text, and in total. A step takes about
// five nanoseconds; ordinary text needs less than one step for ten bytes.
constexpr std::uint64_t kStepsOfByte = 16;
constexpr std::uint64_t kStepsMin = 4096;
// Bytes compared in one step.
constexpr std::size_t kBytesOfStep = 16;
// Bytes of text whose suffixes are sorted at once; sized to stay in the cache of a core.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;

// Bytes covered by one mask of character boundaries.
constexpr std::size_t kStride = 64;

// A mask of the bytes, among the next 64, at which a character begins. Continuation bytes have bit
// 7 set and bit 6 clear.
std::uint64_t starts_in(const char* bytes) noexcept {
    std::uint64_t starts = 0;
#if defined(__SSE2__)
    for (unsigned i = 0; i < kStride; i += 16) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
        const __m128i are = _mm_cmpgt_epi8(block, _mm_set1_epi8('\xBF'));
        starts |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(are))} << i;
    }
#else
    constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
    for (unsigned i = 0; i < kStride; i += 8) {
        const std::uint64_t word = load_word(bytes + i);
        const std::uint64_t are = ~(word & ~(word << 1)) & kHighBits;
        // The product gathers the eight bits in its highest byte without carries.
        starts |= (((are >> 7) * 0x0102040810204080ULL) >> 56) << i;
    }
#endif
    return starts;
}

bool is_further(char byte) noexcept {
    return (static_cast<std::uint8_t>(byte) & 0xC0U) == 0x80;
}

// The length of the common prefix.
std::size_t common(std::string_view a, std::string_view b) noexcept {
    const std::size_t size = std::min(a.size(), b.size());
    std::size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        const std::uint64_t differ = load_word(a.data() + i) ^ load_word(b.data() + i);
        if (differ != 0) {
            return i + static_cast<std::size_t>(std::countr_zero(differ)) / 8;
        }
    }
    while (i < size && a[i] == b[i]) {
        ++i;
    }
    return i;
}

}  // namespace

// One search. Found keywords are marked, so that the ids of each are added once.
class Keywords::Search {
  public:
    Search(const Keywords& set, std::string_view searched, std::vector<std::uint64_t>& seen,
           std::size_t most = std::numeric_limits<std::size_t>::max())
        : set_(set),
          text_(searched),
          seen_(seen),
          most_(most),
          steps_(kStepsMin + kStepsOfByte * searched.size()) {}

    // Nothing if there are more than `most` ids.
    std::optional<std::vector<Id>> run() {
        if (set_.size() == 0) {
            return std::vector<Id>();
        }
        if (!pass() && !is_crowded_) {
            look_up_rest();
        }
        if (is_crowded_) {
            return std::nullopt;
        }
        std::ranges::sort(found_);
        const auto [first, last] = std::ranges::unique(found_);
        found_.erase(first, last);
        return std::move(found_);
    }

  private:
    void mark(std::uint32_t entry) {
        if (is_crowded_) {
            return;
        }
        if (seen_.empty()) {
            // Allocated on the first hit: most short texts have none.
            seen_.resize((set_.entries_.bound() + 63) / 64);
        }
        std::uint64_t& word = seen_[entry / 64];
        const std::uint64_t bit = std::uint64_t{1} << (entry % 64);
        if ((word & bit) != 0) {
            return;
        }
        word |= bit;
        const Entry& keyword = set_.entries_[entry];
        if (keyword.ids == kNone) {
            found_.push_back(keyword.id);
            is_crowded_ = found_.size() > most_;
        } else {
            const std::vector<Id>& ids = set_.id_lists_[keyword.ids];
            is_crowded_ = ids.size() > most_ - found_.size();
            if (is_crowded_) {
                return;
            }
            found_.insert(found_.end(), ids.begin(), ids.end());
        }
    }
    [[nodiscard]] bool is_marked(std::uint32_t entry) const {
        return !seen_.empty() && ((seen_[entry / 64] >> (entry % 64)) & 1) != 0;
    }
    // Once exhausted, always false.
    bool spend(std::uint64_t steps) {
        steps_ -= std::min(steps, steps_);
        return steps_ > 0 && !is_crowded_;
    }

    // Examines every character of the text. False if the step budget was exhausted.
    bool pass() {
        // Local copies, because the compiler must assume that writes of results alias the members.
        const HeadTable::View heads = set_.heads_.view();
        const char* const bytes = text_.data();
        const std::size_t size = text_.size();
        std::size_t at = 0;
        // One mask for many bytes: short loops over few characters mispredict their end.
        for (; at + kStride + 8 <= size; at += kStride) {
            for (std::uint64_t starts = starts_in(bytes + at); starts != 0; starts &= starts - 1) {
                const std::size_t start = at + static_cast<std::size_t>(std::countr_zero(starts));
                if (!look(heads, start, load_word(bytes + start))) {
                    return false;
                }
            }
        }
        for (; at + 8 <= size; ++at) {
            if (!is_further(bytes[at]) && !look(heads, at, load_word(bytes + at))) {
                return false;
            }
        }
        for (; at < size; ++at) {
            const std::string_view rest = text_.substr(at);
            if (!is_further(rest[0]) && !look_all(heads, at, load_part(rest), rest.size())) {
                return false;
            }
        }
        return true;
    }

    // Looks up the heads at an offset with at least eight bytes left.
    bool look(const HeadTable::View& heads, std::size_t at, std::uint64_t word) {
        constexpr unsigned kLongest = 1U << (kHeadBytesMax - 1);
        if ((heads.sizes[word & 0xFF] & ~kLongest) != 0) {
            return look_all(heads, at, word, kHeadBytesMax);
        }
        // Most heads have all six bytes. No check of the first byte: the filter covers it, and the
        // branch would be unpredictable.
        const std::uint64_t key = head_key(word, kHeadBytesMax);
        return !heads.may_hold(HeadTable::hash(key)) || look_behind(at, key);
    }

    // Looks up heads of all sizes at an offset with `left` bytes left.
    bool look_all(const HeadTable::View& heads, std::size_t at, std::uint64_t word,
                  std::size_t left) {
        for (unsigned sizes = heads.sizes[word & 0xFF]; sizes != 0; sizes &= sizes - 1) {
            const unsigned size = static_cast<unsigned>(std::countr_zero(sizes)) + 1;
            const std::uint64_t key = head_key(word, size);
            if (heads.may_hold(HeadTable::hash(key)) && size <= left && !look_behind(at, key)) {
                return false;
            }
        }
        return true;
    }

    // Compares the keywords of a head that passed the filter.
    bool look_behind(std::size_t at, std::uint64_t key) {
        const auto [slot, looked] = set_.heads_.find(key);
        if (slot == nullptr) {
            return spend(looked);
        }
        const auto head = static_cast<std::size_t>(key >> 48);
        if ((slot->value & kGroup) == 0) {
            return spend(looked) && narrow({&slot->value, 1}, head, text_.substr(at));
        }
        return spend(looked) && narrow(set_.groups_[slot->value & ~kGroup], head, text_.substr(at));
    }

    // Marks the keywords of `sorted` that the text begins with; all share `depth` bytes with it.
    bool narrow(std::span<const std::uint32_t> sorted, std::size_t depth, std::string_view text) {
        const auto keyword = [this](std::uint32_t entry) -> std::string_view {
            return set_.entries_[entry].text;
        };
        while (!sorted.empty()) {
            // The common prefix of the first and the last is common to all.
            const std::string_view first = keyword(sorted.front()).substr(depth);
            const std::size_t shared = sorted.size() == 1
                                           ? first.size()
                                           : common(first, keyword(sorted.back()).substr(depth));
            const std::size_t same = common(first.substr(0, shared), text.substr(depth));
            const std::size_t compared = sorted.size() == 1 ? same : shared;
            if (!spend(static_cast<std::uint64_t>(std::bit_width(sorted.size())) +
                       compared / kBytesOfStep)) {
                return false;
            }
            if (same < shared) {
                return true;
            }
            depth += shared;
            if (first.size() == shared) {
                mark(sorted.front());
                sorted = sorted.subspan(1);
            }
            if (depth == text.size()) {
                return true;
            }
            const auto range = std::ranges::equal_range(
                sorted, static_cast<std::uint8_t>(text[depth]), {}, [&](std::uint32_t entry) {
                    return static_cast<std::uint8_t>(keyword(entry)[depth]);
                });
            sorted = {range.begin(), range.end()};
        }
        return true;
    }

    // The fallback, whose cost does not depend on common prefixes: looks up each keyword that was
    // not found yet in a suffix array of the text.
    void look_up_rest() {
        std::size_t longest = 0;
        for (std::uint32_t entry = 0; entry < set_.entries_.bound(); ++entry) {
            longest = std::max(longest, set_.entries_[entry].text.size());
        }
        for (std::size_t at = 0; at < text_.size(); at += kPieceBytes) {
            const internal::SuffixOrder suffixes(text_.substr(at, kPieceBytes + longest - 1));
            for (std::uint32_t entry = 0; entry < set_.entries_.bound(); ++entry) {
                const std::string& keyword = set_.entries_[entry].text;
                if (!keyword.empty() && !is_marked(entry) && suffixes.contains(keyword)) {
                    mark(entry);
                }
            }
        }
    }

    const Keywords& set_;
    std::string_view text_;
    std::vector<std::uint64_t>& seen_;
    std::size_t most_;
    bool is_crowded_ = false;
    std::uint64_t steps_;
    std::vector<Id> found_;
};

std::vector<Keywords::Id> Keywords::find(std::string_view text) const {
    std::vector<std::uint64_t> seen;
    return *Search(*this, text, seen).run();
}

std::optional<std::vector<Keywords::Id>> Keywords::find_few(std::string_view text,
                                                            std::size_t most) const {
    std::vector<std::uint64_t> seen;
    return Search(*this, text, seen, most).run();
}

std::vector<Keywords::Id> Keywords::find_new(std::string_view text, Seen& seen) const {
    return *Search(*this, text, seen.bits_).run();
}

std::size_t Keywords::place_in(const std::vector<std::uint32_t>& group,
                               std::string_view keyword) const {
    const auto text_of = [this](std::uint32_t entry) -> std::string_view {
        return entries_[entry].text;
    };
    const auto place = std::ranges::lower_bound(group, keyword, {}, text_of);
    return static_cast<std::size_t>(place - group.begin());
}

std::uint32_t Keywords::entry_of(std::string_view keyword) const {
    const HeadTable::Slot* slot = heads_.find(head_key(keyword)).slot;
    if (slot == nullptr) {
        return kNone;
    }
    std::uint32_t entry = slot->value;
    if ((entry & kGroup) != 0) {
        const std::vector<std::uint32_t>& group = groups_[entry & ~kGroup];
        const std::size_t place = place_in(group, keyword);
        if (place == group.size()) {
            return kNone;
        }
        entry = group[place];
    }
    return entries_[entry].text == keyword ? entry : kNone;
}

bool Keywords::add(std::string_view keyword, Id id) {
    if (keyword.empty() || is_further(keyword[0])) {
        return false;
    }
    const std::uint32_t known = entry_of(keyword);
    if (known != kNone) {
        return add_id(entries_[known], id);
    }
    insert(keyword, id);
    return true;
}

bool Keywords::add_id(Entry& entry, Id id) {
    if (entry.ids == kNone) {
        if (entry.id == id) {
            return false;
        }
        entry.ids = id_lists_.take({entry.id});
    }
    std::vector<Id>& ids = id_lists_[entry.ids];
    const auto place = std::ranges::lower_bound(ids, id);
    if (place != ids.end() && *place == id) {
        return false;
    }
    ids.insert(place, id);
    return true;
}

void Keywords::insert(std::string_view keyword, Id id) {
    const std::uint32_t entry = entries_.take({std::string(keyword), id, kNone});
    ++size_;
    const std::uint64_t key = head_key(keyword);
    if (heads_.find(key).slot == nullptr) {
        heads_.insert(key, entry);
        return;
    }
    std::uint32_t& value = heads_.at(key);
    if ((value & kGroup) == 0) {
        value = groups_.take({value}) | kGroup;
    }
    std::vector<std::uint32_t>& group = groups_[value & ~kGroup];
    group.insert(group.begin() + static_cast<std::ptrdiff_t>(place_in(group, keyword)), entry);
}

bool Keywords::remove(std::string_view keyword, Id id) {
    const std::uint32_t found = keyword.empty() ? kNone : entry_of(keyword);
    if (found == kNone) {
        return false;
    }
    Entry& entry = entries_[found];
    if (entry.ids == kNone) {
        if (entry.id != id) {
            return false;
        }
        erase(found);
        return true;
    }
    std::vector<Id>& ids = id_lists_[entry.ids];
    const auto place = std::ranges::lower_bound(ids, id);
    if (place == ids.end() || *place != id) {
        return false;
    }
    ids.erase(place);
    if (ids.size() == 1) {
        entry.id = ids[0];
        id_lists_.give_back(entry.ids);
        entry.ids = kNone;
    }
    return true;
}

void Keywords::erase(std::uint32_t entry) {
    const std::uint64_t key = head_key(entries_[entry].text);
    std::uint32_t& value = heads_.at(key);
    if ((value & kGroup) == 0) {
        heads_.erase(key);
    } else {
        const std::uint32_t number = value & ~kGroup;
        std::vector<std::uint32_t>& group = groups_[number];
        group.erase(std::ranges::find(group, entry));
        if (group.size() == 1) {
            value = group[0];
            groups_.give_back(number);
        }
    }
    entries_.give_back(entry);
    --size_;
}

}  // namespace arbiter::text
