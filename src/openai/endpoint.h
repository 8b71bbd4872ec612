// Endpoint: a model behind the chat completions interface of OpenAI, as llama.cpp, vLLM and vendors
// offer it.
//
// Thread-safe. An answer lives on one loop; each loop has a client with connections of its own.
// Loops outlive the endpoint. Destroying the endpoint drops the answers that are being given.
//
// Retries only where nothing of an answer was used: a connection that could not be made, and 429 or
// 503, which refuse a request before it is worked on. An answer that broke off is an error.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "model/async_model.h"
#include "net/loop.h"
#include "openai/upstream.h"

namespace arbiter::openai {

struct EndpointOptions {
    int retries_max = 2;
    // The wait before the first retry; doubled for the next one.
    std::chrono::milliseconds backoff{500};
    // A server that asks for a longer wait has its error passed on: the player decides.
    std::chrono::seconds retry_after_max{20};
};

class Endpoint final : public model::AsyncModel {
  public:
    Endpoint(net::Loops& loops, Upstream upstream, EndpointOptions options = {});
    ~Endpoint() override;

    [[nodiscard]] std::unique_ptr<model::PendingAnswer> ask(model::Request request,
                                                            model::AnswerCallbacks callbacks,
                                                            model::Post post) override;
    [[nodiscard]] bool takes_tools() const override;

    class Lane;  // the answers of one loop

  private:
    std::shared_ptr<const Upstream> upstream_;
    EndpointOptions options_;
    std::vector<std::shared_ptr<Lane>> lanes_;
    std::atomic<std::size_t> next_{0};
};

// The path of an interface below the URL of an upstream: "/v1" and "/models" → "/v1/models". A
// query of the URL stays behind it.
net::Url url_below(const net::Url& url, std::string_view path);
// The header fields of every request: the key and our name.
net::Headers headers_for(const Upstream& upstream);

}  // namespace arbiter::openai
