#include "ledger/record_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace arbiter::ledger {

namespace {

// ---- Symbols

// The symbols: 256 bytes, and the lengths of repetitions. A length is a symbol of its own, or the
// first of a range, and some bits that say which of the range.
constexpr std::size_t kBytes = 256;
constexpr std::size_t kLengthMin = 5;  // a shorter one is rarely shorter than its bytes
constexpr std::size_t kSingleLengths = 16;
constexpr std::size_t kRanges = 7;
constexpr std::size_t kSymbols = kBytes + kSingleLengths + kRanges;
constexpr unsigned kFirstRangeBits = 3;
constexpr unsigned kLastRangeBits = 16;

// Distances: a symbol for the number of binary digits, then the digits behind the first.
constexpr std::size_t kDistanceSymbols = 17;

constexpr unsigned kSymbolBitsMax = 11;
constexpr unsigned kDistanceBitsMax = 8;

// Bits of the code of each symbol, as hexadecimal digits. They follow from the frequencies in
// records of the tests and of the benchmark, and in Chinese and English prose.
constexpr std::string_view kSymbolBits =
    "bbbbbbbbbb7bbbbbbbbbbbbbbbbbbbbb5b6abbb9a9bb778956666656667aaabb"
    "babbbabbbbbbbbabbbbaabbbbbb999b97566656976b978668b66689899b887bb"
    "788989988899889899a9999899888999989999998a9aa98889a9999978887899"
    "bbbbbbbbbbbbbbbb88bbbbbbbbbbbbbbbba7766778aaaab8abbbbbbbbbbbbbbb"
    "667777788899aa9a889abbb";
constexpr std::string_view kDistanceBits = "88885443333334788";
static_assert(kSymbolBits.size() == kSymbols && kDistanceBits.size() == kDistanceSymbols);

constexpr unsigned digit(char c) noexcept {
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
}

struct Code {
    std::uint16_t bits = 0;  // the first one is the lowest
    std::uint16_t size = 0;
};

// Codes of the given sizes: in the order of their sizes, then of their symbols, each is the one
// before plus one.
template <std::size_t kCount>
constexpr std::array<Code, kCount> make_codes(std::string_view sizes, unsigned size_max) {
    std::array<Code, kCount> codes{};
    unsigned next = 0;
    for (unsigned size = 1; size <= size_max; ++size) {
        next <<= 1;
        for (std::size_t i = 0; i < kCount; ++i) {
            if (digit(sizes[i]) != size) {
                continue;
            }
            unsigned reversed = 0;
            for (unsigned bit = 0; bit < size; ++bit) {
                reversed |= (next >> bit & 1) << (size - 1 - bit);
            }
            codes[i] = {static_cast<std::uint16_t>(reversed), static_cast<std::uint16_t>(size)};
            ++next;
        }
    }
    return codes;
}
constexpr auto kSymbolCodes = make_codes<kSymbols>(kSymbolBits, kSymbolBitsMax);
constexpr auto kDistanceCodes = make_codes<kDistanceSymbols>(kDistanceBits, kDistanceBitsMax);

// The symbol and the size of the code that any next bits begin with.
struct Decoded {
    std::uint16_t symbol = 0;
    std::uint16_t size = 0;  // 0: none, which complete() excludes
};
template <unsigned kBits, std::size_t kCount>
constexpr auto make_decoder(const std::array<Code, kCount>& codes) {
    std::array<Decoded, std::size_t{1} << kBits> decoder{};
    for (std::size_t i = 0; i < kCount; ++i) {
        for (std::size_t rest = 0; rest < std::size_t{1} << (kBits - codes[i].size); ++rest) {
            decoder[codes[i].bits | rest << codes[i].size] = {static_cast<std::uint16_t>(i),
                                                              codes[i].size};
        }
    }
    return decoder;
}
constexpr auto kSymbolDecoder = make_decoder<kSymbolBitsMax>(kSymbolCodes);
constexpr auto kDistanceDecoder = make_decoder<kDistanceBitsMax>(kDistanceCodes);
constexpr bool is_complete(const auto& decoder) {
    return std::ranges::all_of(decoder, [](const Decoded& each) { return each.size > 0; });
}
static_assert(is_complete(kSymbolDecoder) && is_complete(kDistanceDecoder));

// The lengths of a range.
struct Range {
    std::size_t begin = 0;
    unsigned bits = 0;
};
constexpr auto kLengthRanges = [] {
    std::array<Range, kRanges> ranges{};
    std::size_t begin = kLengthMin + kSingleLengths;
    for (std::size_t i = 0; i < kRanges; ++i) {
        const unsigned bits =
            i + 1 < kRanges ? kFirstRangeBits + static_cast<unsigned>(i) : kLastRangeBits;
        ranges[i] = {begin, bits};
        begin += std::size_t{1} << bits;
    }
    return ranges;
}();
constexpr std::size_t kLengthMax =
    kLengthRanges.back().begin + (std::size_t{1} << kLastRangeBits) - 1;

// ---- Bytes

constexpr std::size_t kWord = sizeof(std::uint64_t);
static_assert(std::endian::native == std::endian::little, "the first bit is the lowest of a word");

std::uint64_t load(const char* from) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, from, kWord);
    return word;
}

