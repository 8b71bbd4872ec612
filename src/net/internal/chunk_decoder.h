// The decoder of chunked bodies (RFC 9112, 7.1). Push-style: any split of the bytes gives the same
// body. Pure.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/internal/head_parser.h"

namespace arbiter::net::internal {

class ChunkDecoder {
  public:
    // Takes bytes off the front and appends the content to `body`; true: the body and its trailers
    // are complete, and the bytes that are left belong to the next message. Trailers are checked
    // and dropped.
    Parsed<bool> feed(std::string_view& bytes, std::string& body);

  private:
    enum class State : std::uint8_t { kSize, kData, kDataEnd, kTrailers };
    Parsed<> read_size(std::string_view line);
    Parsed<> read_trailer(std::string_view line);

    LineReader lines_;
    std::unique_ptr<FieldParser> trailers_;  // nullptr: none came
    std::uint64_t left_ = 0;                 // of the chunk
    State state_ = State::kSize;
};

}  // namespace arbiter::net::internal
