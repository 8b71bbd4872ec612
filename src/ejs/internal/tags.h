// Tags: a template split into plain text and code, as EJS splits it.
//
//   <% code %>   <%_ code _%>   <%= value %>   <%- value %>   <%# comment %>   <%% is <%   %%> is
//   %>
//
// A tag ends at the first %> (also inside a string). -%> and _%> swallow one line end behind them;
// <%_ and _%> swallow blanks before and behind. Between <#escape-ejs> and <#/escape-ejs> tags are
// plain text.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "ejs/failure.h"

namespace arbiter::ejs::internal {

struct Piece {
    enum class Kind : std::uint8_t { kText, kCode, kOutput };
    Kind kind;
    std::string_view text;  // borrowed from the template
    std::size_t line;       // from 1
};

std::expected<std::vector<Piece>, Failure> split_tags(std::string_view text);

}  // namespace arbiter::ejs::internal
