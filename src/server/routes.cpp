#include "server/routes.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "ledger/library.h"
#include "server/api_archives.h"
#include "server/api_campaigns.h"
#include "server/api_history.h"
#include "server/api_registry.h"
#include "server/api_rules.h"
#include "server/api_state.h"
#include "server/api_table.h"
#include "server/chat_routes.h"
#include "server/errors.h"
#include "server/event_route.h"
#include "server/host.h"
#include "server/openapi.h"
#include "server/page.h"
#include "server/schema.h"
#include "server/schemas.h"
#include "server/system_routes.h"
#include "server/turn_routes.h"
#include "server/upstream_routes.h"
#include "text/join.h"
#include "text/split.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;
using value::Object;
using value::Value;

std::span<const Route> routes() {
    static const std::vector<Route> kAll = [] {
        std::vector<Route> all;
        for (const auto& part :
             {campaign_routes(), turn_routes(), chat_routes(), event_routes(), state_routes(),
              rules_routes(), history_routes(), table_routes(), archive_routes(), registry_routes(),
              openapi_routes(), upstream_routes(), system_routes(), page_routes()}) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }();
    return kAll;
}

namespace {

using Parameters = std::map<std::string, std::string, std::less<>>;

// The segments of a path; a slash at its end counts.
std::vector<std::string_view> segments_of(std::string_view path) {
    std::vector<std::string_view> segments;
    while (path.starts_with('/')) {
        path.remove_prefix(1);
        const std::size_t end = std::min(path.find('/'), path.size());
        segments.push_back(path.substr(0, end));
        path.remove_prefix(end);
    }
    return segments;
}

bool is_parameter(std::string_view segment) {
    return segment.starts_with('{');
}

// The pattern of a route, taken apart once: every request looks for its route.
struct Pattern {
    const Route* route;
    std::vector<std::string_view> segments;
    std::size_t parameters;  // a route with fewer is meant before one with more

    explicit Pattern(const Route& of)
        : route(&of),
          segments(segments_of(of.pattern)),
          parameters(static_cast<std::size_t>(std::ranges::count_if(segments, is_parameter))) {}

    [[nodiscard]] bool fits(std::span<const std::string_view> path) const {
        return std::ranges::equal(
            segments, path, [](std::string_view wanted, std::string_view found) {
                return is_parameter(wanted) ? !found.empty() : wanted == found;
            });
    }
};

// A number that a path shares with the patterns that may fit it, made of their count of segments
// and of the texts of the first and the last, which may be a parameter. Others may have it too.
std::size_t key_of(std::span<const std::string_view> segments, std::string_view last) {
    const std::hash<std::string_view> hash;
    const std::size_t first = segments.empty() ? 0 : hash(segments.front());
    return (first * 31 + hash(last)) * 31 + segments.size();
}
constexpr std::string_view kAnyLast = "{}";

// Every request looks for its route: only the patterns with its key are read.
std::span<const Pattern> patterns_of(std::size_t key) {
    static const std::unordered_map<std::size_t, std::vector<Pattern>> kByKey = [] {
        std::unordered_map<std::size_t, std::vector<Pattern>> sorted;
        for (const Route& route : routes()) {
            Pattern pattern(route);
            CHECK(!pattern.segments.empty() && !is_parameter(pattern.segments.front()));
            const std::string_view last = pattern.segments.back();
            sorted[key_of(pattern.segments, is_parameter(last) ? kAnyLast : last)].push_back(
                std::move(pattern));
        }
        return sorted;
    }();
    const auto found = kByKey.find(key);
    return found != kByKey.end() ? std::span(found->second) : std::span<const Pattern>();
}

}  // namespace

