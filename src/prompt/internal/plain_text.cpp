#include "prompt/internal/plain_text.h"

#include <array>
#include <cstdint>

#include "prompt/render.h"
#include "value/json.h"

namespace arbiter::prompt::internal {
namespace {

// What a byte of a text can mean to somebody who reads lines.
enum Meaning : std::uint8_t { kNone = 0, kQuotes = 1, kQuotesFirst = 2, kPairs = 4, kNumeric = 8 };
constexpr std::array<std::uint8_t, 256> meanings() {
    std::array<std::uint8_t, 256> table{};
    for (std::size_t c = 0; c < 0x20; ++c) {
        table[c] = kQuotes;
    }
    for (const char c : std::string_view("\x7f,[]{}")) {
        table[static_cast<std::uint8_t>(c)] |= kQuotes;
    }
    for (const char c : std::string_view(" -?:#&*!|>'\"%@`~")) {
        table[static_cast<std::uint8_t>(c)] |= kQuotesFirst;
    }
    for (const char c : std::string_view("0123456789.+-eE")) {
        table[static_cast<std::uint8_t>(c)] |= kNumeric;
    }
    table[' '] |= kPairs;
    table[':'] |= kPairs;
    return table;
}
constexpr auto kMeanings = meanings();

// A text that can stand without quotes and be taken for nothing else.
bool is_plain(std::string_view text) {
    const auto meaning = [text](std::size_t i) {
        return kMeanings[static_cast<std::uint8_t>(text[i])];
    };
    if (text.empty() || (meaning(0) & kQuotesFirst) != 0 || text.back() == ' ' ||
        text.back() == ':' || text == "true" || text == "false" || text == "null") {
        return false;
    }
    bool is_numeric = true;
    bool has_digit = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::uint8_t here = meaning(i);
        if ((here & kQuotes) != 0) {
            return false;
        }
        // ": " and " #".
        if ((here & kPairs) != 0 && i + 1 < text.size() &&
            text[i + 1] == (text[i] == ':' ? ' ' : '#')) {
            return false;
        }
        is_numeric = is_numeric && (here & kNumeric) != 0;
        has_digit = has_digit || (text[i] >= '0' && text[i] <= '9');
    }
    return !(is_numeric && has_digit) && text != kHiddenText;
}

}  // namespace

void append_text(std::string& out, std::string_view text) {
    if (is_plain(text)) {
        out += text;
    } else {
        value::append_json_string(out, text);
    }
}

}  // namespace arbiter::prompt::internal
