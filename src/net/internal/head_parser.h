// Parsers of the heads of HTTP/1.x messages: start line, fields, and the framing that follows from
// them. Push-style: any split of the bytes gives the same result. Pure.
//
// Strict, because two parsers that read a message differently can be played off against each other:
// lines end with CRLF, names are tokens directly before their colon, fields are not folded, control
// characters are refused, and a message has at most one framing (Content-Length or chunked).
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http.h"

namespace arbiter::net::internal {

// The reason why a message is refused, and the status of the answer if it is a request.
struct Refusal {
    int status;
    base::Error error;
};
template <typename T = void>
using Parsed = std::expected<T, Refusal>;

// The text of a message as it may be in an error: cut, controls made visible.
[[nodiscard]] std::string quote_part(std::string_view text);
[[nodiscard]] std::unexpected<Refusal> malformed(std::string what, int status = 400);
[[nodiscard]] std::unexpected<Refusal> too_large(std::string part, std::size_t limit, int status);

// How the end of a body is known.
struct Framing {
    enum class Kind : std::uint8_t { kNone, kLength, kChunked, kUntilClose };
    Kind kind = Kind::kNone;
    std::uint64_t length = 0;  // of kLength
    friend bool operator==(const Framing&, const Framing&) = default;
};

// The fields of a message, line by line. Also reads the trailers behind a chunked body.
class FieldParser {
  public:
    // Takes a line without its CRLF.
    Parsed<> take(std::string_view line);
    [[nodiscard]] Headers& headers() noexcept { return headers_; }

  private:
    Headers headers_;
    std::size_t bytes_ = 0;
};

// Cuts bytes into lines that end with CRLF. Control characters are refused as soon as they are
// seen, so that bytes of another protocol do not wait for a line end.
class LineReader {
  public:
    // Takes bytes off the front up to and including one line end; true: line() is complete.
    Parsed<bool> take(std::string_view& bytes, std::size_t line_bytes_max, std::string_view part,
                      int status);
    // Valid until the next take(), and while the bytes given to the last one are.
    [[nodiscard]] std::string_view line() const noexcept { return whole_; }

  private:
    std::string begun_;
    std::string_view whole_;
    bool is_whole_ = false;
};

// A line of the head of a request or a response. True: it was the last one.
template <typename Parser>
Parsed<bool> take_head_line(Parser& parser, std::string_view line);

class RequestParser {
  public:
    // Takes bytes off the front up to the end of the head; true: the head is complete.
    Parsed<bool> feed(std::string_view& bytes);
    // True once a byte of the request has been seen.
    [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }

    // Of a complete head.
    [[nodiscard]] Request& request() noexcept { return request_; }
    [[nodiscard]] const Framing& framing() const noexcept { return framing_; }
    [[nodiscard]] bool keeps_alive() const noexcept { return keeps_alive_; }
    [[nodiscard]] bool expects_continue() const noexcept { return expects_continue_; }

  private:
    template <typename Parser>
    friend Parsed<bool> take_head_line(Parser& parser, std::string_view line);

    Parsed<> read_start_line(std::string_view line);
    Parsed<> read_target(std::string_view target);
    Parsed<> complete();

    LineReader lines_;
    FieldParser fields_;
    Request request_;
    std::string authority_;  // of a target in absolute form
    Framing framing_;
    bool has_begun_ = false;
    bool has_start_line_ = false;
    bool has_skipped_line_ = false;
    bool keeps_alive_ = false;
    bool expects_continue_ = false;
};

class ResponseParser {
  public:
    explicit ResponseParser(bool is_answer_to_head) : is_answer_to_head_(is_answer_to_head) {}
    Parsed<bool> feed(std::string_view& bytes);

    // Of a complete head.
    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
    [[nodiscard]] Headers& headers() noexcept { return fields_.headers(); }
    [[nodiscard]] const Framing& framing() const noexcept { return framing_; }
    [[nodiscard]] bool keeps_alive() const noexcept { return keeps_alive_; }

  private:
    template <typename Parser>
    friend Parsed<bool> take_head_line(Parser& parser, std::string_view line);

    Parsed<> read_start_line(std::string_view line);
    Parsed<> complete();

    LineReader lines_;
    FieldParser fields_;
    std::string reason_;
    Framing framing_;
    int status_ = 0;
    bool is_answer_to_head_;
    bool is_http_1_0_ = false;
    bool has_start_line_ = false;
    bool keeps_alive_ = false;
};

}  // namespace arbiter::net::internal
