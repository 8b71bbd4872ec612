#include "openai/failure.h"

#include <algorithm>
#include <charconv>

#include "openai/quote.h"
#include "text/ascii.h"
#include "text/case_fold.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::openai {
namespace {

using base::Error;
using base::ErrorCode;
using value::Value;

std::string text_at(const Value* object, std::string_view key) {
    const Value* found = value::find_member(object, key);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}

// A status of HTTP, as a number or as text.
std::optional<int> status_in(const Value* value) {
    int status = 0;
    if (value != nullptr && value->is_int()) {
        status = static_cast<int>(std::clamp<std::int64_t>(value->as_int(), 0, 1000));
    } else if (value != nullptr && value->is_string()) {
        const std::string_view text = value->as_string();
        std::from_chars(text.data(), text.data() + text.size(), status);
    }
    return status >= 400 && status <= 599 ? std::optional(status) : std::nullopt;
}

// The message of FastAPI about a field: {"detail": [{"loc": […], "msg": "…"}]}.
std::string message_of_detail(const Value& detail) {
    if (detail.is_string()) {
        return std::string(detail.as_string());
    }
    if (detail.is_array() && !detail.as_array().empty()) {
        const Value& first = detail.as_array()[0];
        if (std::string message = text_at(&first, "msg"); !message.empty()) {
            return message;
        }
    }
    return value::print_json(detail);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return text.contains(word); });
}

bool is_too_long(std::string_view kind, std::string_view message) {
    return has_any(kind, {"context_length", "context_size", "context_window"}) ||
           has_any(message,
                   {"context length", "context size", "context window", "maximum context",
                    "prompt is too long", "input is too long", "too many tokens", "上下文"});
}

ErrorCode code_of_status(int status) {
    if (status == 401 || status == 403) {
        return ErrorCode::kModelKey;
    }
    if (status == 429) {
        return ErrorCode::kModelRateLimited;
    }
    if (status == 408) {
        return ErrorCode::kModelTimeout;
    }
    return status >= 500 ? ErrorCode::kModelOverloaded : ErrorCode::kModelRefused;
}

ErrorCode code_of_kind(std::string_view kind) {
    if (has_any(kind, {"auth", "api_key", "permission", "unauthorized", "forbidden"})) {
        return ErrorCode::kModelKey;
    }
    if (has_any(kind, {"rate_limit", "ratelimit", "quota", "too_many_requests"})) {
        return ErrorCode::kModelRateLimited;
    }
    if (has_any(kind, {"invalid", "bad_request", "badrequest", "not_found", "notfound",
                       "content_filter", "moderation", "policy"})) {
        return ErrorCode::kModelRefused;
    }
    return ErrorCode::kModelOverloaded;
}

ErrorCode code_of(const ServerError& error, std::optional<int> status) {
    const std::string kind = text::fold_case(error.kind);
    const bool may_be_long = !status || (*status != 401 && *status != 403 && *status != 429);
    if (may_be_long && is_too_long(kind, text::fold_case(error.message))) {
        return ErrorCode::kModelTooLong;
    }
    return status ? code_of_status(*status) : code_of_kind(kind);
}

// The title of a page, or nothing.
std::string title_of(std::string_view page) {
    constexpr std::string_view kBegin = "<title>";
    constexpr std::size_t kSearchedMax = std::size_t{16} << 10;
    page = page.substr(0, kSearchedMax);
    std::string lower(page);
    std::ranges::transform(lower, lower.begin(), text::to_lower);
    const std::size_t begin = lower.find(kBegin);
    if (begin == std::string::npos) {
        return "";
    }
    const std::size_t end = lower.find("</title", begin);
    return end == std::string::npos
               ? ""
               : std::string(page.substr(begin + kBegin.size(), end - begin - kBegin.size()));
}

// "phrase: quotation", or only one of them.
std::string joined(std::string_view first, const std::string& second) {
    if (first.empty() || second.empty()) {
        return std::string(first) + second;
    }
    return std::string(first) + ": " + second;
}

}  // namespace

