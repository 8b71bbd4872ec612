#include "cli/serve.h"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <random>
#include <thread>

#include "campaign/clock.h"
#include "campaign/demo.h"
#include "cli/ledger.h"
#include "cli/profiles.h"
#include "model/scripted.h"
#include "openai/upstream.h"
#include "server/options.h"
#include "server/server.h"

namespace arbiter::cli {

namespace {

constexpr Option kOptions[] = {
    {"--config",
     "FILE",
     {"a YAML file with these options and limits (docs/server.md)",
      "写有这些选项与限额的 YAML 文件（见 docs/server.md）"}},
    {"--listen",
     "ADDRESS",
     {"address and port; default: 127.0.0.1:7777; port 0 takes a free one",
      "监听的地址与端口；默认 127.0.0.1:7777；端口 0 表示自动选择"}},
    {"--store",
     "URL",
     {"where campaigns are stored: sqlite:FILE (default: sqlite:arbiter.db), postgres://… or "
      "memory:",
      "存放战役的位置：sqlite:文件（默认 sqlite:arbiter.db）、postgres://… 或 memory:"}},
    {"--upstream",
     "URL",
     {"an OpenAI-compatible model server; default: the one of `arbiter connect`",
      "兼容 OpenAI 接口的模型服务；默认使用 `arbiter connect` 设置的服务"}},
    {"--model", "NAME", {"the model to ask there", "要使用的模型"}},
    {"--api-key-env",
     "VARIABLE",
     {"the environment variable that holds its key", "存放密钥的环境变量"}},
    {"--upstream-file", "FILE", {"a file of `arbiter connect`", "由 `arbiter connect` 写入的文件"}},
    {"--script", "FILE", {"a scripted narrator instead of a model", "用脚本代替模型"}},
    {"--demo",
     "",
     {"create the demo campaign, with a narrator of its own", "创建演示战役，自带脚本说书人"}},
    {"--allow-host",
     "NAME",
     {"another name by which the server may be called; may be repeated",
      "允许用来访问服务器的其他主机名；可重复"}},
    {"--allow-origin",
     "ORIGIN",
     {"web pages of this origin may call it; may be repeated", "允许该来源的网页访问；可重复"}},
    {"--trust-proxy",
     "ADDRESS",
     {"believe X-Forwarded-For of this proxy; may be repeated",
      "信任该代理发送的 X-Forwarded-For；可重复"}},
    {"--tls-certificate", "FILE", {"PEM chain: serve HTTPS", "PEM 证书链：使用 HTTPS"}},
    {"--tls-key", "FILE", {"its private key, PEM", "对应的 PEM 私钥"}},
    {"--protocols", "FOLDER", {"folder of your own protocols", "你自己的协议文件夹"}},
    {"--backups", "FOLDER", {"where the API may write backups", "接口写入备份的文件夹"}},
    {"--log", "json|text", {"form of the log; text on a terminal", "日志格式；终端上默认为文本"}},
};
constexpr Example kExamples[] = {
    {"arbiter serve --demo", {"try it: the demo, no model needed", "先试试：演示战役，无需模型"}},
    {"arbiter serve --upstream http://127.0.0.1:8080/v1 --model qwen3",
     {"with a model on this machine", "使用本机的模型"}},
    {"arbiter serve --upstream https://api.example.com/v1 --model m --api-key-env KEY",
     {"with a model of a vendor", "使用厂商的模型"}}};

// The options of the file, with those of the command line in their place.
std::expected<server::ServerOptions, Exit> options_of(const Call& call) {
    server::ServerOptions options;
    if (call.has("--config")) {
        auto loaded = server::load_server_options(std::string(call.value("--config", "")));
        if (!loaded) {
            report(call.console, loaded.error());
            return std::unexpected(Exit::kTrouble);
        }
        options = *std::move(loaded);
    }
    const auto take = [&](std::string_view option, std::string& into) {
        into = std::string(call.value(option, into));
    };
    take("--listen", options.listen);
    take("--store", options.store);
    take("--upstream", options.upstream.url);
    take("--model", options.upstream.model);
    take("--api-key-env", options.upstream.api_key_env);
    take("--upstream-file", options.upstream_file);
    take("--script", options.script);
    take("--protocols", options.protocols);
    take("--backups", options.data);
    if (call.has("--tls-certificate") || call.has("--tls-key")) {
        server::ServerOptions::Tls tls = options.tls.value_or(server::ServerOptions::Tls());
        take("--tls-certificate", tls.certificate);
        take("--tls-key", tls.key);
        options.tls = std::move(tls);
    }
    const auto add = [&](std::string_view option, std::vector<std::string>& into) {
        for (const std::string_view each : call.values(option)) {
            into.emplace_back(each);
        }
    };
    add("--allow-host", options.allow_hosts);
    add("--allow-origin", options.allow_origins);
    add("--trust-proxy", options.trusted_proxies);
    if (call.has("--log")) {
        options.log_form =
            call.value("--log", "") == "json" ? server::LogForm::kJson : server::LogForm::kText;
    }
    options.has_demo = options.has_demo || call.has("--demo");
    if (options.listen.empty()) {
        options.listen = "127.0.0.1:7777";
    }
    if (options.store.empty()) {
        options.store = kUsualStore;
    }
    return options;
}

// Gives the host the model that the options name, if they name one.
std::expected<void, Exit> add_model(const Call& call, const server::ServerOptions& options,
                                    server::Host& host) {
    if (!options.script.empty()) {
        auto script = model::load_script(options.script);
        if (!script) {
            report(call.console, script.error());
            return std::unexpected(Exit::kTrouble);
        }
        host.set_model(model::make_async(std::make_unique<model::Scripted>(*std::move(script))));
        return {};
    }
    const auto given = [](const std::string& text) {
        return text.empty() ? std::nullopt : std::optional(text);
    };
    auto upstream = openai::choose_upstream({.url = given(options.upstream.url),
                                             .model = given(options.upstream.model),
                                             .key_env = given(options.upstream.api_key_env),
                                             .file = given(options.upstream_file)});
    if (!upstream) {
        report(call.console, upstream.error());
        return std::unexpected(Exit::kTrouble);
    }
    if (*upstream) {
        host.use(**std::move(upstream));
    }
    return {};
}

// Creates the demo and gives it its narrator.
std::expected<void, Exit> add_demo(const Call& call, server::Host& host) {
    auto demo = campaign::load_demo(call.console.language);
    if (!demo) {
        report(call.console, demo.error());
        return std::unexpected(Exit::kTrouble);
    }
    const auto begun =
        campaign::begin_demo(host.store(), *demo, host.options().session, host.now());
    if (!begun) {
        return std::unexpected(trouble(call.console, begun.error()));
    }
    host.set_model_of(std::string(campaign::kDemoId),
                      model::make_async(std::make_unique<model::Scripted>(demo->script)));
    return {};
}

void print_next_steps(const Call& call, const std::string& url, bool has_demo, bool has_model) {
    const Console& console = call.console;
    std::string text =
        std::string(console.say({"  open:             ", "  打开：          "})) + url + "/\n";
    // The demo has a scripted narrator.
    if (has_demo || !has_model) {
        text += std::string(console.say({"  connect a model:  ", "  连接模型：      "})) +
                "arbiter connect --upstream URL --model NAME\n";
    }
    text +=
        std::string(console.say({"  connect a client: ", "  连接客户端：    "})) + url + "/v1\n";
    text += std::string(console.say({"  use the API:      ", "  调用接口：      "})) + url +
            "/api/v1/openapi.json\n";
    text +=
        std::string(console.say({"  stop:             Ctrl-C\n", "  停止：          Ctrl-C\n"}));
    console.print(text);
}

// Signals that stop the server. Threads leave them to the one that waits.
sigset_t block_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    return signals;
}

// Raises the limit of open files as far as it goes, and returns how many connections fit: a turn
// needs one to its client and one to its model, and the store needs files of its own.
std::size_t connections_that_fit(std::size_t wanted) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return wanted;
    }
    if (limit.rlim_cur < limit.rlim_max) {
        const rlimit raised{limit.rlim_max, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) {
            limit = raised;
        }
    }
    return std::min<std::size_t>(wanted, std::max<std::size_t>(1, limit.rlim_cur / 2));
}