constexpr int kHashBits = 12;
// Of the first kLengthMin bytes.
std::size_t hash_of(std::uint64_t word) noexcept {
    constexpr unsigned kUnused = 8 * (kWord - kLengthMin);
    return static_cast<std::size_t>((word << kUnused) * 0x9E3779B185EBCA87ULL >> (64 - kHashBits));
}

// A size in groups of seven bits, the lowest first; the highest bit says that more follow.
constexpr unsigned kGroupBits = 7;
void append_size(std::string& out, std::size_t size) {
    for (; size >> kGroupBits != 0; size >>= kGroupBits) {
        out += static_cast<char>(size | 1U << kGroupBits);
    }
    out += static_cast<char>(size);
}
std::optional<std::size_t> read_size(std::string_view& from) {
    std::size_t size = 0;
    for (unsigned shift = 0; !from.empty() && shift < 5 * kGroupBits; shift += kGroupBits) {
        const auto group = static_cast<unsigned char>(from.front());
        from.remove_prefix(1);
        size |= static_cast<std::size_t>(group & ((1U << kGroupBits) - 1)) << shift;
        if (group >> kGroupBits == 0) {
            return size;
        }
    }
    return std::nullopt;
}

// Writes bits to a place with room for a word behind the last one.
class BitWriter {
  public:
    explicit BitWriter(char* to) noexcept : to_(to) {}

    // At most 56 bits between two calls of flush().
    void put(std::uint64_t bits, unsigned size) noexcept {
        word_ |= bits << size_;
        size_ += size;
    }
    void put(Code code) noexcept { put(code.bits, code.size); }
    void flush() noexcept {
        std::memcpy(to_, &word_, kWord);
        to_ += size_ / 8;
        word_ >>= size_ & ~7U;
        size_ &= 7;
    }
    // The end of the last byte.
    char* finish() noexcept {
        flush();
        return to_ + (size_ > 0 ? 1 : 0);
    }

  private:
    char* to_;
    std::uint64_t word_ = 0;
    unsigned size_ = 0;
};

class BitReader {
  public:
    explicit BitReader(std::string_view from) noexcept
        : at_(from.data()), end_(at_ + from.size()) {}

    // Afterwards there are 56 bits, or all that are left.
    void fill() noexcept {
        if (static_cast<std::size_t>(end_ - at_) >= kWord) {
            word_ |= load(at_) << size_;
            at_ += (63 - size_) / 8;
            size_ |= 56;
            return;
        }
        while (size_ <= 56 && at_ < end_) {
            word_ |= static_cast<std::uint64_t>(static_cast<unsigned char>(*at_++)) << size_;
            size_ += 8;
        }
    }
    [[nodiscard]] std::size_t next(unsigned size) const noexcept {
        return static_cast<std::size_t>(word_ & ((std::uint64_t{1} << size) - 1));
    }
    // False if there are fewer.
    [[nodiscard]] bool skip(unsigned size) noexcept {
        if (size > size_) {
            return false;
        }
        word_ >>= size;
        size_ -= size;
        return true;
    }
    // Nothing is left but the rest of a byte, which is zero.
    [[nodiscard]] bool is_at_end() const noexcept { return at_ == end_ && size_ < 8 && word_ == 0; }

  private:
    const char* at_;
    const char* end_;
    std::uint64_t word_ = 0;
    unsigned size_ = 0;
};

