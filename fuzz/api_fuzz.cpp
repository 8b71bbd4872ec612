// Any request to any route: it is refused with an error of the documented shape, or its call holds
// nothing that the route does not know. A form that is written from any parts reads as these parts.
//
// Input: a byte that picks a route, then the parts of the request, separated by zero bytes: the
// parameter of the path, the query, the content type, the body.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "server/errors.h"
#include "server/multipart.h"
#include "server/routes.h"
#include "server/schema.h"
#include "value/json.h"

using namespace arbiter;

namespace {

std::string next_part(std::string_view& data) {
    const std::size_t end = std::min(data.find('\0'), data.size());
    const std::string part(data.substr(0, end));
    data.remove_prefix(std::min(end + 1, data.size()));
    return part;
}

void send(const server::Route& route, std::string_view data) {
    net::Request request;
    request.method = route.method;
    request.path = route.pattern;
    const std::string parameter = next_part(data);
    for (std::size_t at = request.path.find('{'); at != std::string::npos;
         at = request.path.find('{', at + parameter.size())) {
        request.path.replace(at, request.path.find('}', at) - at + 1, parameter);
    }
    request.query = next_part(data);
    request.headers.set("content-type", next_part(data));
    request.body = data;
    const auto match = server::match_route(request.method, request.path);
    const auto call = match ? server::parse_call(*match, request, {{server::Scope::kAdmin}, "r", 1})
                            : std::unexpected(match.error());
    if (!call) {
        const net::Response response = server::error_response(call.error());
        CHECK(response.status >= 400 && response.status < 500);
        CHECK(server::check_named(value::parse_json(response.body).value(), "Error"));
        return;
    }
    CHECK(!server::check_scope(*match, {}) || match->route->scope == server::Scope::kNone);
    for (const auto& [name, value] : call->query) {
        CHECK(std::ranges::find(match->route->query, name, &server::QueryParameter::name) !=
              match->route->query.end());
    }
    if (!match->route->request.empty()) {
        CHECK(server::check_named(value::Value(call->body), match->route->request));
    }
}

// Forms that are made of the data, and any data as a form.
void read_forms(std::string_view data) {
    const std::string type = "multipart/form-data; boundary=\"x y\"";
    const std::string separator = "\r\n--x y";
    const auto any = server::parse_multipart(type, data);
    std::vector<server::Part> parts = any.value_or(std::vector<server::Part>());
    while (!data.empty() && parts.size() < 8) {
        server::Part part{next_part(data), next_part(data), next_part(data)};
        const auto is_odd = [](char c) {
            return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ||
                   static_cast<unsigned char>(c) > 0x7E;
        };
        std::erase_if(part.name, is_odd);
        std::erase_if(part.file, is_odd);
        if (!part.name.empty()) {
            parts.push_back(std::move(part));
        }
    }
    std::string form = "--x y";
    for (const server::Part& part : parts) {
        if (("\r\n" + part.bytes).find(separator) != std::string::npos ||
            part.name.find_first_of("\"\\\r\n") != std::string::npos ||
            part.file.find_first_of("\"\\\r\n") != std::string::npos) {
            return;
        }
        form += "\r\nContent-Disposition: form-data; name=\"" + part.name + "\"" +
                (part.file.empty() ? "" : "; filename=\"" + part.file + "\"") +
                "\r\nX-Other: 1\r\n\r\n" + part.bytes + separator;
    }
    const auto read = server::parse_multipart(type, form + "--\r\n");
    const std::size_t headers = server::kPartHeaderBytesMax / 2;
    const bool fits = parts.size() <= server::kPartsMax &&
                      std::ranges::all_of(parts, [&](const server::Part& each) {
                          return each.name.size() + each.file.size() < headers;
                      });
    if (!fits) {
        return;
    }
    CHECK(read && read->size() == parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        CHECK((*read)[i].name == parts[i].name && (*read)[i].file == parts[i].file &&
              (*read)[i].bytes == parts[i].bytes);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view data(reinterpret_cast<const char*>(bytes), size);
    if (!data.empty()) {
        const auto all = server::routes();
        send(all[bytes[0] % all.size()], data.substr(1));
    }
    read_forms(data);
    return 0;
}
