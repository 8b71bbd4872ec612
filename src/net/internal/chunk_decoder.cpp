#include "net/internal/chunk_decoder.h"

#include <algorithm>
#include <charconv>

#include "base/limits.h"

namespace arbiter::net::internal {

Parsed<bool> ChunkDecoder::feed(std::string_view& bytes, std::string& body) {
    while (true) {
        if (state_ == State::kData) {
            const std::size_t taken =
                static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
            body += bytes.substr(0, taken);
            bytes.remove_prefix(taken);
            left_ -= taken;
            if (left_ > 0) {
                return false;
            }
            state_ = State::kDataEnd;
        }
        const bool is_trailer = state_ == State::kTrailers;
        const Parsed<bool> line =
            is_trailer
                ? lines_.take(bytes, base::kHttpHeaderBytesMax, "The trailer", 431)
                : lines_.take(bytes, base::kHttpChunkLineBytesMax, "The line of a chunk", 400);
        if (!line || !*line) {
            return line;
        }
        Parsed<> taken;
        switch (state_) {
            case State::kSize:
                taken = read_size(lines_.line());
                break;
            case State::kDataEnd:
                if (!lines_.line().empty()) {
                    return malformed("a chunk is longer than its length");
                }
                state_ = State::kSize;
                break;
            case State::kTrailers:
                if (lines_.line().empty()) {
                    return true;
                }
                taken = read_trailer(lines_.line());
                break;
            case State::kData:
                break;
        }
        if (!taken) {
            return std::unexpected(std::move(taken.error()));
        }
    }
}

Parsed<> ChunkDecoder::read_size(std::string_view line) {
    constexpr int kHexadecimal = 16;
    const char* const begin = line.data();
    const char* const end = begin + line.size();
    const auto [stop, code] = std::from_chars(begin, end, left_, kHexadecimal);
    const std::string_view rest(stop, static_cast<std::size_t>(end - stop));
    const std::size_t extension = rest.find_first_not_of(" \t");
    // Readers differ in where a quoted value ends; no real sender has one.
    const bool has_shape = rest.empty() || (extension != std::string_view::npos &&
                                            rest[extension] == ';' && !rest.contains('"'));
    if (code != std::errc() || !has_shape) {
        return malformed(quote_part(line));
    }
    state_ = left_ == 0 ? State::kTrailers : State::kData;
    return {};
}

Parsed<> ChunkDecoder::read_trailer(std::string_view line) {
    if (trailers_ == nullptr) {
        trailers_ = std::make_unique<FieldParser>();
    }
    Parsed<> taken = trailers_->take(line);
    // RFC 9110, 6.5.1: a reader that merges trailers into the header would take another framing.
    for (const std::string_view name : {"content-length", "transfer-encoding"}) {
        if (trailers_->headers().find(name) != nullptr) {
            return malformed(std::string(name) + " as a trailer");
        }
    }
    return taken;
}

}  // namespace arbiter::net::internal
