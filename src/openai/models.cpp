#include "openai/models.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "base/explain.h"
#include "openai/blocking_model.h"
#include "openai/endpoint.h"
#include "openai/failure.h"
#include "openai/quote.h"
#include "text/join.h"
#include "text/nearest.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::openai {
namespace {

using base::Error;
using base::ErrorCode;
using base::Text;
using Outcome = CheckStep::Outcome;

// Bytes of a list of models, and names that are taken from it: gateways list some hundreds.
constexpr std::size_t kListBytesMax = std::size_t{4} << 20;
constexpr std::size_t kNamesMax = 10'000;
// Names that a message lists.
constexpr std::size_t kNamesShown = 8;
// Bytes of the answer after which the test has seen enough.
constexpr std::size_t kSeenBytes = 200;

struct Fetched {
    net::ResponseHead head;
    std::string body;
};

// One GET, on a client of its own. Destroyed on the loop.
class Fetch : public std::enable_shared_from_this<Fetch> {
  public:
    Fetch(net::Loop& loop, const Upstream& upstream, std::string_view path)
        : loop_(loop), client_(loop, upstream.connection) {
        request_.method = "GET";
        request_.url = url_below(upstream.url, path);
        request_.headers = headers_for(upstream);
        request_.headers.add("Accept", "application/json");
    }

    base::Result<Fetched> run() {
        loop_.post([self = shared_from_this()] { self->start(); });
        std::unique_lock lock(mutex_);
        ended_.wait(lock, [this] { return result_.has_value(); });
        return *std::move(result_);
    }

  private:
    void start() {
        call_ = client_.start(
            std::move(request_),
            {.on_head = [this](const net::ResponseHead& head) { fetched_.head = head; },
             .on_body = [this](std::string_view bytes) { take(bytes); },
             .on_end =
                 [this](base::Result<> ended) {
                     end(ended ? base::Result<Fetched>(std::move(fetched_))
                               : std::unexpected(std::move(ended).error()));
                 }});
    }
    void take(std::string_view bytes) {
        if (bytes.size() > kListBytesMax - fetched_.body.size()) {
            end(base::fail(ErrorCode::kHttpTooLarge,
                           {"GET /models", std::to_string(kListBytesMax)}));
            return;
        }
        fetched_.body += bytes;
    }
    void end(base::Result<Fetched> result) {
        // The call is destroyed behind its callback, on its loop.
        loop_.post([self = shared_from_this()] { self->call_.reset(); });
        const std::scoped_lock lock(mutex_);
        if (!result_) {
            result_ = std::move(result);
            ended_.notify_all();
        }
    }