// Serves until a signal comes.
Exit serve(const Call& call, const server::ServerOptions& options, const net::Address& address,
           ledger::Store& store) {
    const Console& console = call.console;
    const sigset_t signals = block_signals();
    const auto tokens = server::TokenCache::open(store);
    if (!tokens) {
        return trouble(console, tokens.error());
    }
    const auto list = (*tokens)->list();
    if (const auto refusal = server::listen_refusal(address, list != nullptr && list->any())) {
        return trouble(console, *refusal);
    }
    server::Log log({options.log_form.value_or(server::Log::form_of_standard_error()),
                     options.log_level, console.language},
                    server::Log::to_standard_error(), campaign::clock_now);
    const auto access = server::Access::make(
        {address, options.tls.has_value(), options.allow_hosts, options.allow_origins,
         options.trusted_proxies},
        [&tokens] { return (*tokens)->list(); }, campaign::clock_now);
    if (!access) {
        return trouble(console, access.error());
    }
    server::RateLimits limits(options.limits.rates, std::random_device()());
    net::Loops loops(std::max(1U, std::thread::hardware_concurrency()));
    server::HostOptions hosting{session_options_of(call, store)};
    if (!options.protocols.empty() && !call.has("--protocols")) {
        hosting.session.protocols = load_protocols(console, options.protocols);
    }
    hosting.sessions_max = options.limits.open_campaigns;
    hosting.jobs_max = options.limits.jobs_per_campaign;
    hosting.data_folder = options.data;
    hosting.log = &log;
    hosting.loops = &loops;
    hosting.upstream_file =
        options.upstream_file.empty() ? openai::default_upstream_file() : options.upstream_file;
    server::Host host(store, std::move(hosting));
    if (const auto added = add_model(call, options, host); !added) {
        return added.error();
    }
    if (options.has_demo) {
        if (const auto added = add_demo(call, host); !added) {
            return added.error();
        }
    }
    net::ServerOptions http;
    http.connections_max = connections_that_fit(options.limits.connections);
    if (options.tls) {
        http.tls = net::TlsFiles{options.tls->certificate, options.tls->key};
    }
    auto server = server::Server::listen({loops, host, *access, limits, log, console.language},
                                         address, std::move(http));
    if (!server) {
        return trouble(console, server.error());
    }
    const std::string url = std::string(options.tls ? "https://" : "http://") +
                            net::print_address({address.host, (*server)->port()});
    console.print("listening on " + url + "\n");
    std::fflush(console.out);
    if (console.terminal_out) {
        print_next_steps(call, url, options.has_demo, host.model("") != nullptr);
    }
    log.event(server::LogLevel::kInfo, "listening", {{"port", std::int64_t{(*server)->port()}}});
    int received = 0;
    sigwait(&signals, &received);
    log.event(server::LogLevel::kInfo, "stopping");
    // A second signal ends it at once.
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    (*server)->drain(std::chrono::seconds(options.limits.drain_seconds));
    server->reset();
    log.event(server::LogLevel::kInfo, "stopped");
    return Exit::kDone;
}

Exit run_serve(const Call& call) {
    const auto options = options_of(call);
    if (!options) {
        return options.error();
    }
    const auto address = net::parse_address(options->listen);
    if (!address) {
        return trouble(call.console, address.error());
    }
    const auto store = ledger::open_store(options->store, ledger::Access::kCreate);
    if (!store) {
        return trouble(call.console, store.error());
    }
    return serve(call, *options, *address, **store);
}

constexpr Command kCommands[] = {
    {"serve",
     {"serve campaigns over HTTP", "通过 HTTP 提供战役服务"},
     {"Programs, web pages and other players reach the campaigns of a store through it "
      "(docs/http.md). It listens on this machine only, unless there are tokens "
      "(arbiter token).",
      "程序、网页和其他玩家可通过它访问存储中的战役（见 docs/http.md）。除非创建了令牌"
      "（arbiter token），它只在本机监听。"},
     {},
     kOptions,
     kExamples,
     run_serve}};

}  // namespace

std::span<const Command> serve_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
