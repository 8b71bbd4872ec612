#include "net/internal/head_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "net/internal/message_text.h"
#include "text/ascii.h"
#include "text/controls.h"
#include "text/truncate.h"

namespace arbiter::net::internal {
namespace {

constexpr std::size_t kMethodBytesMax = 32;  // the longest registered one has 17
constexpr std::size_t kQuotedBytesMax = 80;  // of a message's text in an error

constexpr auto kTokenCharacters = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0; c < table.size(); ++c) {
        const char letter = static_cast<char>(c);
        table[c] = c < 0x80 && (text::is_letter(letter) || text::is_digit(letter));
    }
    for (const char c : std::string_view("!#$%&'*+-.^_`|~")) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}();

bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return kTokenCharacters[static_cast<unsigned char>(c)];
    });
}

bool is_control(char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f';
}

std::string_view trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::size_t count(const Headers& headers, std::string_view name) {
    return static_cast<std::size_t>(
        std::ranges::count_if(headers, [&](const Header& field) { return field.name == name; }));
}

bool is_host(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return text::is_letter(c) || text::is_digit(c) ||
               std::string_view("-._~!$&'()*+,;=:[]%").contains(c);
    });
}

// The framing that the fields declare; nothing if they declare none.
Parsed<std::optional<Framing>> declared_framing(const Headers& headers, bool is_http_1_0) {
    const std::string* length = headers.find("content-length");
    const std::string* coding = headers.find("transfer-encoding");
    if (coding != nullptr) {
        if (length != nullptr) {
            return malformed("it has both Content-Length and Transfer-Encoding");
        }
        if (is_http_1_0) {
            return malformed("HTTP/1.0 has no Transfer-Encoding");
        }
        if (count(headers, "transfer-encoding") > 1) {
            return malformed("Transfer-Encoding is repeated");
        }
        if (!is_same_name(*coding, "chunked")) {
            return malformed("Transfer-Encoding: " + quote_part(*coding), 501);
        }
        return Framing{.kind = Framing::Kind::kChunked, .length = 0};
    }
    if (length == nullptr) {
        return std::nullopt;
    }
    if (count(headers, "content-length") > 1) {
        return malformed("Content-Length is repeated");
    }
    Framing framing{.kind = Framing::Kind::kLength, .length = 0};
    const char* const end = length->data() + length->size();
    const auto [stop, code] = std::from_chars(length->data(), end, framing.length);
    if (length->empty() || code != std::errc() || stop != end) {
        return malformed("Content-Length: " + quote_part(*length));
    }
    return framing;
}

bool says_keep_alive(const Headers& headers, bool is_http_1_0) {
    bool keeps = !is_http_1_0;
    for (const Header& field : headers) {
        if (field.name != "connection") {
            continue;
        }
        if (has_word(field.value, "close")) {
            return false;
        }
        keeps = keeps || has_word(field.value, "keep-alive");
    }
    return keeps;
}

enum class Version : std::uint8_t { kOther, k10, k11 };

Version parse_version(std::string_view text) {
    if (text == "HTTP/1.1") {
        return Version::k11;
    }
    return text == "HTTP/1.0" ? Version::k10 : Version::kOther;
}

bool looks_like_version(std::string_view text) {
    constexpr std::string_view kShape = "HTTP/1.1";
    return text.size() == kShape.size() && text.starts_with("HTTP/") && text::is_digit(text[5]) &&
           text[6] == '.' && text::is_digit(text[7]);
}

}  // namespace

std::string quote_part(std::string_view text) {
    return text::show_controls(text::truncate_with_ellipsis(text, kQuotedBytesMax),
                               text::LineBreaks::kShown);
}

std::unexpected<Refusal> malformed(std::string what, int status) {
    return std::unexpected(
        Refusal{status, base::Error(base::ErrorCode::kHttpMalformed, {std::move(what)})});
}

std::unexpected<Refusal> too_large(std::string part, std::size_t limit, int status) {
    return std::unexpected(
        Refusal{status, base::Error(base::ErrorCode::kHttpTooLarge,
                                    {std::move(part), std::to_string(limit) + " B"})});
}

