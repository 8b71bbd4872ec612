// Durable turns over HTTP: a server, its campaigns on disk and its clients in one process, as
// they share one machine.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <optional>
#include <thread>

#include "base/check.h"
#include "bench/cases.h"
#include "bench/proxies.h"
#include "bench/served_campaigns.h"
#include "bench/sockets.h"
#include "campaign/clock.h"
#include "model/scripted.h"
#include "net/client.h"
#include "server/server.h"

namespace arbiter::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kReply =
    "风从门缝里挤进来，灯焰晃了晃。她把外套裹紧了些，数了数剩下的铜钱。"
    "<UpdateVariable>_.add('铜钱', 1);//捡到一枚</UpdateVariable>";

class Serving {
  public:
    explicit Serving(ledger::Store& store)
        : log_(
              {server::LogForm::kJson, server::LogLevel::kError}, [](std::string_view) {}, clock),
          access_(server::Access::make(
                      {net::Address{"127.0.0.1", 0}},
                      [] { return std::make_shared<const server::TokenList>(); }, clock)
                      .value()),
          limits_({}, 1),
          loops_(2),
          host_(store, options(log_)) {
        model::Script script;
        script.otherwise.emplace().say = kReply;
        host_.set_model(model::make_async(std::make_unique<model::Scripted>(std::move(script))));
        server_ =
            server::Server::listen({loops_, host_, access_, limits_, log_}, {"127.0.0.1", 0}, {})
                .value();
    }
    ~Serving() { server_->drain(5s); }
    [[nodiscard]] std::uint16_t port() const { return server_->port(); }

  private:
    static engine::Instant clock() { return campaign::clock_now(); }
    static server::HostOptions options(server::Log& log) {
        server::HostOptions options{campaign::SessionOptions{config::Protocols()}};
        options.log = &log;
        return options;
    }

    server::Log log_;
    server::Access access_;
    server::RateLimits limits_;
    net::Loops loops_;
    server::Host host_;
    std::unique_ptr<server::Server> server_;
};

struct Tally {
    std::mutex lock;
    std::vector<double> ns;  // of committed turns
    std::vector<double> refused_ns;
    std::size_t failed = 0;
    std::size_t open = 0;
};

