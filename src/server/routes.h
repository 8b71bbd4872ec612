// Routes: the table of everything that the API answers. The server finds a route here, the OpenAPI
// document is generated from it, and tests call every row of it.
//
// A route states who may use it (a scope; a route without one would not compile), on which thread
// it runs, which parameters and fields it takes and which schema its answer has. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http.h"
#include "server/call.h"
#include "server/principal.h"

namespace arbiter::net {
class Exchange;
}

namespace arbiter::server {

class Host;

enum class Runs : std::uint8_t {
    kInline,   // on the event loop: it never waits
    kRead,     // on a worker; never waits for a turn
    kWrite,    // in the queue of the campaign, or on a worker if the route has none
    kExchange  // the handler answers the exchange itself
};

enum class RequestBody : std::uint8_t {
    kNone,
    kJson,        // a JSON object; may be absent if the schema requires no field
    kJsonOrForm,  // the same, or multipart/form-data with the same fields and files
    kBytes        // anything
};

struct QueryParameter {
    std::string_view name;
    std::string_view type;  // string, integer (from 1 on) or boolean
    std::string_view about;
    bool is_required = false;
};

using Handler = net::Response (*)(Host& host, const ApiCall& call);
using ExchangeHandler = void (*)(Host& host, ApiCall call, std::shared_ptr<net::Exchange> exchange);
// Whether the handler of a request would not wait now: then it runs on the loop of the connection,
// which saves the way to a worker thread and back.
using QuickTest = bool (*)(Host& host, std::string_view campaign, const net::Request& request);

struct Route {
    std::string_view method;
    std::string_view pattern;  // "/api/v1/campaigns/{id}/state"; {id} is always a campaign
    Scope scope;
    Runs runs;
    std::string_view summary;
    Handler handler = nullptr;                          // of all but kExchange
    ExchangeHandler exchange = nullptr;                 // of kExchange
    QuickTest is_quick = nullptr;                       // of kExchange; nullptr: never
    int status = 200;                                   // of success
    std::string_view answer = {};                       // the schema of the answer; empty: not JSON
    std::string_view answer_type = "application/json";  // empty: no body
    RequestBody body = RequestBody::kNone;
    std::string_view request = {};  // the schema of the body
    std::span<const QueryParameter> query = {};

    [[nodiscard]] bool has_campaign() const noexcept {
        return pattern.find("{id}") != std::string_view::npos;
    }
};

// All routes, in the order of the document.
std::span<const Route> routes();

struct RouteMatch {
    const Route* route = nullptr;
    std::map<std::string, std::string, std::less<>> parameters;  // decoded
};
// HEAD is answered by the routes of GET; the connection leaves the body out. Fails with
// kRouteUnknown, kMethodNotAllowed (with the allowed ones) or kUrlMalformed.
base::Result<RouteMatch> match_route(std::string_view method, std::string_view path);

// Fails with kScopeMissing, or with kCampaignUnknown if the principal must not know of the
// campaign: exactly like a campaign that does not exist.
base::Result<> check_scope(const RouteMatch& match, const Principal& principal);

struct Sender {
    Principal principal;
    std::string request_id;
    engine::Instant now = 0;
    base::Language language = base::Language::kEnglish;  // unless the request names another
};
// Reads and checks the parameters and the body. Fails with kUnknownField, kFieldMissing,
// kFieldType, kBadParameter, kMediaTypeRefused, kHttpMalformed, or the errors of JSON.
base::Result<ApiCall> parse_call(const RouteMatch& match, const net::Request& request,
                                 Sender sender);

// The answer of any route but those of kExchange: scope, call, idempotency key, handler. Blocks:
// for worker threads.
net::Response respond(Host& host, const RouteMatch& match, const net::Request& request,
                      Sender sender);

}  // namespace arbiter::server
