#include "text/phrases.h"

#include <algorithm>

#include "text/ascii.h"

namespace arbiter::text {
namespace {

bool is_word(char byte) noexcept {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

// The first `size` bytes as a number, at most three.
std::uint32_t head_of(std::string_view text, std::size_t size) noexcept {
    std::uint32_t head = static_cast<std::uint32_t>(size);
    for (std::size_t i = 0; i < size; ++i) {
        head = (head << 8U) | static_cast<std::uint8_t>(text[i]);
    }
    return head;
}

}  // namespace

std::uint32_t Phrases::add(std::string_view phrase) {
    std::vector<std::uint32_t>& bucket =
        by_head_[head_of(phrase, std::min<std::size_t>(phrase.size(), 3))];
    const auto same =
        std::ranges::find_if(bucket, [&](std::uint32_t id) { return phrases_[id] == phrase; });
    if (same != bucket.end()) {
        return *same;
    }
    const auto id = static_cast<std::uint32_t>(phrases_.size());
    phrases_.emplace_back(phrase);
    const auto place = std::ranges::find_if(
        bucket, [&](std::uint32_t other) { return phrases_[other].size() < phrase.size(); });
    bucket.insert(place, id);
    return id;
}

std::optional<Phrases::Match> Phrases::longest_at(std::string_view text, std::size_t at) const {
    const std::string_view rest = text.substr(at);
    const bool inside = at > 0 && is_word(text[at - 1]) && !rest.empty() && is_word(rest[0]);
    for (std::size_t size = std::min<std::size_t>(rest.size(), 3); size > 0; --size) {
        const auto bucket = by_head_.find(head_of(rest, size));
        if (bucket == by_head_.end()) {
            continue;
        }
        for (const std::uint32_t id : bucket->second) {
            const std::string& phrase = phrases_[id];
            if (!rest.starts_with(phrase) || (inside && is_word(phrase.front()))) {
                continue;
            }
            if (is_word(phrase.back()) && phrase.size() < rest.size() &&
                is_word(rest[phrase.size()])) {
                continue;
            }
            return Match{id, phrase.size()};
        }
    }
    return std::nullopt;
}

}  // namespace arbiter::text
