// Vectorised searches for the bytes that the reader has to examine.
#pragma once

#include <cstddef>
#include <string_view>

#include "reader/internal/byte_set.h"

namespace arbiter::reader::internal {

// Bytes at which a block may begin; the last four are the last bytes of （ ［ ｛ and 【.
inline constexpr ByteSet kBlockStarts("<`~{[(|\x88\xBB\x9B\x90");

// Whether `text`, which begins with a character of three bytes, begins with （ ［ ｛ or 【.
inline bool starts_wide_block(std::string_view text) noexcept {
    return (text[0] == '\xEF' &&
            (text.starts_with("（") || text.starts_with("［") || text.starts_with("｛"))) ||
           (text[0] == '\xE3' && text.starts_with("【"));
}

// The offset of the first < ` ~ { [ ( | or last byte of （ ［ ｛ 【 from `at` on; text.size() if
// there is none. Skips narrative at several bytes per cycle.
std::size_t find_block_start(std::string_view text, std::size_t at) noexcept;

// The offset of the first byte that may change the state of quotes in the middle of a line: a line
// break, " ` < - / * and the first byte of “ ” 「 」 『 』; text.size() if there is none.
std::size_t find_quote_mark(std::string_view text) noexcept;

// The offset of the first `quote`, backslash or line break from `at` on; text.size() if there is
// none.
std::size_t find_string_mark(std::string_view text, std::size_t at, char quote) noexcept;

// The run of letters, _ . and * at the end of a text, which may be the name of a call; at most
// kNameRunMax bytes.
struct NameRun {
    std::size_t size = 0;
    bool has_marks = false;  // a dot or a star
};
inline constexpr std::size_t kNameRunMax = 24;  // longer than any name of a call
NameRun name_run_at_end(std::string_view text) noexcept;

}  // namespace arbiter::reader::internal