Result<RouteMatch> match_route(std::string_view method, std::string_view path) {
    const std::vector<std::string_view> segments = segments_of(path);
    const Pattern* found = nullptr;
    std::vector<std::string> allowed;
    const std::string_view written_last = segments.empty() ? std::string_view() : segments.back();
    for (const std::string_view last : {written_last, kAnyLast}) {
        for (const Pattern& pattern : patterns_of(key_of(segments, last))) {
            if (!pattern.fits(segments)) {
                continue;
            }
            const Route& route = *pattern.route;
            const bool has_head = route.method == "GET" && route.runs != Runs::kExchange;
            allowed.emplace_back(route.method);
            if (has_head) {
                allowed.emplace_back("HEAD");
            }
            const bool is_asked = route.method == method || (has_head && method == "HEAD");
            if (is_asked && (found == nullptr || pattern.parameters < found->parameters)) {
                found = &pattern;
            }
        }
    }
    if (found == nullptr) {
        std::ranges::sort(allowed);
        allowed.erase(std::ranges::unique(allowed).begin(), allowed.end());
        return allowed.empty() ? base::fail(ErrorCode::kRouteUnknown, {text::repair(path)})
                               : base::fail(ErrorCode::kMethodNotAllowed,
                                            {text::repair(method), text::join(allowed, ", ")});
    }
    RouteMatch match{found->route, {}};
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::string_view name = found->segments[i];
        if (!is_parameter(name)) {
            continue;
        }
        auto value = net::percent_decode(segments[i]);
        if (!value) {
            return std::unexpected(std::move(value).error());
        }
        match.parameters.emplace(name.substr(1, name.size() - 2), *std::move(value));
    }
    return match;
}

Result<> check_scope(const RouteMatch& match, const Principal& principal) {
    const Route& route = *match.route;
    const auto missing = [&] {
        return base::fail(ErrorCode::kScopeMissing, {std::string(name(route.scope))});
    };
    if (!route.has_campaign()) {
        return principal.may(route.scope) ? Result<>() : missing();
    }
    const std::string& campaign = match.parameters.find("id")->second;
    // The library is stored like a campaign, but is none.
    if (campaign == ledger::kLibraryId && principal.scope != Scope::kNone) {
        return base::fail(ErrorCode::kCampaignUnknown, {campaign});
    }
    if (principal.may(route.scope, campaign)) {
        return {};
    }
    if (principal.scope == Scope::kNone || principal.sees(campaign)) {
        return missing();
    }
    return base::fail(ErrorCode::kCampaignUnknown, {campaign});
}

namespace {

Result<> check_query_value(const QueryParameter& parameter, const std::string& value) {
    const auto wrong = [&](std::string takes) {
        return base::fail(ErrorCode::kBadParameter,
                          {std::string(parameter.name), value, std::move(takes)});
    };
    if (parameter.type == "integer") {
        std::size_t number = 0;
        const auto [end, error] =
            std::from_chars(value.data(), value.data() + value.size(), number);
        const bool fits = error == std::errc() && end == value.data() + value.size() && number > 0;
        return fits ? Result<>() : wrong("1, 2, 3 …");
    }
    if (parameter.type == "boolean" && value != "true" && value != "false") {
        return wrong("true, false");
    }
    return {};
}

Result<Parameters> read_query(const Route& route, std::string_view query) {
    auto written = net::parse_query(query);
    if (!written) {
        return std::unexpected(std::move(written).error());
    }
    Parameters read;
    for (auto& [key, value] : *written) {
        const auto known = std::ranges::find(route.query, key, &QueryParameter::name);
        if (known == route.query.end()) {
            const std::string names = text::join(route.query, ", ", &QueryParameter::name);
            return base::fail(ErrorCode::kUnknownField, {key, names.empty() ? "-" : names});
        }
        if (auto fits = check_query_value(*known, value); !fits) {
            return std::unexpected(std::move(fits).error());
        }
        read.insert_or_assign(key, std::move(value));
    }
    for (const QueryParameter& each : route.query) {
        if (each.is_required && !read.contains(each.name)) {
            return base::fail(ErrorCode::kFieldMissing, {std::string(each.name)});
        }
    }
    return read;
}

// "application/json" of "Application/JSON; charset=utf-8".
std::string media_type(const net::Headers& headers) {
    const std::string* field = headers.find("content-type");
    std::string type = field != nullptr ? field->substr(0, field->find(';')) : "";
    std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::tolower(c); });
    std::erase_if(type, [](char c) { return c == ' ' || c == '\t'; });
    return type;
}

// Fields of a form are texts; those that are more in JSON are written as JSON.
Result<> read_form(const Route& route, const net::Request& request, ApiCall& call) {
    auto parts = parse_multipart(*request.headers.find("content-type"), request.body);
    if (!parts) {
        return std::unexpected(std::move(parts).error());
    }
    const Value* properties = value::find_member(schemas().find(route.request), "properties");
    for (Part& part : *parts) {
        const Value* schema = value::find_member(properties, part.name);
        const Value* type = value::find_member(schema, "type");
        const bool is_text = type != nullptr && *type == Value("string");
        // Some clients do not name their files.
        if (!part.file.empty() || !text::is_valid(part.bytes)) {
            call.files.push_back(std::move(part));
            continue;
        }
        auto parsed = is_text ? Result<Value>(Value(std::string_view(part.bytes)))
                              : value::parse_json(part.bytes);
        call.body = std::move(call.body).set(
            std::string_view(part.name),
            parsed ? *std::move(parsed) : Value(std::string_view(part.bytes)));
    }
    return {};
}

