// Durable turns over HTTP: a server, its campaigns on disk and its clients in one process, as
// they share one machine.
#include <algorithm>
#include <mutex>
#include <thread>

#include "base/check.h"
#include "bench/cases.h"
#include "bench/proxies.h"
#include "bench/served_campaigns.h"
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
    std::size_t refused = 0;
    double refused_ns_max = 0;
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
            ++tally_.refused;
            tally_.refused_ns_max = std::max(tally_.refused_ns_max, took);
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
                       {"refused", static_cast<double>(tally.refused)},
                       {"refused_max_us", tally.refused_ns_max / 1e3},
                       {"failed", static_cast<double>(tally.failed + warm.failed)}};
    return answer;
}

std::string check_nothing(const Request&) {
    return "null";
}

constexpr Case kCases[] = {{"server_load", measure_load, check_nothing}};

}  // namespace

std::span<const Case> server_cases() {
    return kCases;
}

}  // namespace arbiter::bench
