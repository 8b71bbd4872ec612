#include "server/upstream_routes.h"

#include "openai/endpoint.h"
#include "openai/models.h"
#include "server/errors.h"
#include "server/host.h"

namespace arbiter::server {

using base::Result;
using value::Object;
using value::Value;

namespace {

Object shown(const std::optional<openai::Upstream>& upstream, bool has_model) {
    Object object = {{"connected", has_model}};
    if (!upstream) {
        return object;
    }
    return std::move(object)
        .set("url", std::string_view(upstream->address))
        .set("model", std::string_view(upstream->model))
        .set("has_key", !upstream->key.empty())
        .set("tools", upstream->takes_tools)
        .set("stream", upstream->is_streamed);
}

net::Response get_upstream(Host& host, const ApiCall&) {
    return public_response(200, shown(host.upstream(), host.model("") != nullptr));
}

// The upstream that a request describes. A key is a secret: it is kept as one from here on. A
// variable is read only for the server that the operator gave it to: a request must not send
// others, or the same one elsewhere.
Result<openai::Upstream> upstream_of(const Host& host, const ApiCall& call) {
    auto upstream = openai::make_upstream(call.text("url"));
    if (!upstream) {
        return upstream;
    }
    upstream->model = call.text("model");
    if (call.has("key")) {
        auto key = openai::parse_key(call.text("key"));
        if (!key) {
            return std::unexpected(std::move(key).error());
        }
        upstream->key = *std::move(key);
    } else if (call.has("api_key_env")) {
        const auto present = host.upstream();
        const std::string wanted = call.text("api_key_env");
        const bool is_present = present && present->key_env == wanted;
        if (!is_present || present->address != upstream->address) {
            return base::fail(
                base::ErrorCode::kBadParameter,
                {"api_key_env", wanted,
                 is_present ? present->key_env + " (" + present->address + ")" : "--api-key-env"});
        }
        upstream->key_env = present->key_env;
        upstream->key = present->key;
    }
    return upstream;
}

net::Response post_check(Host& host, const ApiCall& call) {
    const auto upstream = upstream_of(host, call);
    if (!upstream) {
        return error_response(upstream.error());
    }
    return public_response(200, openai::to_value(openai::probe(host.loops(), *upstream)));
}

net::Response put_upstream(Host& host, const ApiCall& call) {
    const auto upstream = upstream_of(host, call);
    if (!upstream) {
        return error_response(upstream.error());
    }
    const openai::ProbeReport report = openai::probe(host.loops(), *upstream);
    Object answer = openai::to_value(report);
    if (report.is_usable()) {
        if (const auto connected = host.connect(report.upstream); !connected) {
            return error_response(connected.error());
        }
    }
    return public_response(200, std::move(answer).set("connected", report.is_usable()));
}

constexpr Route kRoutes[] = {
    {.method = "GET",
     .pattern = "/api/v1/upstream",
     .scope = Scope::kAdmin,
     .runs = Runs::kRead,
     .summary = "The model server that plays. Its key is never shown.",
     .handler = get_upstream,
     .answer = "Upstream"},
    {.method = "POST",
     .pattern = "/api/v1/upstream/check",
     .scope = Scope::kAdmin,
     .runs = Runs::kRead,
     .summary = "Tests a model server step by step and says what is wrong.",
     .handler = post_check,
     .answer = "UpstreamReport",
     .body = RequestBody::kJson,
     .request = "UpstreamRequest"},
    {.method = "PUT",
     .pattern = "/api/v1/upstream",
     .scope = Scope::kAdmin,
     .runs = Runs::kRead,
     .summary = "Tests a model server and, if it works, plays with it from now on. It is kept for "
                "the next start.",
     .handler = put_upstream,
     .answer = "UpstreamReport",
     .body = RequestBody::kJson,
     .request = "UpstreamRequest"},
};

}  // namespace

std::span<const Route> upstream_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
