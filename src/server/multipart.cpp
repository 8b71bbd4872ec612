#include "server/multipart.h"

#include "net/http.h"
#include "text/split.h"
#include "text/utf8.h"

namespace arbiter::server {

using base::ErrorCode;

namespace {

std::unexpected<base::Error> broken(std::string what) {
    return base::fail(ErrorCode::kHttpMalformed, {std::move(what)});
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

base::Result<Part> parse_part(std::string_view text) {
    Part part;
    bool has_name = false;
    std::size_t at = 0;
    while (true) {
        const std::size_t end = text.find("\r\n", at);
        // Also if there is none: npos is larger.
        if (end > kPartHeaderBytesMax) {
            return broken("the headers of a part of the form do not end");
        }
        const std::string_view line = text.substr(at, end - at);
        at = end + 2;
        if (line.empty()) {
            break;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos ||
            !net::is_same_name(trimmed(line.substr(0, colon)), "content-disposition")) {
            continue;
        }
        const std::string_view value = line.substr(colon + 1);
        part.name = text::repair(header_parameter(value, "name"));
        part.file = text::repair(header_parameter(value, "filename"));
        has_name = !part.name.empty();
    }
    if (!has_name) {
        return broken("a part of the form has no name");
    }
    part.bytes = text.substr(at);
    return part;
}

}  // namespace

std::string header_parameter(std::string_view field, std::string_view name) {
    std::size_t at = field.find(';');
    while (at < field.size()) {
        ++at;
        const std::size_t sign = field.find('=', at);
        if (sign == std::string_view::npos) {
            return {};
        }
        const std::string_view key = trimmed(field.substr(at, sign - at));
        std::string value;
        at = sign + 1;
        if (at < field.size() && field[at] == '"') {
            for (++at; at < field.size() && field[at] != '"'; ++at) {
                at += field[at] == '\\' && at + 1 < field.size() ? 1 : 0;
                value += field[at];
            }
            at = field.find(';', at);
        } else {
            const std::size_t end = std::min(field.find(';', at), field.size());
            value = trimmed(field.substr(at, end - at));
            at = end;
        }
        if (net::is_same_name(key, name)) {
            return value;
        }
    }
    return {};
}

base::Result<std::vector<Part>> parse_multipart(std::string_view type, std::string_view body) {
    const std::string boundary = header_parameter(type, "boundary");
    constexpr std::size_t kBoundaryMax = 70;  // of RFC 2046
    if (boundary.empty() || boundary.size() > kBoundaryMax) {
        return broken("the form has no boundary");
    }
    const std::string mark = "--" + boundary;
    const std::string separator = "\r\n" + mark;
    std::vector<Part> parts;
    if (!body.starts_with(mark)) {
        return broken("the form does not begin with its boundary");
    }
    body.remove_prefix(mark.size());
    while (!body.starts_with("--")) {
        if (!body.starts_with("\r\n")) {
            return broken("a boundary of the form is damaged");
        }
        body.remove_prefix(2);
        const std::size_t end = body.find(separator);
        if (end == std::string_view::npos) {
            return broken("the form does not end with its boundary");
        }
        if (parts.size() == kPartsMax) {
            return base::fail(ErrorCode::kHttpTooLarge, {"the form", std::to_string(kPartsMax)});
        }
        auto part = parse_part(body.substr(0, end));
        if (!part) {
            return std::unexpected(std::move(part).error());
        }
        parts.push_back(*std::move(part));
        body.remove_prefix(end + separator.size());
    }
    return parts;
}

}  // namespace arbiter::server
