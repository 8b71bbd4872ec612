// Functions shared by the commands on replies.
#pragma once

#include <optional>
#include <string_view>

#include "cli/command.h"
#include "reader/reader.h"

namespace arbiter::cli {

// The value of --chunk. If it is not a positive integer, reports the error and returns nullopt.
std::optional<std::size_t> chunk_of(const Call& call);

// Reads a reply in chunks, as a stream would deliver it.
reader::Reading read_in_pieces(std::string_view text, reader::Options options, std::size_t chunk);

}  // namespace arbiter::cli
