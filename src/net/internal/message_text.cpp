#include "net/internal/message_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

namespace arbiter::net::internal {
namespace {

// "Sun, 06 Nov 1994 08:49:37 GMT". Formatted once a second on each thread.
const std::string& date_now() {
    thread_local std::time_t shown = 0;
    thread_local std::string text;
    const std::time_t now = std::time(nullptr);
    if (now != shown || text.empty()) {
        constexpr auto kDays =
            std::to_array<const char*>({"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"});
        constexpr auto kMonths = std::to_array<const char*>(
            {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"});
        std::tm parts{};
        gmtime_r(&now, &parts);
        std::array<char, 64> buffer{};
        const int size =
            std::snprintf(buffer.data(), buffer.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                          kDays.at(static_cast<std::size_t>(parts.tm_wday)), parts.tm_mday,
                          kMonths.at(static_cast<std::size_t>(parts.tm_mon)), parts.tm_year + 1900,
                          parts.tm_hour, parts.tm_min, parts.tm_sec);
        text.assign(buffer.data(), static_cast<std::size_t>(size));
        shown = now;
    }
    return text;
}

bool is_our_field(std::string_view name) {
    constexpr auto kOurs = std::to_array<std::string_view>(
        {"content-length", "transfer-encoding", "connection", "date", "keep-alive"});
    return std::ranges::any_of(kOurs,
                               [&](std::string_view ours) { return is_same_name(ours, name); });
}

bool is_unclean(char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f';
}

void append_clean(std::string& out, std::string_view text) {
    const std::size_t begin = out.size();
    out += text;
    std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), is_unclean, ' ');
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
    append_clean(out, name);
    out += ": ";
    append_clean(out, value);
    out += "\r\n";
}

}  // namespace

// Room for a head that is not unusually long.
constexpr std::size_t kHeadBytes = 512;

bool has_no_body(int status) noexcept {
    return status < 200 || status == 204 || status == 304;
}

std::string print_head(const Response& response, const AnswerTraits& traits, BodyKind kind) {
    std::string out;
    out.reserve(kHeadBytes);
    out += "HTTP/1.1 " + std::to_string(response.status) + " ";
    append_clean(out, response.reason.empty() ? standard_reason(response.status)
                                              : std::string_view(response.reason));
    out += "\r\n";
    append_field(out, "Date", date_now());
    if (!traits.keeps_alive) {
        append_field(out, "Connection", "close");
    } else if (traits.is_http_1_0) {
        append_field(out, "Connection", "keep-alive");
    }
    if (!has_no_body(response.status)) {
        if (kind == BodyKind::kWhole) {
            append_field(out, "Content-Length", std::to_string(response.body.size()));
        } else if (!traits.is_http_1_0) {
            append_field(out, "Transfer-Encoding", "chunked");
        }
    }
    for (const Header& field : response.headers) {
        if (!is_our_field(field.name)) {
            append_field(out, field.name, field.value);
        }
    }
    out += "\r\n";
    return out;
}

std::string print_request(const ClientRequest& request) {
    std::string out;
    out.reserve(kHeadBytes + request.body.size());
    append_clean(out, request.method);
    out += ' ';
    append_clean(out, request.url.path.empty() ? "/" : std::string_view(request.url.path));
    out += " HTTP/1.1\r\n";
    append_field(out, "Host", authority_of(request.url));
    if (request.headers.find("user-agent") == nullptr) {
        append_field(out, "User-Agent", "arbiter/" ARBITER_VERSION);
    }
    append_field(out, "Accept-Encoding", "identity");
    const bool may_have_body = request.method != "GET" && request.method != "HEAD";
    if (may_have_body || !request.body.empty()) {
        append_field(out, "Content-Length", std::to_string(request.body.size()));
    }
    for (const Header& field : request.headers) {
        if (!is_our_field(field.name) && !is_same_name(field.name, "host") &&
            !is_same_name(field.name, "accept-encoding")) {
            append_field(out, field.name, field.value);
        }
    }
    out += "\r\n";
    out += request.body;
    return out;
}

}  // namespace arbiter::net::internal
