#include "ledger/store/write_ahead_log.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace arbiter::ledger {

namespace {

// The format: https://sqlite.org/fileformat2.html#the_write_ahead_log
constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kHeaderSummed = 24;
constexpr std::size_t kFrameHeaderBytes = 24;
// Of a frame's header the page number and the size after a commit are part of the checksum.
constexpr std::size_t kFrameSummed = 8;
constexpr std::uint32_t kMagic = 0x377f0682;  // the lowest bit: words are big-endian
constexpr std::uint32_t kPageMin = 512;
constexpr std::uint32_t kPageMax = 65536;
// The smallest unit that disks write as a whole.
constexpr std::size_t kSectorBytes = 512;

std::uint32_t big_word(const char* at) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return std::endian::native == std::endian::big ? word : std::byteswap(word);
}

struct Checksum {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    friend bool operator==(const Checksum&, const Checksum&) = default;
};

// Two texts as words in the byte order of the log.
class Summed {
  public:
    Summed(bool is_big, std::string_view a, std::string_view b = {})
        : swaps_(is_big != (std::endian::native == std::endian::big)), a_(a), b_(b) {}

    [[nodiscard]] Checksum sum(Checksum seed) const {
        for (const std::string_view text : {a_, b_}) {
            for (std::size_t at = 0; at + 8 <= text.size(); at += 8) {
                seed.first += word_at(text, at) + seed.second;
                seed.second += word_at(text, at + 4) + seed.first;
            }
        }
        return seed;
    }
    // The word that was changed, if one explains why the sum is `found` and not `wanted`, and what
    // it was.
    struct Change {
        std::size_t word;
        std::uint32_t was;
    };
    [[nodiscard]] std::optional<Change> explain(Checksum found, Checksum wanted) const {
        const std::uint32_t by_first = found.first - wanted.first;
        const std::uint32_t by_second = found.second - wanted.second;
        // A difference d in a word of the last pair changes the sum by d times `even` or `odd`; one
        // step earlier, by that carried through a step of the sum.
        Checksum even = {1, 1};
        Checksum odd = {0, 1};
        for (std::size_t pair = (a_.size() + b_.size()) / 8; pair-- > 0;) {
            for (const bool is_odd : {false, true}) {
                const Checksum& factor = is_odd ? odd : even;
                const std::uint32_t difference = factor.first % 2 == 1
                                                     ? by_first * inverse(factor.first)
                                                     : by_second * inverse(factor.second);
                if (difference != 0 && difference * factor.first == by_first &&
                    difference * factor.second == by_second) {
                    const std::size_t index = 2 * pair + (is_odd ? 1 : 0);
                    return Change{index, word(index) - difference};
                }
            }
            even = {even.first + even.second, even.first + 2 * even.second};
            odd = {odd.first + odd.second, odd.first + 2 * odd.second};
        }
        return std::nullopt;
    }

  private:
    [[nodiscard]] std::uint32_t word_at(std::string_view text, std::size_t at) const {
        std::uint32_t word = 0;
        std::memcpy(&word, text.data() + at, sizeof word);
        return swaps_ ? std::byteswap(word) : word;
    }
    [[nodiscard]] std::uint32_t word(std::size_t index) const {
        const std::size_t at = 4 * index;
        return at < a_.size() ? word_at(a_, at) : word_at(b_, at - a_.size());
    }
    // Of an odd number, modulo 2^32.
    static std::uint32_t inverse(std::uint32_t number) {
        std::uint32_t found = number;
        for (int i = 0; i < 5; ++i) {
            found *= 2 - number * found;
        }
        return found;
    }

    bool swaps_;
    std::string_view a_;
    std::string_view b_;
};

Checksum checksum_at(const char* at) {
    return {big_word(at), big_word(at + 4)};
}

// A frame and what its own bytes say about it.
struct Frame {
    std::string bytes;

    [[nodiscard]] std::uint32_t page() const { return big_word(bytes.data()); }
    // Not 0: the last frame of a transaction.
    [[nodiscard]] bool is_commit() const { return big_word(bytes.data() + 4) != 0; }
    [[nodiscard]] std::string_view salt() const { return std::string_view(bytes).substr(8, 8); }
    [[nodiscard]] Checksum stored() const { return checksum_at(bytes.data() + 16); }
    [[nodiscard]] std::string_view content() const {
        return std::string_view(bytes).substr(kFrameHeaderBytes);
    }
    [[nodiscard]] Summed summed(bool is_big) const {
        return {is_big, std::string_view(bytes).substr(0, kFrameSummed), content()};
    }
};

