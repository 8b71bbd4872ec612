// Streamed chats through `arbiter serve`, beside the same chats without anything in between, and
// through a relay, nginx and Node.
#include <algorithm>
#include <memory>
#include <optional>

#include "base/check.h"
#include "bench/cases.h"
#include "bench/proxies.h"
#include "bench/served_campaigns.h"
#include "bench/sockets.h"
#include "bench/stream_load.h"

namespace arbiter::bench {
namespace {

// The streams of a run are those of different campaigns, so many of each are there.
constexpr std::size_t kFirstCampaigns = 200;
constexpr std::size_t kBusyStreams = 32;
constexpr std::size_t kBusyEvents = 1000;
constexpr std::size_t kBulkEvents = 200;
constexpr std::size_t kBulkRequests = 5;
constexpr double kSecond = 1e9;

// A proxy, the generator of its load and everything that they need. Made by the first request for
// it, and kept: it is warm from then on.
struct Setup {
    Folder folder;
    StreamLoad load;
    std::optional<Process> model;  // a model server in a process of its own
    std::optional<Process> proxy;
    std::uint16_t port = 0;

    // Without a proxy: directly.
    Setup(std::optional<Proxy> kind, std::size_t campaigns, bool has_own_model) {
        std::uint16_t upstream = load.upstream_port();
        if (has_own_model) {
            upstream = free_port();
            model.emplace(std::vector<std::string>{this_program(), "--model-server",
                                                   std::to_string(upstream)});
            model->wait_for(upstream);
        }
        port = upstream;
        if (!kind) {
            return;
        }
        std::string store;
        if (*kind == Proxy::kArbiter) {
            store = "sqlite:" + (folder.path() / "streams.db").string();
            create_campaigns(*ledger::open_store(store).value(), campaigns);
        }
        port = free_port();
        proxy.emplace(command_of(*kind, port, upstream, store, folder));
        proxy->wait_for(port);
    }
};

void check(const StreamResult& result) {
    if (result.failed > 0) {
        std::fprintf(stderr, "arbiter-bench: %zu streams failed: %s\n", result.failed,
                     result.problem.c_str());
    }
    CHECK(result.failed == 0);
}

// One request at a time: the time until the first byte of its answer.
Answer measure_first(std::optional<Proxy> kind) {
    static std::unique_ptr<Setup> setup;
    StreamPlan plan;
    plan.streams = kFirstCampaigns;
    plan.running_max = 1;
    plan.is_served_elsewhere = true;
    if (setup == nullptr) {
        setup = std::make_unique<Setup>(kind, kFirstCampaigns, true);
        plan.port = setup->port;
        check(setup->load.run(plan));
    }
    plan.port = setup->port;
    const StreamResult result = setup->load.run(plan);
    check(result);
    return {{result.first_ns}};
}

// The processor time of an event in some busy streams, each of which sends its next event when the
// client has the one before; in bulk, as soon as the socket takes it.
Answer measure_busy(Proxy kind, bool is_bulk) {
    static std::unique_ptr<Setup> setup;
    StreamPlan plan;
    plan.streams = kBusyStreams;
    plan.opening_max = kBusyStreams;
    plan.events = is_bulk ? kBulkEvents : kBusyEvents;
    plan.requests = is_bulk ? kBulkRequests : 1;
    plan.is_bulk = is_bulk;
    if (setup == nullptr) {
        setup = std::make_unique<Setup>(kind, kBusyStreams, false);
        plan.port = setup->port;
        check(setup->load.run(plan));
    }
    plan.port = setup->port;
    const double before = setup->proxy->cpu_ns();
    const StreamResult result = setup->load.run(plan);
    const double used = setup->proxy->cpu_ns() - before;
    check(result);
    return {{{used / static_cast<double>(result.events)}}};
}

// `count` streams at once, each with an event a second. The proxy is started for them and has had
// some streams, so that what any stream brings (code, connections to the store) does not count, but
// all memory that more of them need does.
Answer measure_held(Proxy kind, const Request& request) {
    Setup setup(kind, request.count, false);
    StreamPlan plan;
    plan.port = setup.port;
    plan.streams = kBusyStreams;
    plan.events = kBusyEvents;
    check(setup.load.run(plan));
    plan.streams = request.count;
    plan.events = 1;
    plan.interval_ns = kSecond;
    plan.hold_ns = 10 * kSecond;
    const double before = setup.proxy->resident_bytes();
    double held = 0;
    plan.on_held = [&] { held = setup.proxy->resident_bytes(); };
    const StreamResult result = setup.load.run(plan);
    const auto streams = static_cast<double>(request.count);
    if (result.failed > 0) {
        std::fprintf(stderr, "arbiter-bench: %zu streams failed: %s\n", result.failed,
                     result.problem.c_str());
    }
    Answer answer{{result.event_ns}};
    if (answer.samples.ns.empty()) {
        answer.samples.ns.push_back(0);
    }
    answer.counters = {{"streams", streams},
                       {"failed", static_cast<double>(result.failed)},
                       {"bytes_per_stream", (held - before) / streams},
                       {"events", static_cast<double>(result.events)}};
    return answer;
}

std::string check_nothing(const Request&) {
    return "null";
}

constexpr Case kCases[] = {
    {"stream_first_direct", [](const Request&) { return measure_first(std::nullopt); },
     check_nothing},
    {"stream_first", [](const Request&) { return measure_first(Proxy::kArbiter); }, check_nothing},
    {"stream_first_relay", [](const Request&) { return measure_first(Proxy::kRelay); },
     check_nothing},
    {"stream_first_nginx", [](const Request&) { return measure_first(Proxy::kNginx); },
     check_nothing},
    {"stream_first_node", [](const Request&) { return measure_first(Proxy::kNode); },
     check_nothing},
    {"stream_busy", [](const Request&) { return measure_busy(Proxy::kArbiter, false); },
     check_nothing},
    {"stream_busy_relay", [](const Request&) { return measure_busy(Proxy::kRelay, false); },
     check_nothing},
    {"stream_busy_nginx", [](const Request&) { return measure_busy(Proxy::kNginx, false); },
     check_nothing},
    {"stream_busy_node", [](const Request&) { return measure_busy(Proxy::kNode, false); },
     check_nothing},
    {"stream_bulk", [](const Request&) { return measure_busy(Proxy::kArbiter, true); },
     check_nothing},
    {"stream_bulk_relay", [](const Request&) { return measure_busy(Proxy::kRelay, true); },
     check_nothing},
    {"stream_bulk_nginx", [](const Request&) { return measure_busy(Proxy::kNginx, true); },
     check_nothing},
    {"stream_bulk_node", [](const Request&) { return measure_busy(Proxy::kNode, true); },
     check_nothing},
    {"stream_held", [](const Request& request) { return measure_held(Proxy::kArbiter, request); },
     check_nothing},
    {"stream_held_relay",
     [](const Request& request) { return measure_held(Proxy::kRelay, request); }, check_nothing},
    {"stream_held_nginx",
     [](const Request& request) { return measure_held(Proxy::kNginx, request); }, check_nothing},
};

}  // namespace

std::span<const Case> stream_cases() {
    return kCases;
}

}  // namespace arbiter::bench
