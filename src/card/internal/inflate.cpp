#include "card/internal/inflate.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace arbiter::card::internal {
namespace {

using Status = Inflated::Status;

constexpr std::size_t kCodeBitsMax = 15;
constexpr std::size_t kLiteralCodes = 288;
constexpr std::size_t kLiteralCodesUsed = 286;
constexpr std::size_t kDistanceCodes = 30;
constexpr std::uint32_t kEndOfBlock = 256;

// The smallest value of a length or distance code, and the number of extra bits that follow it.
struct Range {
    std::uint16_t base;
    std::uint8_t bits;
};
constexpr auto kLengths = std::to_array<Range>(
    {{3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1}, {13, 1},
     {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3}, {59, 3},
     {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}});
constexpr auto kDistances = std::to_array<Range>(
    {{1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},
     {9, 2},     {13, 2},    {17, 3},    {25, 3},     {33, 4},     {49, 4},
     {65, 5},    {97, 5},    {129, 6},   {193, 6},    {257, 7},    {385, 7},
     {513, 8},   {769, 8},   {1025, 9},  {1537, 9},   {2049, 10},  {3073, 10},
     {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}});
// The order in which the lengths of the code length codes are stored.
constexpr std::array<std::uint8_t, 19> kStoredOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                       11, 4,  12, 3, 13, 2, 14, 1, 15};

// A canonical Huffman code: codes of one length are consecutive numbers.
class Code {
  public:
    // Fails where the lengths describe more codes than there are, or, unless there is at most one
    // code of one bit, fewer.
    bool assign(std::span<const std::uint8_t> lengths, bool may_be_incomplete) {
        counts_ = {};
        for (const std::uint8_t length : lengths) {
            ++counts_[length];
        }
        std::array<std::uint16_t, kCodeBitsMax + 2> starts = {};
        std::int32_t free = 1;
        for (std::size_t bits = 1; bits <= kCodeBitsMax; ++bits) {
            free = free * 2 - counts_[bits];
            if (free < 0) {
                return false;
            }
            starts[bits + 1] = static_cast<std::uint16_t>(starts[bits] + counts_[bits]);
        }
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
            if (lengths[symbol] != 0) {
                symbols_[starts[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
            }
        }
        return free == 0 || (may_be_incomplete && counts_[0] + counts_[1] == lengths.size());
    }

    // The next symbol of a source of bits; nothing where the bits are not a code.
    template <typename Bits>
    std::optional<std::uint32_t> next(Bits& source) const {
        std::uint32_t code = 0;
        std::uint32_t first = 0;
        std::uint32_t index = 0;
        for (std::size_t bits = 1; bits <= kCodeBitsMax; ++bits) {
            code |= source.take(1);
            const std::uint32_t count = counts_[bits];
            if (code < first + count) {
                return symbols_[index + (code - first)];
            }
            index += count;
            first = (first + count) * 2;
            code *= 2;
        }
        return std::nullopt;
    }

  private:
    std::array<std::uint16_t, kCodeBitsMax + 1> counts_ = {};
    std::array<std::uint16_t, kLiteralCodes> symbols_ = {};
};

// Bits from the lowest of each byte on. Past the end there are zeros, and `is_short` is set.
class Bits {
  public:
    explicit Bits(std::string_view bytes) : bytes_(bytes) {}

    bool is_short = false;

