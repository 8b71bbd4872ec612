#include "openai/internal/utf8_joiner.h"

#include <algorithm>
#include <utility>

#include "text/utf8.h"

namespace arbiter::openai::internal {
namespace {

// The bytes at the end that may be the beginning of a character.
std::size_t incomplete_end(std::string_view bytes) {
    constexpr std::size_t kIncompleteMax = 3;
    for (std::size_t size = 1; size <= std::min(bytes.size(), kIncompleteMax); ++size) {
        const std::string_view end = bytes.substr(bytes.size() - size);
        const auto first = static_cast<unsigned char>(end.front());
        if ((first & 0xC0U) == 0x80) {
            continue;
        }
        const text::Decoded decoded = text::decode(end);
        const bool begins = first >= 0xC2 && first <= 0xF4;
        return begins && !decoded.valid && decoded.size == size ? size : 0;
    }
    return 0;
}

}  // namespace

std::string Utf8Joiner::add(std::string_view bytes) {
    std::string whole = take_waiting();
    whole += bytes;
    const std::size_t end = whole.size() - incomplete_end(whole);
    waiting_bytes_ = static_cast<std::uint8_t>(whole.copy(waiting_.data(), waiting_.size(), end));
    whole.resize(end);
    return text::to_utf8(std::move(whole));
}

std::string Utf8Joiner::take_waiting() {
    return {waiting_.data(), std::exchange(waiting_bytes_, std::uint8_t{0})};
}

std::string Utf8Joiner::finish() {
    return text::repair(take_waiting());
}

}  // namespace arbiter::openai::internal