std::optional<ServerError> find_server_error(const Value& answer) {
    if (answer.is_array() && answer.as_array().size() == 1) {
        return find_server_error(answer.as_array()[0]);  // as Gemini wraps it
    }
    if (!answer.is_object()) {
        return std::nullopt;
    }
    const auto text_of = [](const Value* object) {
        ServerError error{text_at(object, "message")};
        error.kind = text_at(object, "type") + " " + text_at(object, "code");
        const Value* code = value::find_member(object, "code");
        error.status = status_in(code);
        return error;
    };
    const Value* error = answer.as_object().find("error");
    if (error != nullptr && error->is_string()) {
        ServerError found = text_of(&answer);
        found.message = std::string(error->as_string());
        return found;
    }
    if (error != nullptr && error->is_object()) {
        ServerError found = text_of(error);
        if (found.message.empty()) {
            found.message = value::print_json(*error);
        }
        return found;
    }
    if (answer.as_object().contains("choices")) {
        return std::nullopt;
    }
    if (const Value* detail = answer.as_object().find("detail")) {
        return ServerError{message_of_detail(*detail)};
    }
    ServerError found = text_of(&answer);
    return found.message.empty() ? std::nullopt : std::optional(std::move(found));
}

bool is_page(std::string_view body) noexcept {
    const std::size_t at = body.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return at != std::string_view::npos && body[at] == '<';
}

Error error_of_page(std::string_view body, std::string_view secret) {
    return Error(ErrorCode::kModelRefused,
                 {joined("a web page came instead of an answer", quote(title_of(body), secret))});
}

Error error_of_answer(const net::ResponseHead& head, std::string_view body,
                      std::string_view secret) {
    const std::string status = "HTTP " + std::to_string(head.status);
    if (head.status >= 300 && head.status < 400) {
        const std::string* place = head.headers.find("location");
        return Error(ErrorCode::kModelRefused,
                     {joined("the server redirects to another address",
                             quote(place != nullptr ? *place : status, secret))});
    }
    ServerError found;
    if (const auto answer = value::parse_json(text::repair(body))) {
        found = find_server_error(*answer).value_or(ServerError{});
    }
    if (found.message.empty()) {
        found.message = is_page(body) ? title_of(body) : std::string(body);
    }
    if (found.message.find_first_not_of(" \t\r\n") == std::string::npos) {
        found.message = head.reason;
    }
    Error error(code_of(found, head.status), {joined(status, quote(found.message, secret))});
    const bool waits =
        error.code == ErrorCode::kModelRateLimited || error.code == ErrorCode::kModelOverloaded;
    if (const auto seconds = retry_after(head.headers); waits && seconds) {
        error.arguments.push_back(std::to_string(*seconds));
    }
    return error;
}

Error error_of(const ServerError& error, std::string_view secret) {
    return Error(code_of(error, error.status), {quote(error.message, secret)});
}

Error error_of_connection(const Error& error, std::string_view secret) {
    std::string about;
    for (const std::string& each : error.arguments) {
        about += (about.empty() ? "" : ": ") + each;
    }
    about = quote(about, secret);
    switch (error.code) {
        case ErrorCode::kHostUnknown:
            return Error(ErrorCode::kModelUnreachable, {joined("the host was not found", about)});
        case ErrorCode::kConnectFailed:
            return Error(ErrorCode::kModelUnreachable, {joined("the connection failed", about)});
        case ErrorCode::kTlsFailed:
            return Error(ErrorCode::kModelUnreachable, {joined("no secure connection", about)});
        case ErrorCode::kNetTimeout:
            return Error(ErrorCode::kModelTimeout, {about});
        case ErrorCode::kConnectionLost:
            return Error(ErrorCode::kModelCutOff, {joined("the connection was lost", about)});
        case ErrorCode::kHttpMalformed:
            return Error(ErrorCode::kModelBadAnswer, {joined("it is not valid HTTP", about)});
        case ErrorCode::kHttpTooLarge:
            return Error(ErrorCode::kModelBadAnswer, {joined("it is too large", about)});
        default:
            return Error(ErrorCode::kModelUnreachable, {about});
    }
}

std::optional<int> retry_after(const net::Headers& headers) {
    const std::string* text = headers.find("retry-after");
    if (text == nullptr) {
        return std::nullopt;
    }
    int seconds = 0;
    const char* end = text->data() + text->size();
    const auto [read, failed] = std::from_chars(text->data(), end, seconds);
    // Some servers write fractions of a second.
    const bool is_number = failed == std::errc() && (read == end || *read == '.');
    return is_number && seconds >= 0 ? std::optional(seconds) : std::nullopt;
}

}  // namespace arbiter::openai
