// Literals as models write them: JSON, and text that was meant to be JSON.
//
// One tolerant parser for all dialects: single, back and smart quotes, full-width punctuation, bare
// keys and words, comments, trailing and missing commas, missing closing brackets, raw line breaks
// and unescaped quotes in strings, Python's constants, arithmetic. Every repair is reported.
// Ambiguous text, and text that is not a literal, is an error with its offset. Total and linear;
// nesting is limited by base::kLiteralDepthMax; no text is executed as code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

#include "reader/repairs.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::reader {

struct LiteralError {
    enum class Kind : std::uint8_t { kSyntax, kTooDeep };
    Kind kind;
    std::size_t offset;
    std::string_view cause = "unexpected";  // of parse_error, see proposal/code.cpp
};

struct Literal {
    value::Value value;
    std::size_t end = 0;  // one past its last byte
    Repairs repairs;
    bool closed = true;  // false: the text ended before all brackets were closed
    // If not closed: the path of the innermost open container. Values on this path may be
    // incomplete.
    value::Path open;
    bool inside_token = false;  // it ended in the middle of a string or before a value
    struct Item {
        std::size_t begin;
        std::size_t end;
    };
    std::vector<Item> items;  // offsets of the elements of an outermost list
};

enum class BareWords : std::uint8_t {
    kNames,   // words of letters, digits and a few marks
    kAny,     // any text up to the next ASCII comma or bracket (lists of Filament, arguments)
    kAnyWide  // the same, where wide commas separate too
};

// Parses the value that begins at or after `at`; blanks and comments before it are skipped.
std::expected<Literal, LiteralError> parse_literal(std::string_view text, std::size_t at,
                                                   BareWords bare = BareWords::kNames);

}  // namespace arbiter::reader
