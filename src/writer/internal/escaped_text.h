// Text of values, paths and reasons that cannot end the block around it: a `<` that could begin a
// tag and backticks that could be a fence are escaped inside strings. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "value/path.h"
#include "value/value.h"

namespace arbiter::writer::internal {

// Compact JSON.
std::string json_text(const value::Value& value);

// A string in single quotes, with JavaScript's escapes.
std::string quoted(std::string_view text);

// The JavaScript literal of a value: strings in single quotes, other values as JSON.
std::string literal(const value::Value& value);

// A reason on one line, without tags.
std::string one_line(std::string_view reason);

// The dotted path. Quotes more names in brackets than value::print_path() does, because the reader
// is lenient.
std::string dotted(const value::Path& path);

// Whether a character is a blank of Unicode.
bool is_blank(char32_t c) noexcept;

// Builds {"a":1,"b":"…"}: members in the order in which they are added.
class Members {
  public:
    void add(std::string_view key, const value::Value& value);
    void add(std::string_view key, const std::optional<value::Value>& value);
    // A string; omitted if empty.
    void add_text(std::string_view key, std::string_view text);
    [[nodiscard]] std::string done() && { return std::move(text_) + "}"; }

  private:
    std::string text_ = "{";
};

}  // namespace arbiter::writer::internal