class Inspection {
  public:
    Inspection(const ReadLog& read, std::uint32_t page_size, bool is_big)
        : read_(read), page_size_(page_size), is_big_(is_big) {}

    // The frames behind a header that says `salt` and ends with `seed`.
    LogReport run(std::string salt, Checksum seed) {
        salt_ = std::move(salt);
        LogReport report;
        std::string first_page;
        Frame frame;
        std::uint32_t number = 1;
        for (; load(number, frame); ++number) {
            const Checksum sum = frame.summed(is_big_).sum(seed);
            if (frame.salt() != salt_ || sum != frame.stored()) {
                report.is_damaged = was_whole(number, frame, sum);
                return report;
            }
            seed = sum;
            if (frame.page() == 1) {
                first_page = frame.content();
            }
            if (frame.is_commit()) {
                report.frames = number;
                if (!first_page.empty()) {
                    report.first_page = std::exchange(first_page, {});
                }
            }
        }
        return report;
    }

    // True if the second frame follows the first: they were written to the disk after a header.
    bool has_frames_without_header() {
        Frame first;
        Frame second;
        if (!load(1, first) || !load(2, second)) {
            return false;
        }
        return first.salt() == second.salt() && follows(second, first.stored());
    }
    bool first_follows(Checksum seed) {
        Frame first;
        return load(1, first) && follows(first, seed);
    }
    bool has_salt(std::uint32_t number, std::string_view salt) {
        Frame frame;
        return load(number, frame) && frame.salt() == salt;
    }

  private:
    [[nodiscard]] std::uint64_t offset(std::uint32_t number) const {
        return kHeaderBytes + std::uint64_t{number - 1} * (kFrameHeaderBytes + page_size_);
    }
    bool load(std::uint32_t number, Frame& frame) {
        frame.bytes.resize(kFrameHeaderBytes + page_size_);
        return read_(offset(number), frame.bytes.data(), frame.bytes.size());
    }
    // False: a power cut may have left the page number and the commit flag of an older frame with
    // the checksum of this one.
    [[nodiscard]] bool has_header_in_one_sector(std::uint32_t number) const {
        return offset(number) % kSectorBytes + kFrameHeaderBytes <= kSectorBytes;
    }
    [[nodiscard]] bool follows(const Frame& frame, Checksum seed) const {
        return frame.summed(is_big_).sum(seed) == frame.stored();
    }

    // A bad frame as it was before one of its words was changed.
    struct Original {
        bool is_commit;
        // The checksum that the next frame continues from. Two where it is unknown whether the
        // content or the stored checksum was changed: a high bit of some words moves only one half
        // of the sum.
        std::array<Checksum, 2> sums;
    };
    // Nothing if more than one word is wrong, or if they may be those of an older header: two small
    // numbers, whose difference some other word of the frame explains as well.
    [[nodiscard]] std::optional<Original> original(std::uint32_t number, const Frame& frame,
                                                   Checksum sum) const {
        if (!has_header_in_one_sector(number)) {
            return std::nullopt;
        }
        const Checksum stored = frame.stored();
        Original found = {frame.is_commit(), {stored, stored}};
        if (frame.salt() != salt_) {
            return sum == stored ? std::optional(found) : std::nullopt;
        }
        const auto change = frame.summed(is_big_).explain(sum, stored);
        if (change && change->word == 1) {
            found.is_commit = change->was != 0;
        }
        const bool is_half_right = (sum.first == stored.first) != (sum.second == stored.second);
        if (is_half_right) {
            found.sums = {sum, change ? stored : sum};
        }
        return change || is_half_right ? std::optional(found) : std::nullopt;
    }

    // Whether a frame whose checksum is not confirmed was written as the end of a transaction.
    [[nodiscard]] bool may_end(std::uint32_t number, const Frame& frame) const {
        return frame.salt() == salt_ && frame.is_commit() && has_header_in_one_sector(number);
    }

    // True if the transaction of the first bad frame had been acknowledged.
    bool was_whole(std::uint32_t number, Frame frame, Checksum sum) {
        const std::optional<Original> was = original(number, frame, sum);
        if (was && was->is_commit) {
            return true;
        }
        bool goes_on = was.has_value();
        std::array<Checksum, 2> before = {frame.stored(), frame.stored()};
        bool ended = may_end(number, frame);
        if (was) {
            before = was->sums;
            ended = was->is_commit;
        }
        while (load(++number, frame)) {
            const bool is_ours = frame.salt() == salt_;
            const bool is_next =
                is_ours && (follows(frame, before[0]) || follows(frame, before[1]));
            if (is_next && ended) {
                return true;  // the beginning of the transaction after it
            }
            goes_on = goes_on && is_next;
            ended = is_next ? frame.is_commit() : may_end(number, frame);
            before = {frame.stored(), frame.stored()};
            if (goes_on && ended) {
                return true;
            }
        }
        return false;
    }

