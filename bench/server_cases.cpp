// Durable turns over HTTP: `arbiter serve` with campaigns on disk, and its clients on the same
// machine.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <optional>
#include <span>
#include <thread>

#include "base/check.h"
#include "bench/cases.h"
#include "bench/proxies.h"
#include "bench/served_campaigns.h"
#include "bench/sockets.h"
#include "bench/turn_load.h"
#include "campaign/clock.h"
#include "campaign/session.h"
#include "value/json.h"

namespace arbiter::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kReply =
    "风从门缝里挤进来，灯焰晃了晃。她把外套裹紧了些，数了数剩下的铜钱。"
    "<UpdateVariable>_.add('铜钱', 1);//捡到一枚</UpdateVariable>";

// A server that plays with a script, and its campaigns on disk.
class Serving {
  public:
    explicit Serving(std::size_t campaigns) {
        const std::string store = store_in(folder_);
        create_campaigns(*ledger::open_store(store).value(), campaigns);
        start(store);
    }
    explicit Serving(const std::string& store) { start(store); }
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] double resident_bytes() const { return process_->resident_bytes(); }

    static std::string store_in(const Folder& folder) {
        return "sqlite:" + (folder.path() / "x.db").string();
    }

  private:
    void start(const std::string& store) {
        const std::string script = (folder_.path() / "script.yaml").string();
        std::ofstream(script) << value::print_json(
            value::Value(value::Object{{"default", value::Object{{"say", kReply}}}}));
        process_.emplace(std::vector<std::string>{arbiter_program(), "serve", "--listen",
                                                  "127.0.0.1:" + std::to_string(port_), "--store",
                                                  store, "--script", script, "--log", "json"});
        process_->wait_for(port_);
    }

    Folder folder_;
    std::uint16_t port_ = free_port();
    std::optional<Process> process_;
};

std::vector<double> times_of(std::span<const AnsweredTurn> turns) {
    std::vector<double> ns;
    for (const AnsweredTurn& each : turns) {
        ns.push_back(each.took);
    }
    return ns;
}

double percentile_us(std::span<const AnsweredTurn> turns, double share) {
    std::vector<double> ns = times_of(turns);
    if (ns.empty()) {
        return 0;
    }
    std::ranges::sort(ns);
    return ns[static_cast<std::size_t>(share * static_cast<double>(ns.size() - 1))] / 1e3;
}

TurnResult checked(TurnResult result) {
    if (result.failed > 0) {
        std::fprintf(stderr, "arbiter-bench: %zu turns failed: %s\n", result.failed,
                     result.problem.c_str());
    }
    CHECK(result.failed == 0);
    return result;
}

// Opens all campaigns.
void warm_up(TurnLoad& load, std::size_t campaigns) {
    const double rate = std::min(static_cast<double>(campaigns), 500.0);
    checked(load.run({.campaigns = campaigns,
                      .seconds = 1 + static_cast<double>(campaigns) / rate,
                      .rate = rate}));
}

// `count` campaigns with one turn a second each.
Answer measure_load(const Request& request) {
    const Serving serving(request.count);
    TurnLoad load(serving.port());
    warm_up(load, request.count);
    const TurnResult result = checked(load.run(
        {.campaigns = request.count, .seconds = 10, .rate = static_cast<double>(request.count)}));
    Answer answer;
    answer.samples.ns = times_of(result.committed);
    answer.counters = {{"p50_us", percentile_us(result.committed, 0.5)},
                       {"p99_us", percentile_us(result.committed, 0.99)},
                       {"committed", static_cast<double>(result.committed.size())},
                       {"refused", static_cast<double>(result.refused.size())}};
    return answer;
}

// Turns that were committed in a second, while requests were sent.
double rate_of(const TurnResult& result) {
    const auto in_time = std::ranges::count_if(
        result.committed, [&](const AnsweredTurn& each) { return each.at <= result.sent_until; });
    return static_cast<double>(in_time) * 1e9 / (result.sent_until - result.began);
}

