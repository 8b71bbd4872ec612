// PNG text chunks. Checksums are verified; pixels are not decoded. Any bytes give texts or an
// Error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::card::internal {

// A text chunk, still compressed. Views into the bytes of the file.
struct PngText {
    std::string_view type;     // "tEXt", "zTXt" or "iTXt"
    std::string_view keyword;  // as written; programs differ in its case
    std::string_view rest;     // after the keyword and its zero byte
};

bool is_png(std::string_view bytes) noexcept;

// All text chunks, in order. Bytes after the IEND chunk are ignored: some programs append files.
base::Result<std::vector<PngText>> read_png_texts(std::string_view bytes);

// The text of a chunk, decompressed.
base::Result<std::string> unpack_png_text(const PngText& chunk);

}  // namespace arbiter::card::internal