// Symbols that fit into a word beside the bits that do not fill a byte.
constexpr int kTogether = 4;
static_assert(7 + kTogether * kSymbolBitsMax <= 56);

void put_bytes(BitWriter& writer, const char* from, const char* end) {
    while (from < end) {
        const char* const stop = from + std::min<std::ptrdiff_t>(kTogether, end - from);
        for (; from < stop; ++from) {
            writer.put(kSymbolCodes[static_cast<unsigned char>(*from)]);
        }
        writer.flush();
    }
}

void put_repetition(BitWriter& writer, std::size_t length, std::size_t distance) {
    if (length < kLengthMin + kSingleLengths) {
        writer.put(kSymbolCodes[kBytes + length - kLengthMin]);
    } else {
        std::size_t range = kRanges - 1;
        while (length < kLengthRanges[range].begin) {
            --range;
        }
        writer.put(kSymbolCodes[kBytes + kSingleLengths + range]);
        writer.put(length - kLengthRanges[range].begin, kLengthRanges[range].bits);
    }
    writer.flush();
    const auto digits = static_cast<unsigned>(std::bit_width(distance));
    writer.put(kDistanceCodes[digits]);
    writer.put(distance & ((std::size_t{1} << (digits - 1)) - 1), digits - 1);
    writer.flush();
}

// The end of what two places have in common, up to `end`. A word behind `end` can be read.
const char* end_of_match(const char* at, const char* earlier, const char* end) noexcept {
    for (; at < end; at += kWord, earlier += kWord) {
        if (const std::uint64_t other = load(at) ^ load(earlier); other != 0) {
            return std::min(at + std::countr_zero(other) / 8, end);
        }
    }
    return end;
}

struct Repetition {
    std::size_t length = 0;
    std::size_t distance = 0;
};
// The rest of a repetition whose first symbol was read; none: the bits end, or mean nothing.
std::optional<Repetition> read_repetition(BitReader& reader, std::size_t symbol) noexcept {
    Repetition repetition{symbol - kBytes + kLengthMin};
    if (symbol >= kBytes + kSingleLengths) {
        reader.fill();
        const Range& range = kLengthRanges[symbol - kBytes - kSingleLengths];
        repetition.length = range.begin + reader.next(range.bits);
        if (!reader.skip(range.bits)) {
            return std::nullopt;
        }
    }
    reader.fill();
    const Decoded digits = kDistanceDecoder[reader.next(kDistanceBitsMax)];
    if (digits.symbol == 0 || !reader.skip(digits.size)) {
        return std::nullopt;
    }
    const unsigned rest = digits.symbol - 1U;
    repetition.distance = std::size_t{1} << rest | reader.next(rest);
    return reader.skip(rest) ? std::optional(repetition) : std::nullopt;
}

// Copies from the known texts, then from the text before `to`, of which `done` bytes are there. The
// end of the result.
char* copy_repetition(char* to, std::size_t done, const Repetition& repetition,
                      std::string_view known) noexcept {
    const auto [length, distance] = repetition;
    std::size_t copied = 0;
    if (distance > done) {
        copied = std::min(distance - done, length);
        std::memcpy(to, known.data() + known.size() - (distance - done), copied);
    } else if (distance >= length) {
        copied = length;
        std::memcpy(to, to - distance, length);
    }
    // A repetition may begin with its own beginning.
    for (; copied < length; ++copied) {
        to[copied] = *(to + copied - distance);
    }
    return to + length;
}

// The end of the text, or the place where the bits stop making sense.
char* decode_symbols(BitReader& reader, char* const begin, char* const end,
                     std::string_view known) {
    char* to = begin;
    while (to < end) {
        reader.fill();
        for (int i = 0; i < kTogether && to < end; ++i) {
            const Decoded symbol = kSymbolDecoder[reader.next(kSymbolBitsMax)];
            if (!reader.skip(symbol.size)) {
                return to;
            }
            if (symbol.symbol < kBytes) {
                *to++ = static_cast<char>(symbol.symbol);
                continue;
            }
            const auto repetition = read_repetition(reader, symbol.symbol);
            const auto done = static_cast<std::size_t>(to - begin);
            if (!repetition || repetition->length > static_cast<std::size_t>(end - to) ||
                repetition->distance > done + known.size()) {
                return to;
            }
            to = copy_repetition(to, done, *repetition, known);
            break;
        }
    }
    return to;
}

