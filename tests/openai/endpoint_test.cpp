// Goal: an endpoint delivers each read of the socket as one piece of work, ends at once when it is
// cancelled, repeats a request only where nothing of an answer was used, keeps connections for the
// next request, and leaves no descriptor behind.
// Method: a server of this process on loopback; tests/e2e/upstream_test.py has the broken ones.
#include "openai/endpoint.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/messages.h"
#include "net/server.h"
#include "openai/blocking_model.h"
#include "openai/models.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::openai {
namespace {

using base::ErrorCode;
using Served = std::shared_ptr<net::Exchange>;

std::string chunk(std::string_view text) {
    return "data: {\"choices\":[{\"delta\":{\"content\":\"" + std::string(text) + "\"}}]}\n\n";
}
constexpr std::string_view kDone = "data: [DONE]\n\n";
const net::Response kStream{.headers = {{"Content-Type", "text/event-stream"}}};

// Waits until a condition holds; a test that hangs is ended by ctest.
template <typename Condition>
void wait_for(const Condition& condition) {
    while (!condition()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

class EndpointTest : public testing::Test {
  protected:
    void serve(net::Handler handler) {
        auto made = net::Server::listen(loops, {"127.0.0.1", 0}, {}, std::move(handler));
        ASSERT_TRUE(made);
        server = *std::move(made);
    }
    Upstream upstream(std::string_view path = "/v1") const {
        return *make_upstream("http://127.0.0.1:" + std::to_string(server->port()) +
                              std::string(path));
    }
    static model::Request request() {
        model::Request asked;
        asked.messages = {{prompt::Role::kUser, "推门"}};
        return asked;
    }
    static std::string told(const base::Result<model::Reply>& reply) {
        return reply ? reply->text : std::string(base::name(reply.error().code));
    }

    net::Loops loops{2};
    std::unique_ptr<net::Server> server;
};

TEST_F(EndpointTest, AStreamIsAnsweredAndItsConnectionKept) {
    std::mutex mutex;
    std::vector<net::Request> seen;
    serve([&](const Served& served) {
        {
            const std::scoped_lock lock(mutex);
            seen.push_back(served->request());
        }
        served->begin_stream(kStream);
        served->send(chunk("门") + chunk("开了。"));
        served->send(std::string(kDone));
        served->end();
    });
    Upstream configured = upstream("/v1?version=2");
    configured.key = Secret("sk-1");
    configured.model = "m";
    net::Loops one(1);
    Endpoint endpoint(one, configured);
    BlockingModel model(endpoint);
    EXPECT_EQ(told(model.answer(request())), "门开了。");
    // An answer is given at [DONE], and the end of its body may come later: the next request may
    // need a second connection.
    wait_for([&] {
        const std::uint64_t before = server->counts().accepted;
        EXPECT_EQ(told(model.answer(request())), "门开了。");
        return server->counts().accepted == before;
    });
    EXPECT_EQ(seen[0].path, "/v1/chat/completions");
    EXPECT_EQ(seen[0].query, "version=2");
    EXPECT_EQ(*seen[0].headers.find("Authorization"), "Bearer sk-1");
    EXPECT_TRUE(seen[0].body.contains("\"model\":\"m\""));
    EXPECT_TRUE(endpoint.takes_tools());
}

TEST_F(EndpointTest, PiecesOfOneReadAreOnePieceOfWork) {
    serve([&](const Served& served) {
        net::Response whole = kStream;
        for (int i = 0; i < 50; ++i) {
            whole.body += chunk("x");
        }
        whole.body += kDone;
        served->respond(whole);
    });
    Endpoint endpoint(loops, upstream());
    std::mutex mutex;
    std::deque<std::function<void()>> works;
    std::string text;
    std::optional<base::Result<model::Reply>> reply;
    const auto pending =
        endpoint.ask(request(),
                     {.on_piece = [&](const model::Piece& piece) { text += piece.text; },
                      .on_done = [&](base::Result<model::Reply> done) { reply = std::move(done); }},
                     [&](std::function<void()> work) {
                         const std::scoped_lock lock(mutex);
                         works.push_back(std::move(work));
                     });
    std::size_t count = 0;
    wait_for([&] {
        std::unique_lock lock(mutex);
        while (!works.empty()) {
            const auto work = std::move(works.front());
            works.pop_front();
            lock.unlock();
            work();
            ++count;
            lock.lock();
        }
        return reply.has_value();
    });
    EXPECT_EQ(text, std::string(50, 'x'));
    // Head and body may be two reads; fifty events are not fifty.
    EXPECT_LE(count, 3U);
}

TEST_F(EndpointTest, ACancelledAnswerHangsUp) {
    std::atomic<int> gone = 0;
    std::atomic<int> begun = 0;
    std::vector<Served> kept;  // streams that never end
    std::mutex mutex;
    serve([&](const Served& served) {
        served->on_gone([&] { ++gone; });
        served->begin_stream(kStream);
        served->send(chunk("x"));
        const std::scoped_lock lock(mutex);
        kept.push_back(served);
        ++begun;
    });
    Endpoint endpoint(loops, upstream());
    // After a piece.
    BlockingModel first(endpoint);
    EXPECT_EQ(told(first.answer(request(), [](const model::Piece&) { return false; })),
              "model_cancelled");
    wait_for([&] { return gone == 1; });
    // While nothing comes.
    BlockingModel second(endpoint, [&] { return begun == 2; });
    EXPECT_EQ(told(second.answer(request())), "model_cancelled");
    wait_for([&] { return gone == 2; });
    // Work that waits for its executor calls back no more.
    std::vector<std::function<void()>> works;
    auto dropped = endpoint.ask(request(),
                                {.on_piece = [](const model::Piece&) { FAIL(); },
                                 .on_done = [](base::Result<model::Reply>) { FAIL(); }},
                                [&](std::function<void()> work) {
                                    const std::scoped_lock lock(mutex);
                                    works.push_back(std::move(work));
                                });
    wait_for([&] {
        const std::scoped_lock lock(mutex);
        return !works.empty();
    });
    dropped.reset();
    wait_for([&] { return gone == 3; });
    for (const auto& work : works) {
        work();
    }
    kept.clear();
}

TEST_F(EndpointTest, RefusedRequestsAreRepeatedAndBrokenOnesAreNot) {
    std::atomic<int> requests = 0;
    std::atomic<int> refusals = 2;
    std::atomic<int> status = 503;
    std::string retry_after = "0";
    serve([&](const Served& served) {
        if (requests++ < refusals) {
            served->respond({.status = status, .headers = {{"Retry-After", retry_after}}});
            return;
        }
        net::Response whole = kStream;
        whole.body = chunk("ok") + std::string(kDone);
        served->respond(whole);
    });
    const EndpointOptions quick{.backoff = std::chrono::milliseconds(1)};
    Endpoint endpoint(loops, upstream(), quick);
    BlockingModel model(endpoint);
    const auto ask = [&](int code, int times) {
        requests = 0;
        status = code;
        refusals = times;
        return told(model.answer(request())) + " " + std::to_string(requests.load());
    };
    EXPECT_EQ(ask(503, 2), "ok 3");
    EXPECT_EQ(ask(429, 1), "ok 2");
    EXPECT_EQ(ask(503, 3), "model_overloaded 3");
    EXPECT_EQ(ask(500, 1), "model_overloaded 1");
    EXPECT_EQ(ask(401, 1), "model_key 1");
    retry_after = "21";
    EXPECT_EQ(ask(429, 1), "model_rate_limited 1");
    // A wait can be cancelled.
    retry_after = "20";
    BlockingModel impatient(endpoint, [&] { return requests == 1; });
    requests = 0;
    EXPECT_EQ(told(impatient.answer(request())), "model_cancelled");
    server.reset();  // it may still answer with the texts of this test
}

TEST_F(EndpointTest, AConnectionThatFailsIsTriedAgain) {
    serve([](const Served& served) { served->respond({}); });
    const Upstream closed = upstream();
    server.reset();
    Endpoint endpoint(loops, closed, {.backoff = std::chrono::milliseconds(1)});
    EXPECT_EQ(told(BlockingModel(endpoint).answer(request())), "model_unreachable");
}

TEST_F(EndpointTest, NothingIsRepeatedOnceAPieceCame) {
    std::atomic<int> requests = 0;
    serve([&](const Served& served) {
        ++requests;
        served->begin_stream(kStream);
        served->send(chunk("x"));
        served->send("data: {\"error\":{\"code\":503,\"message\":\"gone\"}}\n\n");
        served->end();
    });
    Endpoint endpoint(loops, upstream(), {.backoff = std::chrono::milliseconds(1)});
    EXPECT_EQ(told(BlockingModel(endpoint).answer(request())), "model_overloaded");
    EXPECT_EQ(requests, 1);
}

std::size_t open_files() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

TEST_F(EndpointTest, NoDescriptorIsLeft) {
    serve([](const Served& served) {
        served->begin_stream(kStream);
        served->send(chunk("x"));
        if (served->request().body.contains("whole")) {
            served->send(std::string(kDone));
            served->end();
        }
        // Dropped here: the stream breaks off.
    });
    const auto play = [&] {
        {
            Endpoint endpoint(loops, upstream());
            BlockingModel model(endpoint);
            for (int i = 0; i < 50; ++i) {
                model::Request asked = request();
                asked.messages[0].content = i % 2 == 0 ? "whole" : "broken";
                EXPECT_EQ(told(model.answer(asked)), i % 2 == 0 ? "x" : "model_cut_off");
                (void)model.answer(asked, [](const model::Piece&) { return false; });
            }
        }
        wait_for([&] { return server->counts().connections == 0; });
    };
    play();  // the loops open what they keep
    const std::size_t before = open_files();
    play();
    wait_for([&] { return open_files() <= before; });
}

TEST_F(EndpointTest, ManyAnswersAtOnceNeedNoThreadEach) {
    serve([&](const Served& served) {
        net::Response whole = kStream;
        whole.body = chunk("ok") + std::string(kDone);
        served->respond(whole);
    });
    Endpoint endpoint(loops, upstream());
    constexpr int kAnswers = 200;
    std::atomic<int> done = 0;
    std::vector<std::unique_ptr<model::PendingAnswer>> all;
    for (int i = 0; i < kAnswers; ++i) {
        all.push_back(endpoint.ask(request(),
                                   {.on_piece = [](const model::Piece&) {},
                                    .on_done =
                                        [&](base::Result<model::Reply> reply) {
                                            EXPECT_EQ(told(reply), "ok");
                                            ++done;
                                        }},
                                   [](std::function<void()> work) { work(); }));
    }
    wait_for([&] { return done == kAnswers; });
}

// The names and outcomes of the steps.
std::string steps_of(const ProbeReport& report) {
    std::string out;
    for (const CheckStep& step : report.steps) {
        EXPECT_FALSE(step.said.english.empty() || step.said.chinese.empty());
        EXPECT_EQ(step.advice.english.empty(), step.advice.chinese.empty());
        out += std::string(step.name) + ":" + std::string(name(step.outcome)) + " ";
    }
    return out;
}

// A server like those that people connect; its faults are switched on by the model's name.
void answer_like_a_server(const Served& served) {
    const net::Request& asked = served->request();
    const std::string* key = asked.headers.find("Authorization");
    if (key != nullptr && *key != "Bearer right") {
        served->respond({.status = 401, .body = "{\"error\":{\"message\":\"bad " + *key + "\"}}"});
    } else if (asked.path == "/v1/models") {
        served->respond({.body = R"({"data":[{"id":"qwen3-8b"},{"id":"no-tools"}]})"});
    } else if (asked.path == "/one/v1/models") {
        served->respond({.body = R"({"data":[{"id":"only"}]})"});
    } else if (!asked.path.ends_with("/v1/chat/completions")) {
        served->respond({.status = 404, .body = "<html><title>Not here</title></html>"});
    } else if (asked.body.contains("no-tools") && asked.body.contains("\"tools\"")) {
        served->respond({.status = 500, .body = R"({"error":{"message":"tools need --jinja"}})"});
    } else if (asked.body.contains("no-stream") && asked.body.contains("\"stream\":true")) {
        served->respond({.status = 400, .body = R"({"error":{"message":"no stream"}})"});
    } else if (asked.body.contains("unknown")) {
        served->respond({.status = 404, .body = R"({"error":{"message":"no such model"}})"});
    } else {
        served->respond({.body = R"({"choices":[{"message":{"content":"OK"}}]})"});
    }
}

TEST_F(EndpointTest, AProbeSaysWhatIsWrong) {
    serve(answer_like_a_server);
    const auto probed = [&](std::string_view path, std::string_view model,
                            std::string_view key = "right") {
        Upstream configured = upstream(path);
        configured.model = std::string(model);
        configured.key = Secret(std::string(key));
        return probe(loops, configured);
    };
    ProbeReport report = probed("/v1", "qwen3-8b");
    EXPECT_EQ(steps_of(report), "models:passed model:passed answer:passed ");
    EXPECT_TRUE(report.is_usable());
    EXPECT_EQ(report.models.size(), 2U);

    report = probed("/one/v1", "");
    EXPECT_EQ(steps_of(report), "models:passed model:passed answer:passed ");
    EXPECT_EQ(report.upstream.model, "only");

    report = probed("", "qwen3-8b");
    EXPECT_EQ(steps_of(report), "models:failed ");
    EXPECT_TRUE(report.steps[0].advice.english.ends_with("/v1")) << report.steps[0].advice.english;

    report = probed("/v1", "qwen3-8", "wrong-canary-key");
    EXPECT_EQ(steps_of(report), "models:failed ");
    EXPECT_FALSE(value::print_json(to_value(report)).contains("wrong-canary-key"));

    report = probed("/v1", "qwen3-8");
    EXPECT_EQ(steps_of(report), "models:passed model:warned answer:passed ");
    EXPECT_TRUE(report.steps[1].advice.english.contains("qwen3-8b"));

    report = probed("/v1", "unknown");
    EXPECT_EQ(steps_of(report), "models:passed model:warned answer:failed ");
    EXPECT_TRUE(report.steps[2].advice.english.contains("qwen3-8b"));

    report = probed("/v1", "no-tools");
    EXPECT_EQ(steps_of(report), "models:passed model:passed answer:passed tools:warned ");
    EXPECT_FALSE(report.upstream.takes_tools);

    report = probed("/v1", "no-stream");
    EXPECT_EQ(steps_of(report), "models:passed model:warned answer:passed stream:warned ");
    EXPECT_FALSE(report.upstream.is_streamed);

    report = probed("/nowhere/v1/x", "m");
    EXPECT_EQ(steps_of(report), "models:warned answer:failed ");

    const Upstream closed = upstream();
    server.reset();
    report = probe(loops, closed);
    EXPECT_EQ(steps_of(report), "models:failed ");
    EXPECT_TRUE(report.steps[0].advice.english.contains(std::to_string(closed.url.port)));
}

}  // namespace
}  // namespace arbiter::openai