    net::Loop& loop_;
    net::Client client_;
    net::ClientRequest request_;
    Fetched fetched_;
    std::unique_ptr<net::Call> call_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::optional<base::Result<Fetched>> result_;
};

base::Result<std::vector<std::string>> names_in(const Fetched& fetched, std::string_view secret) {
    if (fetched.head.status < 200 || fetched.head.status >= 300) {
        return std::unexpected(error_of_answer(fetched.head, fetched.body, secret));
    }
    if (is_page(fetched.body)) {
        return std::unexpected(error_of_page(fetched.body, secret));
    }
    const auto json = value::parse_json(text::repair(fetched.body));
    if (!json) {
        return base::fail(ErrorCode::kModelBadAnswer,
                          {"it is not JSON: " + quote(fetched.body, secret)});
    }
    // {"data": [{"id": …}]}; Ollama and others also {"models": [{"name": …}]}.
    std::vector<std::string> names;
    for (const std::string_view list : {"data", "models"}) {
        const value::Value* found = value::find_member(&*json, list);
        if (found == nullptr || !found->is_array()) {
            continue;
        }
        for (const value::Value& each : found->as_array()) {
            for (const std::string_view key : {"id", "name"}) {
                const value::Value* name = value::find_member(&each, key);
                if (name != nullptr && name->is_string() && names.size() < kNamesMax) {
                    names.emplace_back(name->as_string());
                    break;
                }
            }
        }
        return names;
    }
    if (const auto told = find_server_error(*json)) {
        return std::unexpected(error_of(*told, secret));
    }
    return base::fail(ErrorCode::kModelBadAnswer,
                      {"it is not a list of models: " + quote(fetched.body, secret)});
}

base::Result<std::vector<std::string>> list_below(net::Loops& loops, const Upstream& upstream) {
    const auto fetch = std::make_shared<Fetch>(loops.next(), upstream, "/models");
    auto fetched = fetch->run();
    if (!fetched) {
        return std::unexpected(error_of_connection(fetched.error(), upstream.key.reveal()));
    }
    return names_in(*fetched, upstream.key.reveal());
}

Text words_of(const Error& error) {
    return {base::explain(error, base::Language::kEnglish),
            base::explain(error, base::Language::kChinese)};
}

Text words(const base::TextView& pattern, const std::vector<std::string>& arguments) {
    return {base::format_message(pattern.english, arguments),
            base::format_message(pattern.chinese, arguments)};
}

// An https address without TLS.
std::string plain_address(const Upstream& upstream) {
    return "http" + upstream.address.substr(std::string_view("https").size());
}

Text advice_on_connection(const Upstream& upstream, std::string_view reason) {
    if (reason.starts_with("no secure connection")) {
        if (reason.contains("wrong version") || reason.contains("packet length")) {
            return words({"The server does not speak TLS. Try http instead of https: {0}",
                          "该服务器没有使用 TLS。请把 https 换成 http：{0}"},
                         {plain_address(upstream)});
        }
        return {
            "Check the host name and the date of this machine. For a certificate of your own, "
            "set ca_file in the configuration file.",
            "请检查主机名和本机的日期时间。若使用自签证书，请在配置文件中设置 ca_file。"};
    }
    if (reason.starts_with("the host was not found")) {
        return words({"Check the spelling of {0} and the network of this machine.",
                      "请检查 {0} 的拼写，以及本机的网络。"},
                     {upstream.url.host});
    }
    return words({"Start the model server, and check host and port: {0}:{1}. llama.cpp listens on "
                  "port 8080, vLLM on 8000, Ollama on 11434.",
                  "请启动模型服务器，并检查主机和端口：{0}:{1}。默认端口：llama.cpp 为 8080，vLLM "
                  "为 8000，Ollama 为 11434。"},
                 {upstream.url.host, std::to_string(upstream.url.port)});
}

Text advice_on(const Upstream& upstream, const Error& error) {
    switch (error.code) {
        case ErrorCode::kModelUnreachable:
            return advice_on_connection(upstream,
                                        error.arguments.empty() ? "" : error.arguments[0]);
        case ErrorCode::kModelKey:
            if (upstream.key.empty()) {
                return {
                    "The server wants a key. Put it into an environment variable and give its "
                    "name: --api-key-env NAME; or enter it with --api-key-stdin.",
                    "该服务器需要密钥。请把密钥放进环境变量，并用 --api-key-env "
                    "给出变量名；或用 --api-key-stdin 输入。"};
            }
            return {"Check that the key is complete, belongs to this server, and is not expired.",
                    "请确认密钥完整、属于该服务器且没有过期。"};
        case ErrorCode::kModelRateLimited:
            return {"Wait a little, or check quota and billing of the key.",
                    "请稍候再试，或检查该密钥的额度与账单。"};
        case ErrorCode::kModelOverloaded:
            return {
                "The server has a fault or is still loading the model: read its log, and try "
                "again.",
                "服务器出错，或仍在载入模型：请查看其日志后重试。"};
        case ErrorCode::kModelTimeout:
            return {
                "The server accepts connections and does not answer. It may still be loading "
                "the model; raise timeouts in the configuration file if it is slow.",
                "服务器接受了连接却没有应答，可能仍在载入模型；若它本来就慢，请在配置文件中放宽 "
                "timeouts。"};
        case ErrorCode::kModelRefused:
        case ErrorCode::kModelBadAnswer:
        case ErrorCode::kModelCutOff:
            return {
                "Check that the address is that of an OpenAI-compatible interface; it usually "
                "ends in /v1.",
                "请确认该地址提供与 OpenAI 兼容的接口；地址通常以 /v1 结尾。"};
        default:
            return {};
    }
}

class Prober {
  public:
    Prober(net::Loops& loops, const Upstream& upstream) : loops_(loops) {
        report_.upstream = upstream;
    }

    ProbeReport run() {
        if (check_list()) {
            check_model();
            check_answer();
        }
        return std::move(report_);
    }

  private:
    void add(std::string_view name, Outcome outcome, Text said, Text advice = {}) {
        report_.steps.push_back({name, outcome, std::move(said), std::move(advice)});
    }