// Sends one turn; adds its result to the tally.
class Sender {
  public:
    Sender(net::Loop& loop, std::uint16_t port, Tally& tally)
        : loop_(loop),
          client_(loop, {.idle_connections_max = 10'000}),
          port_(port),
          tally_(tally) {}

    // On the loop.
    void send(std::size_t campaign) {
        auto* call = new Pending{};
        net::ClientRequest request;
        request.url = {false, "127.0.0.1", port_,
                       "/api/v1/campaigns/" + name_of(campaign) + "/turns"};
        request.headers.add("Content-Type", "application/json");
        request.body = R"({"said":"继续"})";
        {
            const std::scoped_lock lock(tally_.lock);
            ++tally_.open;
        }
        call->began = now_ns();
        call->call =
            client_.start(std::move(request),
                          {[call](const net::ResponseHead& head) { call->status = head.status; },
                           [](std::string_view) {},
                           [this, call](base::Result<> ended) {
                               finish(*call, ended.has_value());
                               loop_.post([call] { delete call; });
                           }});
    }

  private:
    struct Pending {
        std::unique_ptr<net::Call> call;
        double began = 0;
        int status = 0;
    };
    void finish(const Pending& call, bool is_complete) {
        const double took = now_ns() - call.began;
        const std::scoped_lock lock(tally_.lock);
        --tally_.open;
        if (is_complete && call.status == 200) {
            tally_.ns.push_back(took);
        } else if (is_complete && (call.status == 429 || call.status == 503)) {
            tally_.refused_ns.push_back(took);
        } else {
            ++tally_.failed;
        }
    }

    net::Loop& loop_;
    net::Client client_;
    std::uint16_t port_;
    Tally& tally_;
};

// `rate` turns a second for some time, spread evenly over the campaigns, whatever the answers.
void load(net::Loop& loop, Sender& sender, Tally& tally, std::size_t campaigns, double rate,
          std::chrono::seconds time) {
    const double began = now_ns();
    const auto count = static_cast<std::size_t>(rate * static_cast<double>(time.count()));
    for (std::size_t i = 0; i < count;) {
        const double due = (now_ns() - began) * rate / 1e9;
        for (; i < count && static_cast<double>(i) <= due; ++i) {
            loop.post([&sender, campaign = i % campaigns] { sender.send(campaign); });
        }
        std::this_thread::sleep_for(1ms);
    }
    for (int i = 0; i < 3000; ++i) {
        {
            const std::scoped_lock lock(tally.lock);
            if (tally.open == 0) {
                return;
            }
        }
        std::this_thread::sleep_for(10ms);
    }
}

double percentile(std::vector<double> ns, double share) {
    if (ns.empty()) {
        return 0;
    }
    std::ranges::sort(ns);
    return ns[static_cast<std::size_t>(share * static_cast<double>(ns.size() - 1))];
}

// `count` campaigns with one turn a second each, or as many turns as bytes says.
Answer measure_load(const Request& request) {
    const Folder folder;
    const auto store = ledger::open_store("sqlite:" + (folder.path() / "x.db").string()).value();
    const std::size_t campaigns = request.count;
    const double rate =
        request.bytes > 0 ? static_cast<double>(request.bytes) : static_cast<double>(campaigns);
    create_campaigns(*store, campaigns);
    Serving serving(*store);
    net::Loops clients(1);
    Tally warm;
    Tally tally;
    {
        Sender first(clients.at(0), serving.port(), warm);
        load(clients.at(0), first, warm, campaigns, std::min(rate, 500.0),
             std::chrono::seconds(1 + campaigns / 500));
        Sender sender(clients.at(0), serving.port(), tally);
        load(clients.at(0), sender, tally, campaigns, rate, 10s);
        clients.stop();
    }
    Answer answer;
    answer.samples.ns = tally.ns;
    answer.counters = {{"p50_us", percentile(tally.ns, 0.5) / 1e3},
                       {"p99_us", percentile(tally.ns, 0.99) / 1e3},
                       {"committed", static_cast<double>(tally.ns.size())},
                       {"refused", static_cast<double>(tally.refused_ns.size())},
                       {"failed", static_cast<double>(tally.failed + warm.failed)}};
    return answer;
}

// Three times as many turns as measure_load() has, and then as many again as that has.
Answer measure_overload(const Request& request) {
    const Folder folder;
    const auto store = ledger::open_store("sqlite:" + (folder.path() / "x.db").string()).value();
    const std::size_t campaigns = request.count;
    const auto rate = static_cast<double>(campaigns);
    create_campaigns(*store, campaigns);
    Serving serving(*store);
    net::Loops clients(1);
    Tally warm;
    Tally over;
    Tally after;
    {
        Sender first(clients.at(0), serving.port(), warm);
        load(clients.at(0), first, warm, campaigns, std::min(rate, 500.0),
             std::chrono::seconds(1 + campaigns / 500));
        Sender many(clients.at(0), serving.port(), over);
        load(clients.at(0), many, over, campaigns, 3 * rate, 5s);
        Sender few(clients.at(0), serving.port(), after);
        load(clients.at(0), few, after, campaigns, rate / 2, 5s);
        clients.stop();
    }
    Answer answer;
    answer.samples.ns = over.refused_ns;
    if (answer.samples.ns.empty()) {
        answer.samples.ns.push_back(0);
    }
    answer.counters = {{"committed", static_cast<double>(over.ns.size())},
                       {"refused", static_cast<double>(over.refused_ns.size())},
                       {"refused_p99_us", percentile(over.refused_ns, 0.99) / 1e3},
                       {"committed_p99_us", percentile(over.ns, 0.99) / 1e3},
                       {"failed", static_cast<double>(over.failed + after.failed)},
                       {"refused_after", static_cast<double>(after.refused_ns.size())},
                       {"p99_after_us", percentile(after.ns, 0.99) / 1e3}};
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
    const std::string store = "sqlite:" + (folder.path() / "x.db").string();
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
    const std::string url = "sqlite:" + (folder.path() / "x.db").string();
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
        const auto store = ledger::open_store(url).value();
        const Serving serving(*store);
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