Result<> read_body(const Route& route, const net::Request& request, ApiCall& call) {
    const std::string type = media_type(request.headers);
    switch (route.body) {
        case RequestBody::kNone:
            // An empty object is what many clients send with every POST.
            if (request.body.find_first_not_of(" \t\r\n{}") != std::string::npos) {
                return base::fail(ErrorCode::kUnknownField, {"body", "-"});
            }
            return {};
        case RequestBody::kBytes:
            call.bytes = request.body;
            return {};
        case RequestBody::kJsonOrForm:
            if (type == "multipart/form-data") {
                return read_form(route, request, call);
            }
            break;
        case RequestBody::kJson:
            break;
    }
    if (request.body.empty()) {
        return {};
    }
    const bool is_json =
        type == "application/json" || (type.starts_with("application/") && type.ends_with("+json"));
    if (!is_json) {
        const bool takes_form = route.body == RequestBody::kJsonOrForm;
        return base::fail(
            ErrorCode::kMediaTypeRefused,
            {type.empty() ? "-" : text::repair(type),
             takes_form ? "application/json, multipart/form-data" : "application/json"});
    }
    auto parsed = value::parse_json(request.body);
    if (!parsed) {
        return std::unexpected(std::move(parsed).error());
    }
    if (!parsed->is_object()) {
        return base::fail(ErrorCode::kFieldType, {"$", "object"});
    }
    call.body = parsed->as_object();
    return {};
}

}  // namespace

Result<ApiCall> parse_call(const RouteMatch& match, const net::Request& request, Sender sender) {
    const Route& route = *match.route;
    ApiCall call;
    call.parameters = match.parameters;
    call.headers = request.headers;
    call.principal = std::move(sender.principal);
    call.request_id = std::move(sender.request_id);
    call.now = sender.now;
    call.language = accepted_language(request.headers).value_or(sender.language);
    auto query = read_query(route, request.query);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    call.query = *std::move(query);
    if (auto read = read_body(route, request, call); !read) {
        return std::unexpected(std::move(read).error());
    }
    if (!route.request.empty()) {
        if (auto fits = check_named(Value(call.body), route.request); !fits) {
            return std::unexpected(std::move(fits).error());
        }
    }
    return call;
}

namespace {

ledger::Digest digest_of(const ApiCall& call) {
    ledger::Sha256 digest;
    digest.update(value::print_json(Value(call.body), value::JsonStyle::kCanonical));
    digest.update(call.bytes);
    for (const Part& part : call.files) {
        digest.update(part.name + "\n" + std::to_string(part.bytes.size()) + "\n");
        digest.update(part.bytes);
    }
    return digest.finish();
}

}  // namespace

net::Response respond(Host& host, const RouteMatch& match, const net::Request& request,
                      Sender sender) {
    if (auto allowed = check_scope(match, sender.principal); !allowed) {
        return error_response(allowed.error());
    }
    const Route& route = *match.route;
    const auto call = parse_call(match, request, std::move(sender));
    if (!call) {
        return error_response(call.error());
    }
    const auto key = call->idempotency_key();
    if (route.runs != Runs::kWrite || !key) {
        return route.handler(host, *call);
    }
    if (!campaign::is_request_key(*key)) {
        return error_response(
            base::Error(ErrorCode::kBadTurnKey,
                        {std::to_string(key->size()), std::to_string(base::kTurnKeyBytesMax)}));
    }
    const std::string place = call->principal.token + "\n" + std::string(route.method) + " " +
                              text::repair(request.path) + "\n" + *key;
    const ledger::Digest digest = digest_of(*call);
    auto kept = host.kept_answers().find(place, digest);
    if (!kept) {
        return error_response(kept.error());
    }
    if (*kept) {
        (*kept)->headers.set("Idempotent-Replayed", "true");
        return **std::move(kept);
    }
    net::Response response = route.handler(host, *call);
    if (response.status < 300) {
        host.kept_answers().put(place, digest, response);
    }
    return response;
}

}  // namespace arbiter::server