// As many turns as the server takes, then three times as many, then a third.
Answer measure_overload(const Request& request) {
    constexpr double kSeconds = 5;
    const Serving serving(request.count);
    TurnLoad load(serving.port());
    warm_up(load, request.count);
    const TurnResult peak =
        checked(load.run({.campaigns = request.count, .seconds = kSeconds, .at_once = 256}));
    const double capacity = rate_of(peak);
    const double before = serving.resident_bytes();
    double most = before;
    const TurnResult over =
        checked(load.run({.campaigns = request.count, .seconds = kSeconds, .rate = 3 * capacity},
                         [&] { most = std::max(most, serving.resident_bytes()); }));
    const TurnResult after =
        checked(load.run({.campaigns = request.count, .seconds = kSeconds, .rate = capacity / 3}));
    // Until the last turn of the overload was answered, and the last one behind it refused.
    double recovered = over.ended;
    for (const AnsweredTurn& each : after.refused) {
        recovered = std::max(recovered, each.at);
    }
    Answer answer;
    answer.samples.ns = times_of(over.refused);
    if (answer.samples.ns.empty()) {
        answer.samples.ns.push_back(0);
    }
    const auto of = [](const std::vector<AnsweredTurn>& turns) {
        return static_cast<double>(turns.size());
    };
    answer.counters = {{"capacity", capacity},
                       {"peak_p99_us", percentile_us(peak.committed, 0.99)},
                       {"offered", (of(over.committed) + of(over.refused)) / kSeconds},
                       {"goodput", rate_of(over)},
                       {"refused", of(over.refused)},
                       {"unsent", static_cast<double>(over.unsent)},
                       {"refused_p50_us", percentile_us(over.refused, 0.5)},
                       {"refused_p99_us", percentile_us(over.refused, 0.99)},
                       {"committed_p50_us", percentile_us(over.committed, 0.5)},
                       {"committed_p99_us", percentile_us(over.committed, 0.99)},
                       {"recovery_ms", (recovered - over.sent_until) / 1e6},
                       {"refused_after", of(after.refused)},
                       {"p99_after_us", percentile_us(after.committed, 0.99)},
                       {"grown_bytes", most - before}};
    return answer;
}

// The time of one request on a connection of its own; nothing: the server does not answer yet.
std::optional<double> time_of_get(std::uint16_t port, const std::string& path) {
    const double began = now_ns();
    const int socket = connect_to(port);
    if (socket < 0) {
        return std::nullopt;
    }
    std::string answer;
    if (send_all(socket,
                 "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
        std::array<char, 1 << 16> bytes;
        pollfd waits{socket, POLLIN, 0};
        while (poll(&waits, 1, 10'000) > 0) {
            const ssize_t got = recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
            if (got == 0 || (got < 0 && errno != EAGAIN)) {
                break;
            }
            answer.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        }
    }
    const double took = now_ns() - began;
    close(socket);
    if (answer.empty()) {
        return std::nullopt;
    }
    CHECK(answer.starts_with("HTTP/1.1 200"));
    return took;
}

constexpr std::size_t kStarts = 5;

// From the start of the program to its first answer, with `count` campaigns on disk.
Answer measure_start(const Request& request) {
    const Folder folder;
    const std::string store = Serving::store_in(folder);
    create_campaigns(*ledger::open_store(store).value(), request.count);
    Answer answer;
    for (std::size_t i = 0; i < kStarts; ++i) {
        const std::uint16_t port = free_port();
        const double began = now_ns();
        const Process server(command_of(Proxy::kArbiter, port, free_port(), store, folder));
        const std::string path = "/api/v1/campaigns/" + name_of(i * request.count / kStarts);
        while (!time_of_get(port, path)) {
            CHECK(now_ns() - began < 60e9);
            std::this_thread::sleep_for(1ms);
        }
        answer.samples.ns.push_back(now_ns() - began);
    }
    return answer;
}

// The first answer about a campaign of `count` turns, which is opened for it.
Answer measure_opening(const Request& request) {
    const Folder folder;
    const std::string url = Serving::store_in(folder);
    {
        const auto store = ledger::open_store(url).value();
        create_campaigns(*store, 1);
        const auto session =
            campaign::Session::open(*store, name_of(0), {config::Protocols()}).value();
        for (std::size_t i = 0; i < request.count; ++i) {
            turn::SuppliedReply reply;
            reply.said = "继续";
            reply.text = kReply;
            reply.now = campaign::clock_now();
            CHECK(session->apply(std::move(reply)));
        }
    }
    Answer answer;
    for (std::size_t i = 0; i < kStarts; ++i) {
        const Serving serving(url);
        answer.samples.ns.push_back(
            time_of_get(serving.port(), "/api/v1/campaigns/" + name_of(0) + "/state").value());
    }
    return answer;
}

std::string check_nothing(const Request&) {
    return "null";
}

constexpr Case kCases[] = {{"server_load", measure_load, check_nothing},
                           {"server_overload", measure_overload, check_nothing},
                           {"server_start", measure_start, check_nothing},
                           {"server_open", measure_opening, check_nothing}};

}  // namespace

std::span<const Case> server_cases() {
    return kCases;
}

}  // namespace arbiter::bench
