#include "chat/plain_text.h"

#include <algorithm>

#include "text/ascii.h"

namespace arbiter::chat {
namespace {

constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;

// The bytes of the white space at the beginning; 0: there is none. No-break and ideographic spaces
// count too.
std::size_t blank_bytes(std::string_view text) noexcept {
    if (text::is_blank(text[0]) || text[0] == '\v' || text[0] == '\f') {
        return 1;
    }
    for (const std::string_view space : {"\xC2\xA0", "\xE3\x80\x80"}) {
        if (text.starts_with(space)) {
            return space.size();
        }
    }
    return 0;
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
    hashes_.reserve(text.size() + 1);
    powers_.reserve(text.size() + 1);
    hashes_.push_back(0);
    powers_.push_back(1);
    bool begins_line = true;
    std::size_t words = 0;  // where they begin in the text
    for (std::size_t i = 0; i < text.size();) {
        if (const std::size_t blank = blank_bytes(text.substr(i)); blank > 0) {
            begins_line = begins_line || text[i] == '\n';
            i += blank;
            continue;
        }
        if (begins_line) {
            lines_.push_back({bytes_.size(), i, bytes_.size()});
            words = i + speaker_bytes(text.substr(i));
            begins_line = false;
        }
        if (i == words) {
            lines_.back().words = bytes_.size();
        }
        // The words may begin behind white space.
        if (i > words && words > lines_.back().source &&
            lines_.back().words == lines_.back().begin) {
            lines_.back().words = bytes_.size();
        }
        const auto byte = static_cast<unsigned char>(text[i]);
        bytes_ += text[i];
        hashes_.push_back(hashes_.back() * kFactor + byte + 1U);
        powers_.push_back(powers_.back() * kFactor);
        ++i;
    }
}

TextKey PlainText::key(std::size_t begin, std::size_t end) const noexcept {
    const std::uint64_t part = hashes_[end] - hashes_[begin] * powers_[end - begin];
    return {mixed(part + (end - begin)), end - begin};
}

}  // namespace arbiter::chat
