#include "prompt/block.h"

#include <algorithm>
#include <array>
#include <utility>

namespace arbiter::prompt {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Kind::kCount)> kKindNames = {
    "rules",    "protocol", "lesson",     "character", "persona", "examples", "lore",
    "constant", "big",      "small",      "facts",     "pins",    "state",    "scale",
    "history",  "distil",   "accelerate", "feedback",  "world",   "goal",     "tools",
    "settings", "party",    "scene",      "dialog",    "other"};

template <typename T, std::size_t kSize>
std::optional<T> find_in(const std::array<std::string_view, kSize>& words, std::string_view word) {
    for (std::size_t i = 0; i < kSize; ++i) {
        if (words[i] == word) {
            return static_cast<T>(i);
        }
    }
    return std::nullopt;
}

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

// The run of digits at `at`, without leading zeros.
std::string_view digits_at(std::string_view text, std::size_t at) noexcept {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) {
        ++end;
    }
    while (at + 1 < end && text[at] == '0') {
        ++at;
    }
    return text.substr(at, end - at);
}

}  // namespace

std::string_view name(Kind kind) noexcept {
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<Kind> find_kind(std::string_view word) noexcept {
    return find_in<Kind>(kKindNames, word);
}

bool is_before(std::string_view a, std::string_view b) noexcept {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const std::string_view x = digits_at(a, i);
            const std::string_view y = digits_at(b, j);
            if (x.size() != y.size()) {
                return x.size() < y.size();
            }
            if (x != y) {
                return x < y;
            }
            i = static_cast<std::size_t>(x.data() - a.data()) + x.size();
            j = static_cast<std::size_t>(y.data() - b.data()) + y.size();
        } else if (a[i] != b[j]) {
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
        } else {
            ++i;
            ++j;
        }
    }
    if ((i < a.size()) != (j < b.size())) {
        return i >= a.size();
    }
    // They differ in leading zeros only.
    return a < b;
}

}  // namespace arbiter::prompt