Parsed<> FieldParser::take(std::string_view line) {
    constexpr int kStatus = 431;
    bytes_ += line.size() + 2;
    if (bytes_ > base::kHttpHeaderBytesMax) {
        return too_large("The header", base::kHttpHeaderBytesMax, kStatus);
    }
    if (headers_.size() == base::kHttpHeadersMax) {
        return std::unexpected(Refusal{
            kStatus,
            base::Error(base::ErrorCode::kHttpTooLarge,
                        {"The number of header fields", std::to_string(base::kHttpHeadersMax)})});
    }
    if (line.starts_with(' ') || line.starts_with('\t')) {
        return malformed("a header field continues on a second line");
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
        return malformed("a header field without a colon");
    }
    std::string name(line.substr(0, colon));
    if (!is_token(name)) {
        return malformed(quote_part(line));
    }
    std::ranges::transform(name, name.begin(), text::to_lower);
    headers_.add(std::move(name), std::string(trimmed(line.substr(colon + 1))));
    return {};
}

Parsed<bool> LineReader::take(std::string_view& bytes, std::size_t line_bytes_max,
                              std::string_view part, int status) {
    if (std::exchange(is_whole_, false)) {
        begun_.clear();
    }
    std::size_t end = 0;
    while (end < bytes.size() && !is_control(bytes[end])) {
        ++end;
    }
    const bool had_return = begun_.ends_with('\r');
    // A carriage return is followed by a line feed, and only by that.
    if (had_return && !bytes.empty() && bytes.front() != '\n') {
        return malformed("a line does not end with CRLF");
    }
    if (begun_.size() + end > line_bytes_max + (had_return ? 1 : 0)) {
        return too_large(std::string(part), line_bytes_max, status);
    }
    if (end == bytes.size()) {
        begun_ += bytes;
        bytes = {};
        return false;
    }
    if (bytes[end] == '\n') {
        if (!had_return) {
            return malformed("a line does not end with CRLF");
        }
        begun_.pop_back();
        bytes.remove_prefix(1);
        whole_ = begun_;
        is_whole_ = true;
        return true;
    }
    if (bytes[end] != '\r') {
        return malformed("a control character");
    }
    const std::string_view found = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (begun_.empty() && bytes.starts_with('\n')) {
        // The usual case, without a copy.
        bytes.remove_prefix(1);
        whole_ = found;
        is_whole_ = true;
        return true;
    }
    begun_ += found;
    begun_ += '\r';
    return take(bytes, line_bytes_max, part, status);
}

template <typename Parser>
Parsed<bool> take_head_line(Parser& parser, std::string_view line) {
    const bool is_start = !std::exchange(parser.has_start_line_, true);
    const bool is_last = !is_start && line.empty();
    Parsed<> taken;
    if (is_start) {
        taken = parser.read_start_line(line);
    } else {
        taken = is_last ? parser.complete() : parser.fields_.take(line);
    }
    return taken ? Parsed<bool>(is_last) : std::unexpected(std::move(taken.error()));
}

Parsed<bool> RequestParser::feed(std::string_view& bytes) {
    has_begun_ = has_begun_ || !bytes.empty();
    while (true) {
        const Parsed<bool> line =
            has_start_line_
                ? lines_.take(bytes, base::kHttpHeaderBytesMax, "The header", 431)
                : lines_.take(bytes, base::kHttpTargetBytesMax, "The request line", 414);
        if (!line || !*line) {
            return line;
        }
        if (!has_start_line_ && lines_.line().empty() && !std::exchange(has_skipped_line_, true)) {
            continue;  // RFC 9112, 2.2: some clients end a body with a line of its own
        }
        const Parsed<bool> is_last = take_head_line(*this, lines_.line());
        if (!is_last || *is_last) {
            return is_last;
        }
    }
}

Parsed<> RequestParser::read_start_line(std::string_view line) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) {
        return malformed(quote_part(line));
    }
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!is_token(method) || method.size() > kMethodBytesMax || !looks_like_version(version)) {
        return malformed(quote_part(line));
    }
    const Version known = parse_version(version);
    if (known == Version::kOther) {
        return malformed(quote_part(version), 505);
    }
    request_.is_http_1_0 = known == Version::k10;
    request_.method = method;
    return read_target(target);
}

