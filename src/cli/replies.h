// What commands over replies share.
#pragma once

#include <optional>
#include <string_view>

#include "cli/command.h"
#include "reader/reader.h"

namespace arbiter::cli {

// The value of --chunk; complains and gives nothing when it is no number above 0.
std::optional<std::size_t> chunk_of(const Call& call);

// Reads a reply as a stream would bring it.
reader::Reading read_in_pieces(std::string_view text, reader::Options options, std::size_t chunk);

}  // namespace arbiter::cli