    std::uint32_t take(std::size_t count) {
        while (held_ < count) {
            bits_ |= std::uint64_t{next_byte()} << held_;
            held_ += 8;
        }
        const auto taken = static_cast<std::uint32_t>(bits_ & ((std::uint64_t{1} << count) - 1));
        bits_ >>= count;
        held_ -= count;
        return taken;
    }
    // Drops the rest of the current byte.
    void align() {
        bits_ = 0;
        held_ = 0;
    }
    std::uint8_t next_byte() {
        if (at_ == bytes_.size()) {
            is_short = true;
            return 0;
        }
        return static_cast<std::uint8_t>(bytes_[at_++]);
    }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    std::uint64_t bits_ = 0;
    std::size_t held_ = 0;
};

std::uint32_t adler32(std::string_view bytes) {
    constexpr std::uint32_t kBase = 65521;
    constexpr std::size_t kRun = 5552;  // bytes that fit into 32 bits before the remainder is taken
    std::uint32_t low = 1;
    std::uint32_t high = 0;
    for (std::size_t at = 0; at < bytes.size(); at += kRun) {
        for (const char c : bytes.substr(at, kRun)) {
            low += static_cast<unsigned char>(c);
            high += low;
        }
        low %= kBase;
        high %= kBase;
    }
    return high << 16U | low;
}

class Inflater {
  public:
    Inflater(std::string_view packed, std::size_t bytes_max) : in_(packed), max_(bytes_max) {}

    Inflated run() {
        constexpr std::uint32_t kDeflate = 8;
        constexpr std::uint32_t kDictionary = 0x20;
        const std::uint32_t method = in_.take(8);
        const std::uint32_t flags = in_.take(8);
        if ((method & 0xFU) != kDeflate || method >> 4U > 7 || (method * 256 + flags) % 31 != 0 ||
            (flags & kDictionary) != 0) {
            return {};
        }
        if (const Status status = blocks(); status != Status::kDone) {
            return {status};
        }
        in_.align();
        std::uint32_t sum = 0;
        for (int i = 0; i < 4; ++i) {
            sum = sum << 8U | in_.next_byte();
        }
        if (in_.is_short || sum != adler32(out_)) {
            return {};
        }
        return {Status::kDone, std::move(out_)};
    }
    Inflated run_raw() {
        const Status status = blocks();
        return status == Status::kDone && in_.is_short
                   ? Inflated{}
                   : Inflated{status, status == Status::kDone ? std::move(out_) : std::string()};
    }

  private:
    Status blocks() {
        for (bool last = false; !last;) {
            last = in_.take(1) != 0;
            if (const Status status = block(in_.take(2)); status != Status::kDone) {
                return status;
            }
        }
        return Status::kDone;
    }
    Status block(std::uint32_t type) {
        switch (type) {
            case 0:
                return stored();
            case 1:
                return fixed_codes() ? coded() : Status::kBroken;
            case 2:
                return read_codes() ? coded() : Status::kBroken;
            default:
                return Status::kBroken;
        }
    }

    Status stored() {
        in_.align();
        const std::uint32_t size = in_.take(16);
        if (in_.take(16) != (size ^ 0xFFFFU)) {
            return Status::kBroken;
        }
        for (std::uint32_t i = 0; i < size; ++i) {
            if (!append(in_.next_byte())) {
                return Status::kTooLong;
            }
        }
        return in_.is_short ? Status::kBroken : Status::kDone;
    }

    bool fixed_codes() {
        std::array<std::uint8_t, kLiteralCodes> lengths = {};
        std::fill(lengths.begin(), lengths.begin() + 144, std::uint8_t{8});
        std::fill(lengths.begin() + 144, lengths.begin() + 256, std::uint8_t{9});
        std::fill(lengths.begin() + 256, lengths.begin() + 280, std::uint8_t{7});
        std::fill(lengths.begin() + 280, lengths.end(), std::uint8_t{8});
        std::array<std::uint8_t, 32> distances = {};
        distances.fill(5);
        return literals_.assign(lengths, false) && distances_.assign(distances, false);
    }

