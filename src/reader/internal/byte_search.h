// The bytes at which a block may begin in narrative.
#pragma once

#include <cstddef>
#include <string_view>

#include "reader/internal/byte_set.h"

namespace arbiter::reader::internal {

// Bytes at which a block may begin; the last is that of （.
inline constexpr ByteSet kBlockStarts("<`~{[(|\x88");

// The first of < ` ~ { [ ( | and of the last byte of （ at or behind `at`; text.size() if there is
// none. Passes over narrative at several bytes a cycle.
std::size_t find_block_start(std::string_view text, std::size_t at) noexcept;

// The first byte that quotes may depend on in the middle of a line: a line break, " ` < - and the
// first byte of “ ” 「 」 『 』; text.size() if there is none.
std::size_t find_quote_mark(std::string_view text) noexcept;

// The first of `quote`, a backslash and a line break at or behind `at`; text.size() if there is
// none.
std::size_t find_string_mark(std::string_view text, std::size_t at, char quote) noexcept;

// Letters, _ . and * at the end of a text, of which names of calls are made; at most kNameRunMax.
struct NameRun {
    std::size_t size = 0;
    bool has_marks = false;  // a dot or a star
};
inline constexpr std::size_t kNameRunMax = 24;  // longer than any name of a call
NameRun name_run_at_end(std::string_view text) noexcept;

}  // namespace arbiter::reader::internal
