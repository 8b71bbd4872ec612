#include "net/http.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/ascii.h"
#include "text/split.h"
#include "text/utf8.h"

namespace arbiter::net {
namespace {

struct Reason {
    int status;
    std::string_view phrase;
};
constexpr auto kReasons = std::to_array<Reason>({
    {100, "Continue"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {423, "Locked"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {499, "Client Closed Request"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
    {529, "Site Is Overloaded"},
});

enum class Plus : bool { kItself, kBlank };

base::Result<std::string> decode(std::string_view text, Plus plus) {
    constexpr std::size_t kEscapeBytes = 3;
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '+' && plus == Plus::kBlank) {
            decoded += ' ';
            continue;
        }
        if (text[at] != '%') {
            decoded += text[at];
            continue;
        }
        const std::string_view escape = text.substr(at, kEscapeBytes);
        const int high = escape.size() == kEscapeBytes ? text::hex_digit(escape[1]) : -1;
        const int low = escape.size() == kEscapeBytes ? text::hex_digit(escape[2]) : -1;
        if (high < 0 || low < 0) {
            return base::fail(base::ErrorCode::kUrlMalformed,
                              {text::repair(text), "two hexadecimal digits belong behind %"});
        }
        decoded += static_cast<char>(high * 16 + low);
        at += kEscapeBytes - 1;
    }
    if (!text::is_valid(decoded)) {
        return base::fail(base::ErrorCode::kUrlMalformed, {text::repair(text), "it is not UTF-8"});
    }
    return decoded;
}

}  // namespace

void Headers::add(std::string name, std::string value) {
    constexpr std::size_t kUsual = 6;
    if (fields_.empty()) {
        fields_.reserve(kUsual);
    }
    fields_.push_back({std::move(name), std::move(value)});
}

void Headers::set(std::string name, std::string value) {
    erase(name);
    add(std::move(name), std::move(value));
}

void Headers::erase(std::string_view name) {
    std::erase_if(fields_, [&](const Header& field) { return is_same_name(field.name, name); });
}

const std::string* Headers::find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        fields_, [&](const Header& field) { return is_same_name(field.name, name); });
    return found != fields_.end() ? &found->value : nullptr;
}

std::string_view standard_reason(int status) noexcept {
    const auto found = std::ranges::find(kReasons, status, &Reason::status);
    return found != kReasons.end() ? found->phrase : std::string_view();
}

bool is_same_name(std::string_view left, std::string_view right) noexcept {
    return std::ranges::equal(left, right, {}, text::to_lower, text::to_lower);
}

bool has_word(std::string_view list, std::string_view word) noexcept {
    for (const std::string_view part : text::split(list, ", \t")) {
        if (is_same_name(part, word)) {
            return true;
        }
    }
    return false;
}

base::Result<std::string> percent_decode(std::string_view text) {
    return decode(text, Plus::kItself);
}

base::Result<QueryParameters> parse_query(std::string_view query) {
    QueryParameters parameters;
    for (const std::string_view part : text::split(query, "&")) {
        const std::size_t equals = std::min(part.find('='), part.size());
        base::Result<std::string> name = decode(part.substr(0, equals), Plus::kBlank);
        if (!name) {
            return std::unexpected(std::move(name.error()));
        }
        base::Result<std::string> value =
            decode(part.substr(std::min(equals + 1, part.size())), Plus::kBlank);
        if (!value) {
            return std::unexpected(std::move(value.error()));
        }
        parameters.emplace_back(*std::move(name), *std::move(value));
    }
    return parameters;
}

}  // namespace arbiter::net