    bool read_codes() {
        const std::size_t literals = in_.take(5) + 257;
        const std::size_t distances = in_.take(5) + 1;
        const std::size_t stored = in_.take(4) + 4;
        if (literals > kLiteralCodesUsed || distances > kDistanceCodes) {
            return false;
        }
        std::array<std::uint8_t, kStoredOrder.size()> code_lengths = {};
        for (std::size_t i = 0; i < stored; ++i) {
            code_lengths[kStoredOrder[i]] = static_cast<std::uint8_t>(in_.take(3));
        }
        Code code;
        if (!code.assign(code_lengths, false)) {
            return false;
        }
        std::array<std::uint8_t, kLiteralCodes + 32> lengths = {};
        for (std::size_t at = 0; at < literals + distances;) {
            const auto symbol = code.next(in_);
            if (!symbol || in_.is_short) {
                return false;
            }
            if (*symbol < 16) {
                lengths[at++] = static_cast<std::uint8_t>(*symbol);
                continue;
            }
            if (*symbol == 16 && at == 0) {
                return false;
            }
            const std::uint8_t repeated = *symbol == 16 ? lengths[at - 1] : std::uint8_t{0};
            const std::size_t times = repeats_of(*symbol);
            if (times > literals + distances - at) {
                return false;
            }
            std::fill_n(lengths.begin() + static_cast<std::ptrdiff_t>(at), times, repeated);
            at += times;
        }
        const std::span<const std::uint8_t> all(lengths);
        return lengths[kEndOfBlock] != 0 && literals_.assign(all.first(literals), true) &&
               distances_.assign(all.subspan(literals, distances), true);
    }
    std::size_t repeats_of(std::uint32_t symbol) {
        if (symbol == 16) {
            return 3 + in_.take(2);
        }
        return symbol == 17 ? 3 + in_.take(3) : 11 + in_.take(7);
    }

    Status coded() {
        while (true) {
            const auto symbol = literals_.next(in_);
            if (!symbol || in_.is_short) {
                return Status::kBroken;
            }
            if (*symbol == kEndOfBlock) {
                return Status::kDone;
            }
            if (*symbol < kEndOfBlock) {
                if (!append(static_cast<std::uint8_t>(*symbol))) {
                    return Status::kTooLong;
                }
                continue;
            }
            if (const Status status = copy(*symbol - kEndOfBlock - 1); status != Status::kDone) {
                return status;
            }
        }
    }

    // Repeats earlier output; source and target may overlap.
    Status copy(std::size_t length_code) {
        if (length_code >= kLengths.size()) {
            return Status::kBroken;
        }
        const std::size_t length =
            kLengths[length_code].base + in_.take(kLengths[length_code].bits);
        const auto code = distances_.next(in_);
        if (!code || *code >= kDistances.size()) {
            return Status::kBroken;
        }
        const std::size_t distance = kDistances[*code].base + in_.take(kDistances[*code].bits);
        if (in_.is_short || distance > out_.size()) {
            return Status::kBroken;
        }
        for (std::size_t i = 0; i < length; ++i) {
            if (!append(static_cast<std::uint8_t>(out_[out_.size() - distance]))) {
                return Status::kTooLong;
            }
        }
        return Status::kDone;
    }

    bool append(std::uint8_t byte) {
        if (out_.size() == max_) {
            return false;
        }
        out_.push_back(static_cast<char>(byte));
        return true;
    }

    Bits in_;
    std::size_t max_;
    std::string out_;
    Code literals_;
    Code distances_;
};

constexpr std::array<std::uint32_t, 256> crc_table() {
    std::array<std::uint32_t, 256> table = {};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xEDB88320U : crc >> 1U;
        }
        table[byte] = crc;
    }
    return table;
}

}  // namespace

Inflated inflate_plain(std::string_view packed, std::size_t bytes_max) {
    return Inflater(packed, bytes_max).run();
}

Inflated inflate_raw_plain(std::string_view packed, std::size_t bytes_max) {
    return Inflater(packed, bytes_max).run_raw();
}

std::uint32_t crc32_plain(std::string_view bytes) noexcept {
    static constexpr std::array<std::uint32_t, 256> kTable = crc_table();
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes) {
        crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xFFU] ^ crc >> 8U;
    }
    return ~crc;
}

}  // namespace arbiter::card::internal
