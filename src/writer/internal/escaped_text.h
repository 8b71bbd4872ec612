// Texts of values, paths and reasons, such that nothing in them can end the block they stand in.
//
// A `<` that could begin a tag and backticks that could be a fence are escaped inside strings.
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

// JavaScript's literal for a value: strings in single quotes, the rest as JSON.
std::string literal(const value::Value& value);

// A reason as the rest of a line.
std::string one_line(std::string_view reason);

// The dotted path. Names that are not plain are quoted in brackets, more of them than
// value::print_path() quotes, for readers of models' paths are lenient.
std::string dotted(const value::Path& path);

// A character that is nothing to see.
bool is_blank(char32_t c) noexcept;

// {"a":1,"b":"…"}: an object's members as they are added, whatever their depth.
class Members {
  public:
    void add(std::string_view key, const value::Value& value);
    void add(std::string_view key, const std::optional<value::Value>& value);
    // A string, left out when empty.
    void add_text(std::string_view key, std::string_view text);
    [[nodiscard]] std::string done() && { return std::move(text_) + "}"; }

  private:
    std::string text_ = "{";
};

}  // namespace arbiter::writer::internal