Parsed<> RequestParser::read_target(std::string_view target) {
    const auto is_refused = [](char c) { return c <= ' ' || c >= '\x7f' || c == '#'; };
    const auto refused = [&] { return malformed(quote_part(target)); };
    if (target.empty() || std::ranges::any_of(target, is_refused)) {
        return refused();
    }
    if (request_.method == "CONNECT") {
        return malformed("CONNECT is for proxies", 501);
    }
    if (target == "*" && request_.method == "OPTIONS") {
        request_.path = target;
        return {};
    }
    if (target.front() != '/') {
        constexpr std::string_view kSchemes[] = {"http://", "https://"};
        const auto* const scheme = std::ranges::find_if(kSchemes, [&](std::string_view each) {
            return is_same_name(target.substr(0, each.size()), each);
        });
        if (scheme == std::end(kSchemes)) {
            return refused();
        }
        const std::string_view rest = target.substr(scheme->size());
        const std::size_t path = std::min(rest.find_first_of("/?"), rest.size());
        authority_ = rest.substr(0, path);
        if (!is_host(authority_)) {
            return refused();
        }
        target = rest.substr(path);
    }
    const std::size_t question = std::min(target.find('?'), target.size());
    request_.path = question == 0 ? "/" : target.substr(0, question);
    request_.query = target.substr(std::min(question + 1, target.size()));
    return {};
}

Parsed<> RequestParser::complete() {
    Headers& headers = fields_.headers();
    const std::size_t hosts = count(headers, "host");
    if (hosts > 1 || (hosts == 0 && !request_.is_http_1_0)) {
        return malformed(hosts > 1 ? "Host is repeated" : "Host is missing");
    }
    if (hosts == 1 && !is_host(*headers.find("host"))) {
        return malformed("Host: " + quote_part(*headers.find("host")));
    }
    if (!authority_.empty()) {
        headers.set("host", std::move(authority_));
    }
    Parsed<std::optional<Framing>> framing = declared_framing(headers, request_.is_http_1_0);
    if (!framing) {
        return std::unexpected(std::move(framing.error()));
    }
    framing_ = framing->value_or(Framing{});
    if (framing_.kind == Framing::Kind::kLength && framing_.length == 0) {
        framing_ = {};
    }
    if (const std::string* expected = headers.find("expect")) {
        if (!is_same_name(*expected, "100-continue")) {
            return malformed("Expect: " + quote_part(*expected), 417);
        }
        expects_continue_ = !request_.is_http_1_0 && framing_.kind != Framing::Kind::kNone;
    }
    keeps_alive_ = says_keep_alive(headers, request_.is_http_1_0);
    request_.headers = std::move(headers);
    return {};
}

Parsed<bool> ResponseParser::feed(std::string_view& bytes) {
    while (true) {
        const Parsed<bool> line = lines_.take(bytes, base::kHttpHeaderBytesMax, "The header", 502);
        if (!line || !*line) {
            return line;
        }
        const Parsed<bool> is_last = take_head_line(*this, lines_.line());
        if (!is_last || *is_last) {
            return is_last;
        }
    }
}

Parsed<> ResponseParser::read_start_line(std::string_view line) {
    constexpr std::size_t kVersionBytes = 8;
    constexpr std::size_t kStatusBytes = 3;
    constexpr std::size_t kReasonAt = kVersionBytes + 1 + kStatusBytes;
    const Version version = parse_version(line.substr(0, kVersionBytes));
    const std::string_view digits =
        line.size() < kReasonAt ? std::string_view() : line.substr(kVersionBytes + 1, kStatusBytes);
    const bool has_shape = version != Version::kOther && line.size() >= kReasonAt &&
                           line[kVersionBytes] == ' ' &&
                           std::ranges::all_of(digits, text::is_digit) && digits.front() != '0' &&
                           (line.size() == kReasonAt || line[kReasonAt] == ' ');
    if (!has_shape) {
        return malformed(quote_part(line));
    }
    is_http_1_0_ = version == Version::k10;
    std::from_chars(digits.data(), digits.data() + digits.size(), status_);
    reason_ = trimmed(line.substr(kReasonAt));
    return {};
}

Parsed<> ResponseParser::complete() {
    Parsed<std::optional<Framing>> framing = declared_framing(headers(), is_http_1_0_);
    if (!framing) {
        return std::unexpected(std::move(framing.error()));
    }
    if (is_answer_to_head_ || has_no_body(status_)) {
        framing_ = {};
    } else {
        framing_ = framing->value_or(Framing{.kind = Framing::Kind::kUntilClose, .length = 0});
    }
    if (framing_.kind == Framing::Kind::kLength && framing_.length == 0) {
        framing_ = {};
    }
    keeps_alive_ =
        framing_.kind != Framing::Kind::kUntilClose && says_keep_alive(headers(), is_http_1_0_);
    return {};
}

}  // namespace arbiter::net::internal