std::unexpected<base::Error> corrupt() {
    return base::fail(base::ErrorCode::kCorrupt, {"a record", "it does not unpack"});
}

}  // namespace

RecordEncoder::RecordEncoder(std::string_view words)
    : words_(words.size()), known_(words), places_of_words_(std::size_t{1} << kHashBits) {
    for (std::size_t i = 0; i + kWord <= words_; ++i) {
        places_of_words_[hash_of(load(known_.data() + i))] = static_cast<std::uint16_t>(i);
    }
    places_ = places_of_words_;
}

void RecordEncoder::restart() {
    constexpr std::size_t kKeptBytesMax = 256 * 1024;  // a thread does not hold on to more
    places_ = places_of_words_;
    known_.resize(words_);
    if (known_.capacity() > kKeptBytesMax) {
        known_.shrink_to_fit();
    }
}

void RecordEncoder::append(std::string& out, std::string_view text) {
    const std::size_t begin = known_.size();
    known_ += text;
    known_.append(kWord, '\0');  // can be read behind the text
    append_size(out, text.size());
    append_symbols(out, begin);
    known_.resize(begin + text.size());
}

void RecordEncoder::append_symbols(std::string& out, std::size_t begin) {
    const char* const base = known_.data();
    const char* const end = base + known_.size() - kWord;
    const std::size_t before = out.size();
    // No symbol has more than 11 bits for a byte.
    const std::size_t room = static_cast<std::size_t>(end - base) - begin;
    out.resize_and_overwrite(before + room + room / 2 + 2 * kWord, [&](char* to, std::size_t) {
        BitWriter writer(to + before);
        const char* unwritten = base + begin;
        const char* at = unwritten;
        std::size_t misses = 0;
        const auto place_of = [base](const char* place) {
            return static_cast<std::uint16_t>(place - base);
        };
        while (end - at >= static_cast<std::ptrdiff_t>(kLengthMin)) {
            const std::uint64_t word = load(at);
            std::uint16_t& place = places_[hash_of(word)];
            const std::size_t distance = static_cast<std::uint16_t>(place_of(at) - place);
            place = place_of(at);
            const bool may_match = distance != 0 && distance <= static_cast<std::size_t>(at - base);
            const char* const match =
                may_match ? end_of_match(at, at - distance,
                                         at + std::min<std::ptrdiff_t>(end - at, kLengthMax))
                          : at;
            if (match - at < static_cast<std::ptrdiff_t>(kLengthMin)) {
                // Characters of three bytes are not looked into. The longer nothing is found, the
                // less is looked for.
                constexpr unsigned char kThreeBytes = 0xE0;
                constexpr std::size_t kPatience = 64;
                at +=
                    (static_cast<unsigned char>(*at) >= kThreeBytes ? 3 : 1) + misses++ / kPatience;
                continue;
            }
            misses = 0;
            // Bytes that were passed over may belong to it.
            while (at > unwritten && at - base > static_cast<std::ptrdiff_t>(distance) &&
                   at[-1] == *(at - 1 - distance) &&
                   match - at < static_cast<std::ptrdiff_t>(kLengthMax)) {
                --at;
            }
            put_bytes(writer, unwritten, at);
            put_repetition(writer, static_cast<std::size_t>(match - at), distance);
            places_[hash_of(load(at + 2))] = place_of(at + 2);
            places_[hash_of(load(match - 2))] = place_of(match - 2);
            unwritten = at = match;
        }
        put_bytes(writer, unwritten, end);
        return static_cast<std::size_t>(writer.finish() - to);
    });
}

base::Result<std::string> decode_text(std::string_view coded, std::string_view known,
                                      std::size_t bytes_max) {
    const auto size = read_size(coded);
    if (!size || *size > bytes_max) {
        return corrupt();
    }
    BitReader reader(coded);
    std::string text;
    bool is_whole = true;
    text.resize_and_overwrite(*size, [&](char* begin, std::size_t) {
        char* const end = begin + *size;
        char* const decoded = decode_symbols(reader, begin, end, known);
        is_whole = decoded == end;
        std::fill(decoded, end, '\0');
        return *size;
    });
    return is_whole && reader.is_at_end() ? base::Result<std::string>(std::move(text)) : corrupt();
}

}  // namespace arbiter::ledger
