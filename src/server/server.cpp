#include "server/server.h"

#include <random>

#include "server/chat_answer.h"
#include "server/errors.h"

namespace arbiter::server {

using base::ErrorCode;

namespace {

std::string random_prefix() {
    std::random_device source;
    std::string prefix;
    for (int i = 0; i < 8; ++i) {
        prefix += "0123456789abcdef"[source() % 16];
    }
    return prefix;
}

constexpr std::string_view kNoSniff = "X-Content-Type-Options";

// The routes of OpenAI have errors of their own shape, also those that we do not serve.
bool is_chat_path(std::string_view path) {
    return path.starts_with("/v1/") || path.ends_with("/completions") || path.ends_with("/models");
}

net::Response refusal_of(std::string_view path, const base::Error& error) {
    return is_chat_path(path) ? chat_error_response(error) : error_response(error);
}

// Refusals of overload are one line in so much time.
constexpr std::chrono::milliseconds kReportTime{1000};

}  // namespace

// A request on its way. Handlers hold it through the pointer to its exchange; it is over when the
// last of them is released.
struct Server::Answering {
    ServerParts parts;  // the server may be destroyed before its last request
    std::shared_ptr<net::Exchange> exchange;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    RouteMatch match = {};
    Sender sender = {};
    std::string client = {};
    std::optional<RateLimits::Stream> stream = {};
    std::string code = {};  // of the error
    bool is_stream = false;

    Answering(const ServerParts& of, std::shared_ptr<net::Exchange> with)
        : parts(of), exchange(std::move(with)) {}
    Answering(const Answering&) = delete;
    Answering& operator=(const Answering&) = delete;
    ~Answering() {
        const auto took = std::chrono::steady_clock::now() - began;
        const net::Request& request = exchange->request();
        const std::string_view route =
            match.route != nullptr ? match.route->pattern : std::string_view();
        parts.host.metrics().request(route, request.method, exchange->status(), took);
        const auto campaign = match.parameters.find("id");
        parts.log.request(
            {.id = sender.request_id,
             .peer = client,
             .method = request.method,
             .route = route,
             .campaign = campaign != match.parameters.end() ? std::string_view(campaign->second)
                                                            : std::string_view(),
             .token = sender.principal.token,
             .status = exchange->status(),
             .code = exchange->status() == 0 && code.empty() ? "gone" : std::string_view(code),
             .took = took,
             .bytes_in = exchange->body_bytes(),
             .bytes_out = exchange->bytes()});
        if (is_stream) {
            parts.host.metrics().streams.add(-1);
        }
    }

