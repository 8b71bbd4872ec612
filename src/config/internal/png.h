// PNG, only so far as a card is in it: the chunks are walked and their checksums compared; pixels
// are never looked at. Any bytes give texts or an Error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::config::internal {

// A text chunk of any of the three kinds, still packed where it is.
struct PngText {
    std::string_view type;     // "tEXt", "zTXt" or "iTXt"
    std::string_view keyword;  // as it is written; people and programs differ in its case
    std::string_view rest;     // behind the keyword and its zero
};

bool is_png(std::string_view bytes) noexcept;

// All text chunks, in order; they point into `bytes`. What follows the end chunk is ignored, since
// some programs keep their own files there.
base::Result<std::vector<PngText>> read_png_texts(std::string_view bytes);

// The text of a chunk, unpacked.
base::Result<std::string> unpack_png_text(const PngText& chunk);

}  // namespace arbiter::config::internal