    const ReadLog& read_;
    std::uint32_t page_size_;
    bool is_big_;
    std::string salt_;
};

bool is_page_size(std::uint32_t size) {
    return size >= kPageMin && size <= kPageMax && std::has_single_bit(size);
}

}  // namespace

std::optional<IndexedLog> read_log_index(std::string_view bytes) {
    // Two copies of 48 bytes; words are those of the machine.
    constexpr std::size_t kCopy = 48;
    constexpr std::size_t kSummed = 40;
    if (bytes.size() < 2 * kCopy || bytes.substr(0, kCopy) != bytes.substr(kCopy, kCopy)) {
        return std::nullopt;
    }
    const bool is_big = std::endian::native == std::endian::big;
    const auto word = [&](std::size_t at) {
        std::uint32_t found = 0;
        std::memcpy(&found, bytes.data() + at, sizeof found);
        return found;
    };
    constexpr std::uint32_t kLayout = 3007000;
    if (word(0) != kLayout || bytes[12] == 0 ||
        Summed(is_big, bytes.substr(0, kSummed)).sum({}) != Checksum{word(40), word(44)}) {
        return std::nullopt;
    }
    IndexedLog index;
    index.frames = word(16);
    std::memcpy(index.salt.data(), bytes.data() + 32, index.salt.size());
    return index;
}

LogReport inspect_log(const ReadLog& read, std::uint32_t page_size,
                      const std::optional<IndexedLog>& index) {
    std::string header(kHeaderBytes, '\0');
    if (!read(0, header.data(), header.size())) {
        return {};  // never synced
    }
    const std::string_view text = header;
    const std::uint32_t magic = big_word(header.data());
    const bool is_big = (magic & 1) != 0;
    const std::uint32_t size = big_word(header.data() + 8);
    const Checksum stored = checksum_at(header.data() + kHeaderSummed);
    const std::string_view index_salt =
        index ? std::string_view(index->salt.data(), index->salt.size()) : std::string_view();
    if ((magic & ~1U) == kMagic && is_page_size(size) &&
        Summed(is_big, text.substr(0, kHeaderSummed)).sum({}) == stored) {
        const std::string_view salt = text.substr(16, 8);
        LogReport report = Inspection(read, size, is_big).run(std::string(salt), stored);
        if (index && salt == index_salt && report.frames < index->frames) {
            report.is_damaged = true;
        }
        return report;
    }
    // The header is synced before the first frame is written, and it is smaller than a sector.
    LogReport report;
    for (const bool big : {false, true}) {
        Inspection inspection(read, page_size, big);
        const Summed words(big, text.substr(0, kHeaderSummed));
        const Checksum sum = words.sum({});
        const auto change = words.explain(sum, stored);
        report.is_damaged = report.is_damaged || inspection.has_frames_without_header() ||
                            inspection.first_follows(sum) ||
                            (change && inspection.first_follows(stored)) ||
                            (index && index->frames > 0 && inspection.has_salt(1, index_salt));
    }
    return report;
}

void apply_log(const ReadLog& read, std::uint32_t page_size, std::string& image) {
    // Pages beyond it cannot be of a store that is read into memory.
    constexpr std::size_t kImageBytesMax = std::size_t{2} << 30;
    std::array<char, kHeaderBytes> header = {};
    if (!read(0, header.data(), header.size()) || big_word(header.data() + 8) != page_size) {
        return;
    }
    const std::uint32_t frames = inspect_log(read, page_size, std::nullopt).frames;
    std::string frame(kFrameHeaderBytes + page_size, '\0');
    for (std::uint32_t i = 0; i < frames; ++i) {
        if (!read(kHeaderBytes + std::uint64_t{i} * frame.size(), frame.data(), frame.size())) {
            return;
        }
        const std::size_t page = big_word(frame.data());
        const std::size_t pages = big_word(frame.data() + 4);  // after a commit
        if (page == 0 || std::max(page, pages) > kImageBytesMax / page_size) {
            return;
        }
        image.resize(std::max(image.size(), page * page_size), '\0');
        image.replace((page - 1) * page_size, page_size, frame, kFrameHeaderBytes, page_size);
        if (pages != 0) {
            image.resize(pages * page_size, '\0');
        }
    }
}

}  // namespace arbiter::ledger