    void refuse(const base::Error& error) {
        code = base::name(error.code);
        parts.host.metrics().refused.at({code}).add();
        exchange->respond(refusal_of(exchange->request().path, error));
    }
};

Server::Server(ServerParts parts)
    : parts_(parts),
      id_prefix_(random_prefix()),
      overloaded_(error_response(base::Error(ErrorCode::kOverloaded))),
      overloaded_chat_(chat_error_response(base::Error(ErrorCode::kOverloaded))) {}

base::Result<std::unique_ptr<Server>> Server::listen(ServerParts parts, const net::Address& address,
                                                     net::ServerOptions options) {
    std::unique_ptr<Server> server(new Server(parts));
    // A stranger is refused before the body is read, and everybody while there is too much to do.
    options.on_head = [at = server.get()](const net::Request& head, std::string_view peer,
                                          bool is_whole) -> std::optional<net::Response> {
        if (auto response = at->refuse_when_overloaded(head)) {
            return response;
        }
        if (is_whole) {
            return std::nullopt;  // take() looks at once
        }
        const auto admitted = at->parts_.access.admit(head, peer, net::is_loopback(peer));
        return admitted ? std::nullopt
                        : std::optional<net::Response>(refusal_of(head.path, admitted.error()));
    };
    options.refusal = [at = server.get()](int status, const base::Error& error) {
        at->parts_.host.metrics().refused.at({base::name(error.code)}).add();
        net::Response response = error_response(error);
        response.status = status;
        return response;
    };
    // Requests may come before listen() returns.
    parts.host.metrics().on_print = [at = server.get()] {
        Metrics& metrics = at->parts_.host.metrics();
        const net::Server* http = at->listening_.load();
        const net::Server::Counts counts = http != nullptr ? http->counts() : net::Server::Counts();
        metrics.connections.set(static_cast<std::int64_t>(counts.connections));
        metrics.bytes_in.set(counts.bytes_in);
        metrics.bytes_out.set(counts.bytes_out);
        metrics.sessions.set(static_cast<std::int64_t>(at->parts_.host.open_sessions()));
        metrics.viewers.set(static_cast<std::int64_t>(at->parts_.host.events().viewers()));
        metrics.queued.set(static_cast<std::int64_t>(at->parts_.host.workers().waiting()));
    };
    auto http = net::Server::listen(parts.loops, address, std::move(options),
                                    [at = server.get()](std::shared_ptr<net::Exchange> exchange) {
                                        at->take(std::move(exchange));
                                    });
    if (!http) {
        return std::unexpected(std::move(http).error());
    }
    server->http_ = *std::move(http);
    server->listening_ = server->http_.get();
    return server;
}

Server::~Server() = default;

std::string Server::next_request_id() {
    return id_prefix_ + "-" + std::to_string(++requests_);
}

std::optional<net::Response> Server::refuse_when_overloaded(const net::Request& head) {
    if (!parts_.host.is_overloaded()) {
        return std::nullopt;
    }
    const auto match = match_route(head.method, head.path);
    if (!match || match->route->runs == Runs::kInline) {
        return std::nullopt;
    }
    net::Response response = is_chat_path(head.path) ? overloaded_chat_ : overloaded_;
    response.headers.add("X-Request-Id", next_request_id());
    response.headers.add(std::string(kNoSniff), "nosniff");
    parts_.access.add_cors(head, response.headers);
    Metrics& metrics = parts_.host.metrics();
    metrics.request(match->route->pattern, head.method, response.status, {});
    metrics.refused.at({base::name(ErrorCode::kOverloaded)}).add();
    if (refused_.fetch_add(1) == 0) {
        const std::scoped_lock lock(reporting_);
        report_ = parts_.loops.at(0).after(kReportTime, [this] { report_refused(); });
    }
    return response;
}

void Server::report_refused() {
    if (const std::uint64_t count = refused_.exchange(0); count > 0) {
        parts_.log.event(LogLevel::kWarning, "overloaded",
                         {{"refused", static_cast<std::int64_t>(count)}});
    }
}

void Server::take(std::shared_ptr<net::Exchange> exchange) {
    const auto answering = std::make_shared<Answering>(parts_, std::move(exchange));
    const net::Exchange& asked = *answering->exchange;
    const net::Request& request = asked.request();
    answering->sender.request_id = next_request_id();
    answering->sender.language = parts_.language;
    answering->exchange->add_header("X-Request-Id", answering->sender.request_id);
    answering->exchange->add_header(std::string(kNoSniff), "nosniff");
    net::Headers cors;
    parts_.access.add_cors(request, cors);
    for (const net::Header& each : cors) {
        answering->exchange->add_header(each.name, each.value);
    }
    answering->client = parts_.access.client_of(request, asked.peer());
    if (is_stopping_) {
        answering->exchange->add_header("Connection", "close");
        answering->refuse(base::Error(ErrorCode::kServerStopping));
        return;
    }
    const auto now = RateLimits::Clock::now();
    if (!net::is_loopback(answering->client)) {
        if (auto allowed = parts_.limits.take_of_address(answering->client, now); !allowed) {
            parts_.host.metrics().rate_limited.at({"address"}).add();
            answering->refuse(allowed.error());
            return;
        }
    }
    if (auto response = parts_.access.preflight(request)) {
        answering->exchange->respond(*std::move(response));
        return;
    }
    auto match = match_route(request.method, request.path);
    const bool is_open = match && match->route->scope == Scope::kNone;
    auto admitted = is_open ? base::Result<Principal>(Principal())
                            : parts_.access.admit(request, asked.peer(), asked.peer_is_loopback());
    if (is_open) {
        if (auto fits = parts_.access.admit_public(request, asked.peer()); !fits) {
            answering->refuse(fits.error());
            return;
        }
    }
    if (!admitted) {
        answering->refuse(admitted.error());
        return;
    }
    answering->sender.principal = *std::move(admitted);
    if (!match) {
        answering->refuse(match.error());
        return;
    }
    answering->match = *std::move(match);
    const std::string& token = answering->sender.principal.token;
    if (!token.empty()) {
        if (auto allowed = parts_.limits.take_of_token(token, now); !allowed) {
            parts_.host.metrics().rate_limited.at({"token"}).add();
            answering->refuse(allowed.error());
            return;
        }
    }
    run(answering);
}

void Server::run(const std::shared_ptr<Answering>& answering) {
    const Route& route = *answering->match.route;
    // Holding the exchange holds the whole request.
    const std::shared_ptr<net::Exchange> exchange(answering, answering->exchange.get());
    Host& host = parts_.host;
    const auto respond_now = [&host, at = answering.get(), exchange] {
        at->sender.now = host.now();
        exchange->respond(respond(host, at->match, exchange->request(), at->sender));
    };
    if (route.runs == Runs::kInline) {
        respond_now();
        return;
    }
    if (auto allowed = check_scope(answering->match, answering->sender.principal); !allowed) {
        answering->refuse(allowed.error());
        return;
    }
    switch (route.runs) {
        case Runs::kInline:
            return;
        case Runs::kRead:
            host.workers().admit(respond_now);
            return;
        case Runs::kWrite:
            if (!route.has_campaign()) {
                host.workers().admit(respond_now);
                return;
            }
            host.workers().admit([&host, at = answering.get(), exchange, respond_now] {
                const std::string& campaign = at->match.parameters.find("id")->second;
                if (auto session = host.session(campaign); !session) {
                    at->refuse(session.error());
                    return;
                }
                const bool is_queued = host.enqueue(
                    campaign, [respond_now](const model::Post&, const Host::Done& done) {
                        respond_now();
                        done();
                    });
                if (!is_queued) {
                    at->refuse(base::Error(ErrorCode::kOverloaded));
                }
            });
            return;
        case Runs::kExchange: {
            auto stream = parts_.limits.open_stream(answering->sender.principal.token);
            if (!stream) {
                host.metrics().rate_limited.at({"streams"}).add();
                answering->refuse(stream.error());
                return;
            }
            answering->stream.emplace(*std::move(stream));
            answering->is_stream = true;
            host.metrics().streams.add(1);
            auto handle = [&host, at = answering.get(), exchange] {
                at->sender.now = host.now();
                auto call = parse_call(at->match, exchange->request(), at->sender);
                if (!call) {
                    at->refuse(call.error());
                    return;
                }
                at->match.route->exchange(host, *std::move(call), exchange);
            };
            const auto& parameters = answering->match.parameters;
            const auto campaign = parameters.find("id");
            if (route.is_quick != nullptr && campaign != parameters.end() &&
                route.is_quick(host, campaign->second, exchange->request())) {
                handle();
            } else {
                host.workers().admit(std::move(handle));
            }
            return;
        }
    }
}

void Server::drain(std::chrono::milliseconds deadline) {
    is_stopping_ = true;
    parts_.host.events().close();
    http_->drain(deadline);
    report_refused();
}

}  // namespace arbiter::server
