// The commands parse and teach, and functions shared by the commands on replies.
#pragma once

#include <expected>
#include <optional>
#include <string_view>

#include "cli/command.h"
#include "reader/reader.h"

namespace arbiter::cli {

// Reads the reply that an argument names (default: standard input) as the options --profile or
// --from, --player, --both, --thinking and --chunk say. On failure, reports the error.
std::expected<reader::Reading, Exit> read_reply(const Call& call, std::size_t file_argument);

// The value of --chunk. If it is not a positive integer, reports the error and returns nullopt.
std::optional<std::size_t> chunk_of(const Call& call);

// Reads a reply in chunks, as a stream would deliver it.
reader::Reading read_in_pieces(std::string_view text, reader::Options options, std::size_t chunk);

Exit run_parse(const Call& call);
Exit run_teach(const Call& call);

}  // namespace arbiter::cli
