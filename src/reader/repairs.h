// Repairs: the kinds of mistakes that the literal parser corrected in a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace arbiter::reader
