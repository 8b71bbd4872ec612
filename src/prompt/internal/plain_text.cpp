#include "prompt/internal/plain_text.h"

#include <array>
#include <cstdint>

#include "prompt/render.h"
#include "value/json.h"

namespace arbiter::prompt::internal {
namespace {

// Meaning of a byte for a reader of the rendered lines.
enum Meaning : std::uint8_t {
    kQuotes = 1,
    kQuotesFirst = 2,
    kPairs = 4,
    kNumeric = 8,
    kDigit = 16
};
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
    for (const char c : std::string_view("0123456789")) {
        table[static_cast<std::uint8_t>(c)] |= kDigit;
    }
    table[' '] |= kPairs;
    table[':'] |= kPairs;
    return table;
}
constexpr auto kMeanings = meanings();

// Whether a text is unambiguous without quotes.
bool is_plain(std::string_view text) {
    if (text.empty()) {
        return false;
    }
    std::uint8_t any = 0;
    std::uint8_t all = 0xFF;
    for (const char c : text) {
        const std::uint8_t meaning = kMeanings[static_cast<std::uint8_t>(c)];
        any |= meaning;
        all &= meaning;
    }
    if ((any & kQuotes) != 0 || ((all & kNumeric) != 0 && (any & kDigit) != 0) ||
        (kMeanings[static_cast<std::uint8_t>(text[0])] & kQuotesFirst) != 0) {
        return false;
    }
    if ((any & kPairs) != 0 &&
        (text.back() == ' ' || text.back() == ':' || text.find(": ") != std::string_view::npos ||
         text.find(" #") != std::string_view::npos)) {
        return false;
    }
    return text != "true" && text != "false" && text != "null" && text != kHiddenText;
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