    // False if further steps would fail for the same reason.
    bool check_list() {
        const Upstream& upstream = report_.upstream;
        auto names = list_below(loops_, upstream);
        if (names) {
            report_.models = *std::move(names);
            add("models", Outcome::kPassed,
                words({"{0} answers and lists its models: {1}", "{0} 有应答，模型列表：{1}"},
                      {upstream.address, listed(report_.models)}));
            return true;
        }
        const Error& error = names.error();
        const bool is_other_place =
            error.code == ErrorCode::kModelRefused || error.code == ErrorCode::kModelBadAnswer;
        if (is_other_place && !upstream.url.path.ends_with("/v1")) {
            auto below = make_upstream(upstream.address + "/v1");
            if (below) {
                Upstream other = upstream;
                other.url = below->url;
                other.address = below->address;
                if (list_below(loops_, other)) {
                    add("models", Outcome::kFailed,
                        words({"There is no interface at {0}: the address lacks /v1.",
                               "{0} 处没有接口：地址缺少 /v1。"},
                              {upstream.address}),
                        words({"Use {0}", "请改用 {0}"}, {other.address}));
                    return false;
                }
            }
        }
        // A server without a list may have a model all the same.
        const bool may_answer = is_other_place || error.code == ErrorCode::kModelCutOff;
        add("models", may_answer ? Outcome::kWarned : Outcome::kFailed, words_of(error),
            may_answer ? Text{"The list of models cannot be read; the next step shows whether the "
                              "model answers.",
                              "无法读取模型列表；下一步将检查模型能否应答。"}
                       : advice_on(upstream, error));
        return may_answer;
    }

    void check_model() {
        Upstream& upstream = report_.upstream;
        const std::vector<std::string>& models = report_.models;
        if (models.empty()) {
            return;
        }
        if (upstream.model.empty() && models.size() == 1) {
            upstream.model = models.front();
            add("model", Outcome::kPassed,
                words({"The server has one model, which is used: {0}",
                       "服务器只有一个模型，将使用 {0}"},
                      {upstream.model}));
            return;
        }
        if (upstream.model.empty()) {
            add("model", Outcome::kWarned,
                {"No model is chosen; the server may choose one or refuse.",
                 "没有选定模型；服务器可能自行选择，也可能拒绝。"},
                words({"Choose one with --model: {0}", "请用 --model 选择一个：{0}"},
                      {listed(models)}));
            return;
        }
        if (std::ranges::find(models, upstream.model) != models.end()) {
            add("model", Outcome::kPassed,
                words({"The model {0} is in the list.", "模型 {0} 在列表中。"}, {upstream.model}));
            return;
        }
        const std::string near = nearest_of(upstream.model);
        add("model", Outcome::kWarned,
            words({"The model {0} is not in the list.", "模型 {0} 不在列表中。"}, {upstream.model}),
            near.empty() ? words({"Choose one with --model: {0}", "请用 --model 选择一个：{0}"},
                                 {listed(models)})
                         : words({"Did you mean {0}?", "是不是想写 {0}？"}, {near}));
    }

    // Names that the wanted one is a misspelling or a part of.
    [[nodiscard]] std::string nearest_of(const std::string& wanted) const {
        std::vector<std::string_view> near;
        for (const std::string& each : report_.models) {
            if (each.contains(wanted) && near.size() < kNamesShown) {
                near.push_back(each);
            }
        }
        const std::vector<std::string_view> all(report_.models.begin(), report_.models.end());
        if (const auto nearest = text::nearest(wanted, all); near.empty() && nearest) {
            near.push_back(*nearest);
        }
        return text::join(near, " / ");
    }

    void check_answer() {
        Upstream& upstream = report_.upstream;
        const auto first = ask(upstream);
        if (first) {
            add_answered();
            return;
        }
        // Reports the error of the request that a turn would send, unless a plainer one works.
        Upstream plain = upstream;
        if (is_refusal(first.error()) && plain.takes_tools) {
            plain.takes_tools = false;
            if (ask(plain)) {
                upstream = plain;
                add_answered();
                add("tools", Outcome::kWarned,
                    words({"The server refuses native tools ({0}). Tools are told about in the "
                           "prompt instead.",
                           "该服务器不接受原生工具（{0}），改为在提示词中说明工具。"},
                          {first.error().arguments[0]}),
                    {"Connect with --no-tools. llama.cpp takes tools if it is started with "
                     "--jinja.",
                     "请用 --no-tools 连接。llama.cpp 以 --jinja 启动后可以使用原生工具。"});
                return;
            }
        }
        if (is_refusal(first.error()) && plain.is_streamed) {
            plain.is_streamed = false;
            if (ask(plain)) {
                upstream.is_streamed = false;
                add_answered();
                add("stream", Outcome::kWarned,
                    words({"The server does not stream ({0}). Replies arrive as a whole.",
                           "该服务器不支持流式输出（{0}），回复将一次性到达。"},
                          {first.error().arguments[0]}),
                    {"Connect with --no-stream.", "请用 --no-stream 连接。"});
                return;
            }
        }
        add("answer", Outcome::kFailed, words_of(first.error()), advice_on_answer(first.error()));
    }

