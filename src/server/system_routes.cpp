#include "server/system_routes.h"

#include "server/errors.h"
#include "server/host.h"
#include "value/object.h"

namespace arbiter::server {

namespace {

net::Response get_health(Host&, const ApiCall&) {
    return public_response(200, value::Object{{"status", std::string_view("ok")},
                                              {"version", std::string_view(ARBITER_VERSION)}});
}

net::Response get_metrics(Host& host, const ApiCall&) {
    net::Response response;
    response.headers.add("Content-Type", std::string(Metrics::kContentType));
    response.body = host.metrics().print();
    return response;
}

constexpr Route kRoutes[] = {
    {.method = "GET",
     .pattern = "/healthz",
     .scope = Scope::kNone,
     .runs = Runs::kInline,
     .summary = "Tells that the server answers.",
     .handler = get_health,
     .answer = "Health"},
    {.method = "GET",
     .pattern = "/metrics",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "Figures of the server in the text format of Prometheus.",
     .handler = get_metrics,
     .answer_type = Metrics::kContentType},
};

}  // namespace

std::span<const Route> system_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
