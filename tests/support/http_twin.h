// HTTP messages read by our parsers and by Boost.Beast, in one form that can be compared.
//
// Ours is stricter: a message that we accept is accepted by Beast with the same content, not the
// other way round.
#pragma once

#include <algorithm>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "net/internal/chunk_decoder.h"
#include "net/internal/head_parser.h"
#include "net/internal/message_text.h"
#include "tests/support/random.h"
#include "text/ascii.h"

namespace arbiter::tests {

using Fields = std::vector<std::pair<std::string, std::string>>;  // sorted

struct HttpMessage {
    enum class State : std::uint8_t { kIncomplete, kComplete, kRefused };
    State state = State::kIncomplete;
    std::string start = {};  // method and target, or status
    Fields fields = {};
    std::string body = {};
    std::size_t used = 0;  // bytes up to the end of the message
    bool is_chunked = false;
    bool is_syntax_of_lists = false;  // Beast refuses it for a reason that we do not look at
    friend bool operator==(const HttpMessage&, const HttpMessage&) = default;
};

namespace internal {

inline Fields sorted_fields(const net::Headers& headers) {
    Fields fields = {};
    for (const net::Header& field : headers) {
        fields.emplace_back(field.name, field.value);
    }
    std::ranges::sort(fields);
    return fields;
}

inline std::string start_of(net::internal::RequestParser& parser) {
    const net::Request& request = parser.request();
    return request.method + " " + request.path + (request.query.empty() ? "" : "?") + request.query;
}
inline std::string start_of(net::internal::ResponseParser& parser) {
    return std::to_string(parser.status());
}
inline net::Headers& headers_of(net::internal::RequestParser& parser) {
    return parser.request().headers;
}
inline net::Headers& headers_of(net::internal::ResponseParser& parser) {
    return parser.headers();
}

}  // namespace internal

// Feeds the bytes in pieces of 1 to `most` bytes.
template <typename Parser>
HttpMessage read_message(Parser parser, std::string_view bytes, std::size_t most) {
    using net::internal::Framing;
    HttpMessage message;
    net::internal::ChunkDecoder chunks;
    Random random(bytes.size());
    std::uint64_t left = 0;
    bool has_head = false;
    std::size_t at = 0;
    while (at < bytes.size() && message.state == HttpMessage::State::kIncomplete) {
        std::string_view piece = bytes.substr(at, 1 + random.below(most));
        const std::size_t size = piece.size();
        while (message.state == HttpMessage::State::kIncomplete) {
            net::internal::Parsed<bool> complete = false;
            if (!has_head) {
                complete = parser.feed(piece);
                if (complete && *complete) {
                    has_head = true;
                    left = parser.framing().length;
                    message.is_chunked = parser.framing().kind == Framing::Kind::kChunked;
                    complete = parser.framing().kind == Framing::Kind::kNone;
                }
            } else if (parser.framing().kind == Framing::Kind::kChunked) {
                complete = chunks.feed(piece, message.body);
            } else {
                const bool has_end = parser.framing().kind == Framing::Kind::kLength;
                const std::size_t taken = static_cast<std::size_t>(
                    has_end ? std::min<std::uint64_t>(left, piece.size()) : piece.size());
                message.body += piece.substr(0, taken);
                piece.remove_prefix(taken);
                left -= has_end ? taken : 0;
                complete = has_end && left == 0;
            }
            if (!complete) {
                message.state = HttpMessage::State::kRefused;
                CHECK(complete.error().status >= 400);
            } else if (*complete) {
                message.state = HttpMessage::State::kComplete;
            } else if (piece.empty()) {
                break;
            }
        }
        at += size - piece.size();
    }
    if (message.state == HttpMessage::State::kRefused) {
        return {.state = HttpMessage::State::kRefused};
    }
    message.used = at;
    if (has_head) {
        message.start = internal::start_of(parser);
        message.fields = internal::sorted_fields(internal::headers_of(parser));
    }
    return message;
}

template <bool kIsRequest>
HttpMessage read_with_beast(std::string_view bytes) {
    namespace http = boost::beast::http;
    http::parser<kIsRequest, http::string_body> parser;
    parser.eager(true);
    parser.header_limit(std::uint32_t{1} << 30);
    parser.body_limit(boost::none);
    HttpMessage message;
    if (kIsRequest && bytes.starts_with("\r\n")) {
        message.used = 2;  // RFC 9112, 2.2 lets us skip one empty line; Beast does not
    }
    while (!parser.is_done()) {
        boost::beast::error_code code;
        const std::string_view rest = bytes.substr(message.used);
        message.used += parser.put(boost::asio::buffer(rest.data(), rest.size()), code);
        if (code == http::error::need_more) {
            break;
        }
        if (code) {
            // It checks the syntax of chunk extensions and of lists such as Connection, of which we
            // take nothing but a word.
            return {.state = HttpMessage::State::kRefused,
                    .is_syntax_of_lists =
                        code == http::error::bad_chunk_extension || code == http::error::bad_value};
        }
        if (message.used == bytes.size() && !parser.is_done()) {
            break;
        }
    }
    if (parser.is_done()) {
        message.state = HttpMessage::State::kComplete;
    }
    const auto& read = parser.get();
    if constexpr (kIsRequest) {
        message.start = std::string(read.method_string()) + " " + std::string(read.target());
    } else {
        message.start = std::to_string(read.result_int());
    }
    for (const auto& field : read) {
        std::string name(field.name_string());
        std::ranges::transform(name, name.begin(), text::to_lower);
        message.fields.emplace_back(std::move(name), std::string(field.value()));
    }
    std::ranges::sort(message.fields);
    message.body = read.body();
    message.is_chunked = parser.chunked();
    return message;
}

// Ours in pieces of any size gives the same, and a complete message of ours is Beast's too.
template <bool kIsRequest, typename Parser>
void check_message(const Parser& parser, std::string_view bytes) {
    const HttpMessage ours = read_message(parser, bytes, bytes.size() + 1);
    for (const std::size_t most : {std::size_t{1}, std::size_t{7}, std::size_t{100}}) {
        CHECK(read_message(parser, bytes, most) == ours);
    }
    if (ours.state != HttpMessage::State::kComplete) {
        return;
    }
    constexpr std::size_t kReasonAt = std::string_view("HTTP/1.1 200").size();
    if (!kIsRequest && bytes.substr(kReasonAt).starts_with("\r\n")) {
        return;  // some servers leave out the reason and its blank; Beast insists on the blank
    }
    if (!kIsRequest && net::internal::has_no_body(std::stoi(ours.start))) {
        return;  // Beast reads a body that these declare although they cannot have one
    }
    const HttpMessage theirs = read_with_beast<kIsRequest>(bytes);
    if (theirs.is_syntax_of_lists) {
        return;
    }
    CHECK(theirs.state == HttpMessage::State::kComplete);
    CHECK(theirs.used == ours.used && theirs.is_chunked == ours.is_chunked);
    CHECK(theirs.body == ours.body);
    const std::string_view target =
        std::string_view(theirs.start).substr(theirs.start.find(' ') + 1);
    if (kIsRequest && !target.starts_with('/')) {
        return;  // we replace Host by the authority of the target
    }
    CHECK(theirs.start == ours.start || theirs.start == ours.start + "?");
    // Beast adds the trailers.
    CHECK(ours.is_chunked ? std::ranges::includes(theirs.fields, ours.fields)
                          : theirs.fields == ours.fields);
}

}  // namespace arbiter::tests