    static bool is_refusal(const Error& error) {
        return error.code == ErrorCode::kModelRefused ||
               error.code == ErrorCode::kModelOverloaded ||
               error.code == ErrorCode::kModelBadAnswer || error.code == ErrorCode::kModelCutOff;
    }

    [[nodiscard]] Text advice_on_answer(const Error& error) const {
        const bool is_named =
            report_.models.empty() ||
            std::ranges::find(report_.models, report_.upstream.model) != report_.models.end();
        if (error.code == ErrorCode::kModelRefused && !is_named) {
            const std::string near = nearest_of(report_.upstream.model);
            return words({"Choose a model of the list with --model: {0}",
                          "请用 --model 选择列表中的模型：{0}"},
                         {near.empty() ? listed(report_.models) : near});
        }
        return advice_on(report_.upstream, error);
    }

    void add_answered() {
        add("answer", Outcome::kPassed,
            words({"The model answers: {0}", "模型有应答：{0}"}, {answer_}));
    }

    base::Result<> ask(const Upstream& upstream) {
        Endpoint endpoint(loops_, upstream, {.retries_max = 0});
        BlockingModel model(endpoint);
        model::Request request;
        request.messages = {{prompt::Role::kUser, "Reply with the word OK."}};
        if (upstream.takes_tools) {
            request.tools = {
                {.name = "roll",
                 .description = "Rolls dice. Not needed now.",
                 .parameters = value::Object{{"type", "object"}, {"properties", value::Object()}}}};
        }
        std::string text;
        const auto reply = model.answer(request, [&](const model::Piece& piece) {
            text += piece.text;
            return text.size() < kSeenBytes;
        });
        // A model that thinks, or calls the tool, answers too.
        const bool has_seen_enough = !reply && text.size() >= kSeenBytes;
        if (!reply && !has_seen_enough) {
            return std::unexpected(reply.error());
        }
        answer_ = quote(text, upstream.key.reveal());
        if (answer_.empty() && reply && !reply->tool_calls.empty()) {
            answer_ = reply->tool_calls[0].name + "()";
        }
        return {};
    }

    static std::string listed(const std::vector<std::string>& names) {
        const std::size_t count = std::min(names.size(), kNamesShown);
        std::string list = text::join(std::span(names).first(count));
        return names.size() > count ? list + ", … (" + std::to_string(names.size()) + ")" : list;
    }

    net::Loops& loops_;
    ProbeReport report_;
    std::string answer_;
};

}  // namespace

bool ProbeReport::is_usable() const noexcept {
    return std::ranges::none_of(
        steps, [](const CheckStep& step) { return step.outcome == Outcome::kFailed; });
}

ProbeReport probe(net::Loops& loops, const Upstream& upstream) {
    return Prober(loops, upstream).run();
}

value::Value to_value(const CheckStep& step) {
    value::Object object{{"name", step.name},
                         {"outcome", name(step.outcome)},
                         {"message", std::string_view(step.said.english)},
                         {"message_zh", std::string_view(step.said.chinese)}};
    if (!step.advice.empty()) {
        object = std::move(object)
                     .set("advice", std::string_view(step.advice.english))
                     .set("advice_zh", std::string_view(step.advice.chinese));
    }
    return object;
}

value::Object to_value(const ProbeReport& report) {
    value::Array steps;
    for (const CheckStep& step : report.steps) {
        steps = std::move(steps).push_back(to_value(step));
    }
    value::Array models;
    for (const std::string& each : report.models) {
        models = std::move(models).push_back(std::string_view(each));
    }
    return {{"url", std::string_view(report.upstream.address)},
            {"model", std::string_view(report.upstream.model)},
            {"usable", report.is_usable()},
            {"steps", std::move(steps)},
            {"models", std::move(models)}};
}

}  // namespace arbiter::openai
