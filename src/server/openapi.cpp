#include "server/openapi.h"

#include <string>

#include "server/errors.h"
#include "server/schemas.h"
#include "value/array.h"

namespace arbiter::server {

using value::Array;
using value::Object;
using value::Value;

namespace {

Value text(std::string_view of) {
    return of;
}

Value schema_named(std::string_view name) {
    return Object{{"$ref", text("#/components/schemas/" + std::string(name))}};
}

Value content_of(std::string_view type, const Value& schema) {
    return Object{{std::string_view(type), Object{{"schema", schema}}}};
}

// "get_campaigns_id_state"
std::string operation_id(const Route& route) {
    constexpr std::string_view kPrefix = "/api/v1";
    std::string id;
    for (const char c : route.method) {
        id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    std::string_view path = route.pattern;
    if (path.starts_with(kPrefix)) {
        path.remove_prefix(kPrefix.size());
    }
    for (const char c : path) {
        if (c == '/' || c == '.') {
            id += '_';
        } else if (c != '{' && c != '}') {
            id += c;
        }
    }
    return id;
}

Array parameters_of(const Route& route) {
    Array list;
    for (std::size_t at = route.pattern.find('{'); at != std::string_view::npos;
         at = route.pattern.find('{', at + 1)) {
        const std::size_t end = route.pattern.find('}', at);
        list =
            std::move(list).push_back(Object{{"name", route.pattern.substr(at + 1, end - at - 1)},
                                             {"in", "path"},
                                             {"required", true},
                                             {"schema", Object{{"type", "string"}}}});
    }
    for (const QueryParameter& each : route.query) {
        Object schema = {{"type", each.type}};
        if (each.type == "integer") {
            schema = std::move(schema).set("minimum", 1);
        }
        list = std::move(list).push_back(Object{{"name", each.name},
                                                {"in", "query"},
                                                {"required", each.is_required},
                                                {"description", each.about},
                                                {"schema", std::move(schema)}});
    }
    const auto header = [&](std::string_view name, std::string_view about) {
        list = std::move(list).push_back(Object{{"name", name},
                                                {"in", "header"},
                                                {"required", false},
                                                {"description", about},
                                                {"schema", Object{{"type", "string"}}}});
    };
    if (route.runs == Runs::kWrite) {
        header("Idempotency-Key", "the same request with the same key is carried out once");
        if (route.has_campaign()) {
            header("If-Match", "only if the state has this hash; 412 otherwise");
        }
    }
    return list;
}

Value body_of(const Route& route) {
    const Value schema = schema_named(route.request);
    Object content;
    switch (route.body) {
        case RequestBody::kNone:
            return {};
        case RequestBody::kBytes:
            content = {{"application/x-ndjson", Object{{"schema", Object{{"type", "string"}}}}}};
            break;
        case RequestBody::kJsonOrForm:
            content = {{"application/json", Object{{"schema", schema}}},
                       {"multipart/form-data", Object{{"schema", schema}}}};
            break;
        case RequestBody::kJson:
            content = {{"application/json", Object{{"schema", schema}}}};
            break;
    }
    const Value* described = schemas().find(route.request);
    const Value* required = value::find_member(described, "required");
    return Object{{"required", route.body == RequestBody::kBytes || required != nullptr},
                  {"content", std::move(content)}};
}

Value operation_of(const Route& route) {
    Object success = {{"description", "done"}};
    if (!route.answer_type.empty()) {
        success = std::move(success).set(
            "content",
            content_of(route.answer_type, route.answer.empty() ? Value(Object{{"type", "string"}})
                                                               : schema_named(route.answer)));
    }
    const Object failure = {{"description", "an error"},
                            {"content", content_of("application/json", schema_named("Error"))}};
    Object operation = {{"operationId", text(operation_id(route))},
                        {"summary", route.summary},
                        {"x-scope", name(route.scope)},
                        {"parameters", parameters_of(route)}};
    if (route.body != RequestBody::kNone) {
        operation = std::move(operation).set("requestBody", body_of(route));
    }
    operation = std::move(operation).set(
        "responses", Object{{text(std::to_string(route.status)).as_string(), std::move(success)},
                            {"default", failure}});
    if (route.scope == Scope::kNone) {
        operation = std::move(operation).set("security", Array());
    }
    return operation;
}

net::Response get_document(Host&, const ApiCall&) {
    return public_response(200, openapi_document());
}

constexpr Route kRoutes[] = {
    {.method = "GET",
     .pattern = "/api/v1/openapi.json",
     .scope = Scope::kNone,
     .runs = Runs::kInline,
     .summary = "This document",
     .handler = get_document,
     .answer = "OpenApi"},
};

}  // namespace

const Value& openapi_document() {
    static const Value kDocument = [] {
        Object paths;
        for (const Route& route : routes()) {
            const Value* known = paths.find(route.pattern);
            std::string method;
            for (const char c : route.method) {
                method += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            }
            const Object operations = known != nullptr ? known->as_object() : Object();
            paths = std::move(paths).set(
                route.pattern, operations.set(std::string_view(method), operation_of(route)));
        }
        return Value(Object{
            {"openapi", "3.1.0"},
            {"info",
             Object{{"title", "Arbiter"},
                    {"version", "1"},
                    {"description",
                     "The model proposes; Arbiter decides. Below the scope admin, hidden goals and "
                     "hidden nodes are masked in all answers. x-scope names the scope that a "
                     "token needs."}}},
            {"security", Array{Object{{"token", Array()}}}},
            {"paths", std::move(paths)},
            {"components",
             Object{{"schemas", schemas()},
                    {"securitySchemes",
                     Object{{"token", Object{{"type", "http"}, {"scheme", "bearer"}}}}}}}});
    }();
    return kDocument;
}

std::span<const Route> openapi_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
