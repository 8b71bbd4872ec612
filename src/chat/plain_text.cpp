#include "chat/plain_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace arbiter::chat {
namespace {

constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
constexpr std::size_t kHashStep = 64;

constexpr std::size_t kBlockBytes = 8;
constexpr auto kPowers = [] {
    std::array<std::uint64_t, kBlockBytes + 1> powers = {1};
    for (std::size_t i = 1; i <= kBlockBytes; ++i) {
        powers[i] = powers[i - 1] * kFactor;
    }
    return powers;
}();

std::uint64_t power(std::size_t exponent) noexcept {
    std::uint64_t result = 1;
    for (std::uint64_t base = kFactor; exponent > 0; exponent /= 2, base *= base) {
        result *= exponent % 2 == 1 ? base : 1;
    }
    return result;
}

// A polynomial in kFactor, continued by some bytes. The terms of a block do not wait for each
// other.
std::uint64_t hash_on(std::uint64_t hash, std::string_view bytes) noexcept {
    const auto term = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]) + 1ULL; };
    for (; bytes.size() >= kBlockBytes; bytes.remove_prefix(kBlockBytes)) {
        std::uint64_t block = 0;
        for (std::size_t i = 0; i < kBlockBytes; ++i) {
            block += term(i) * kPowers[kBlockBytes - 1 - i];
        }
        hash = hash * kPowers[kBlockBytes] + block;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        hash = hash * kFactor + term(i);
    }
    return hash;
}

constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
constexpr std::string_view kIdeographicSpace = "\xE3\x80\x80";

// Bytes that white space may begin with.
constexpr auto kMayBeBlank = [] {
    std::array<bool, 256> may_be{};
    for (const char byte : {' ', '\t', '\n', '\r', '\v', '\f'}) {
        may_be[static_cast<unsigned char>(byte)] = true;
    }
    for (const std::string_view space : {kNoBreakSpace, kIdeographicSpace}) {
        may_be[static_cast<unsigned char>(space[0])] = true;
    }
    return may_be;
}();

// The bytes of the white space at the beginning; 0: there is none. No-break and ideographic spaces
// count too.
std::size_t blank_bytes(std::string_view text) noexcept {
    const auto first = static_cast<unsigned char>(text[0]);
    if (!kMayBeBlank[first]) {
        return 0;
    }
    if (first < 0x80) {
        return 1;
    }
    for (const std::string_view space : {kNoBreakSpace, kIdeographicSpace}) {
        if (text.starts_with(space)) {
            return space.size();
        }
    }
    return 0;
}

// Where the white space behind `begin` begins.
std::size_t run_end(std::string_view text, std::size_t begin) noexcept {
    std::size_t end = begin;
    while (end < text.size() && blank_bytes(text.substr(end)) == 0) {
        ++end;
    }
    return end;
}

std::uint64_t mixed(std::uint64_t hash) noexcept {
    hash ^= hash >> 31U;
    hash *= 0xBF58476D1CE4E5B9ULL;
    return hash ^ (hash >> 29U);
}

}  // namespace

std::size_t speaker_bytes(std::string_view line) noexcept {
    // Names are short; a colon further on belongs to a sentence.
    constexpr std::size_t kNameBytesMax = 64;
    const std::string_view head = line.substr(0, kNameBytesMax);
    constexpr std::string_view kWideColon = "：";
    const std::size_t narrow = head.find(':');
    const std::size_t wide = head.find(kWideColon);
    const std::size_t colon = std::min(narrow, wide);
    if (colon == std::string_view::npos || colon == 0 ||
        head.substr(0, colon).find_first_of("\n.!?<{[(\"*") != std::string_view::npos) {
        return 0;
    }
    return colon + (colon == narrow ? 1 : kWideColon.size());
}

PlainText::PlainText(std::string_view text) {
    bytes_.reserve(text.size());
    bool begins_line = true;
    std::size_t words = 0;  // where those of the line begin in the text
    for (std::size_t i = 0; i < text.size();) {
        if (const std::size_t blank = blank_bytes(text.substr(i)); blank > 0) {
            begins_line = begins_line || text[i] == '\n';
            i += blank;
            continue;
        }
        if (std::exchange(begins_line, false)) {
            lines_.push_back({bytes_.size(), i, bytes_.size()});
            words = i + speaker_bytes(text.substr(i));
        }
        const std::size_t end = run_end(text, i);
        add_run(text.substr(i, end - i), i, words);
        i = end;
    }
    hashes_.reserve(bytes_.size() / kHashStep + 1);
    hashes_.push_back(0);
    for (std::size_t i = 0; i + kHashStep <= bytes_.size(); i += kHashStep) {
        hashes_.push_back(hash_on(hashes_.back(), bytes().substr(i, kHashStep)));
    }
}

// Adds bytes without white space, which begin at `source`.
void PlainText::add_run(std::string_view run, std::size_t source, std::size_t words) {
    Line& line = lines_.back();
    // The words may begin behind white space.
    if (line.words == line.begin && words > line.source && words < source + run.size()) {
        line.words = bytes_.size() + (words > source ? words - source : 0);
    }
    bytes_ += run;
}

std::uint64_t PlainText::hash_of_first(std::size_t size) const noexcept {
    const std::size_t whole = size / kHashStep;
    return hash_on(hashes_[whole], bytes().substr(whole * kHashStep, size % kHashStep));
}

TextKey PlainText::key(std::size_t begin, std::size_t end) const noexcept {
    const std::uint64_t part =
        hash_of_first(end) - (begin > 0 ? hash_of_first(begin) * power(end - begin) : 0);
    return {mixed(part + (end - begin)), end - begin};
}

}  // namespace arbiter::chat
