// Literals as models write them: JSON, and everything that was meant to be JSON.
//
// One tolerant parser for all dialects: single, back and smart quotes, full-width punctuation, bare
// keys and words, comments, trailing and missing commas, missing closing brackets, raw line breaks
// and unescaped quotes in strings, Python's words, arithmetic. Every repair is reported. What can
// be read in two ways, or is not a literal at all, is an error with its place. Total, linear,
// bounded by base::kLiteralDepthMax; nothing is ever run as code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/path.h"
#include "value/value.h"

namespace arbiter::reader {

enum class Repair : std::uint8_t {
    kFullWidth,      // ，：｛｝［］ “ ” ‘ ’ as punctuation
    kQuotes,         // ' and ` as quotes
    kBareKey,        // {a: 1}
    kBareWord,       // [assign]
    kComment,        // // and /* */ and <!-- -->
    kTrailingComma,  // [1,]
    kMissingComma,   // [1 2]
    kMissingCloser,  // [1
    kRawNewline,     // a line break inside a string
    kInnerQuote,     // a quote inside a string that is not escaped
    kEscape,         // an escape that JSON does not have
    kPython,         // True False None undefined
    kNumber,         // +5 .5 5. 007 0x1f
    kArithmetic,     // 10 + 5
    kCount
};
std::string_view name(Repair repair) noexcept;

class Repairs {
  public:
    void add(Repair repair) noexcept { bits_ |= 1U << static_cast<unsigned>(repair); }
    void add(Repairs others) noexcept { bits_ |= others.bits_; }
    [[nodiscard]] bool has(Repair repair) const noexcept {
        return (bits_ & (1U << static_cast<unsigned>(repair))) != 0;
    }
    [[nodiscard]] bool empty() const noexcept { return bits_ == 0; }
    // "trailing_comma, comment"
    [[nodiscard]] std::string list() const;

  private:
    std::uint32_t bits_ = 0;
};

struct LiteralError {
    enum class What : std::uint8_t { kSyntax, kTooDeep };
    What what;
    std::size_t offset;
};

struct Literal {
    value::Value value;
    std::size_t end = 0;  // one past its last byte
    Repairs repairs;
    bool closed = true;  // false: the text ended before all brackets were closed
    // Where it ended then: the path of the innermost container that was open. What is on this path
    // may be incomplete.
    value::Path open;
    bool inside_token = false;  // it ended in the middle of a string or before a value
    struct Item {
        std::size_t begin;
        std::size_t end;
    };
    std::vector<Item> items;  // where the elements of an outermost list stand
};

enum class BareWords : std::uint8_t {
    kNames,   // words of letters, digits and a few marks
    kAny,     // any text up to the next ASCII comma or bracket (lists of Filament, arguments)
    kAnyWide  // the same, where wide commas separate too
};

// The value that begins at or after `at` (blanks and comments are skipped).
std::expected<Literal, LiteralError> parse_literal(std::string_view text, std::size_t at,
                                                   BareWords bare = BareWords::kNames);

// The argument of a call: a literal, or the text itself where it is none. `text` is the whole
// argument; `undefined` gives nothing.
struct Argument {
    value::Value value;
    bool given = true;  // false for `undefined` and for the empty text
    bool quoted = false;
    bool too_deep = false;  // it is nested beyond the limit
    Repairs repairs;
};
Argument parse_argument(std::string_view text);
// What stands between the quotes of an argument that is one string in which nothing is special, as
// most are; nothing for all others.
std::optional<std::string_view> plain_string(std::string_view argument) noexcept;

// Spaces, tabs, line breaks, and the wide and unbreakable spaces of Unicode. `at` moves behind
// them.
void skip_blanks(std::string_view text, std::size_t& at) noexcept;
std::string_view trim(std::string_view text) noexcept;

// A line break, a quote … "3:14 `::: @@@`": a place in a text and what stands there.
std::string place_in(std::string_view text, std::size_t offset);

}  // namespace arbiter::reader
