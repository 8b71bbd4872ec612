#include "openai/endpoint.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "base/release.h"
#include "openai/chat_request.h"
#include "openai/chat_stream.h"
#include "openai/failure.h"
#include "text/tokens.h"

namespace arbiter::openai {
namespace {

using base::ErrorCode;
using model::Piece;
using model::Reply;

// The time that a server has to end its body behind [DONE], so that the connection can be kept.
constexpr std::chrono::milliseconds kEndGrace{1000};
// The texts of a prompt are kept so long to be counted if the server does not: answers that are
// complete before need no count. Longer ones are few in a second, but the texts of all that began
// meanwhile would be kept.
constexpr std::chrono::milliseconds kKeptTime{250};

// The caller's side of an answer. `is_over` is set on the caller's executor.
struct Listener {
    model::AnswerCallbacks callbacks;
    model::Post post;
    std::atomic<bool> is_over = false;
};

struct OwnedPiece {
    std::string text;
    Piece::Kind kind;
};
using Pieces = std::vector<OwnedPiece>;

// Gives the pieces of one read of the socket to the caller at once, if its executor is idle.
bool deliver_now(Listener& listener, const Pieces& pieces) {
    return listener.post.try_now([&listener, &pieces] {
        for (const OwnedPiece& piece : pieces) {
            if (listener.is_over) {
                return;
            }
            listener.callbacks.on_piece({piece.text, piece.kind});
        }
    });
}

// Delivers the pieces of one read of the socket as one piece of work for the executor.
void deliver(const std::shared_ptr<Listener>& listener, Pieces pieces,
             std::optional<base::Result<Reply>> reply) {
    if (pieces.empty() && !reply) {
        return;
    }
    // Work of std::function is copyable.
    auto shared = std::make_shared<std::pair<Pieces, std::optional<base::Result<Reply>>>>(
        std::move(pieces), std::move(reply));
    listener->post([listener, shared] {
        for (const OwnedPiece& piece : shared->first) {
            if (listener->is_over) {
                return;
            }
            listener->callbacks.on_piece({piece.text, piece.kind});
        }
        if (shared->second && !listener->is_over.exchange(true)) {
            // Moved out: the callbacks may own the answer that owns the listener.
            const model::AnswerCallbacks callbacks = std::move(listener->callbacks);
            callbacks.on_done(*std::move(shared->second));
        }
    });
}

struct Question {
    std::shared_ptr<Listener> listener;
    std::string body;
    std::function<std::int64_t()> prompt_tokens;
    bool may_be_empty = false;
};

// Counting a prompt takes longer than sending it, and most servers count themselves: of the request
// its long texts are kept, which it shares with the turn.
std::function<std::int64_t()> count_later(model::Request request) {
    std::vector<value::Str> texts;
    for (prompt::Message& each : request.messages) {
        texts.push_back(std::exchange(each.content, {}));
    }
    return [texts = std::move(texts), others = model::estimate_tokens(request)] {
        std::int64_t tokens = others;
        for (const value::Str& each : texts) {
            tokens += static_cast<std::int64_t>(text::estimate_tokens(each));
        }
        return tokens;
    };
}

// All requests have the same head.
net::ClientRequest request_without_body(const Upstream& upstream) {
    net::ClientRequest request{.url = url_below(upstream.url, "/chat/completions"),
                               .headers = headers_for(upstream)};
    request.headers.add("Content-Type", "application/json");
    request.headers.add("Accept", upstream.is_streamed ? "text/event-stream, application/json"
                                                       : "application/json");
    return request;
}

bool is_worth_a_retry(const base::Error& error, int status) {
    if (status == 0) {
        return error.code == ErrorCode::kConnectFailed;
    }
    // A quota that is used up stays so.
    return status == 503 || (status == 429 && !(error.arguments[0].contains("quota") ||
                                                error.arguments[0].contains("billing")));
}

}  // namespace

// Everything here happens on the thread of the loop.
class Endpoint::Lane : public std::enable_shared_from_this<Lane> {
  public:
    Lane(net::Loop& its_loop, std::shared_ptr<const Upstream> upstream, EndpointOptions options)
        : loop(its_loop),
          upstream_(std::move(upstream)),
          request_(request_without_body(*upstream_)),
          options_(options) {}

    void start(std::uint64_t id, Question question);
    void drop(std::uint64_t id) { answers_.erase(id); }
    void close() {
        answers_.clear();
        client_.reset();
        is_closed_ = true;
    }

    net::Loop& loop;

  private:
    class Answer;

    std::shared_ptr<const Upstream> upstream_;
    net::ClientRequest request_;  // without its body
    EndpointOptions options_;
    std::unique_ptr<net::Client> client_;  // made with the first answer
    std::map<std::uint64_t, std::unique_ptr<Answer>> answers_;
    bool is_closed_ = false;
};

class Endpoint::Lane::Answer {
  public:
    Answer(Lane& lane, std::uint64_t id, Question question)
        : lane_(lane), id_(id), question_(std::move(question)) {}

    void begin() {
        decoder_.reset();
        status_ = 0;
        net::ClientRequest request = lane_.request_;
        request.body = question_.body;
        call_ = lane_.client_->start(
            std::move(request), {.on_head = [this](const net::ResponseHead& head) { begin(head); },
                                 .on_body = [this](std::string_view bytes) { feed(bytes); },
                                 .on_end = [this](base::Result<> ended) { end(ended); }});
    }

  private:
    void begin(const net::ResponseHead& head) {
        status_ = head.status;
        if (status_ < 300) {
            base::release(question_.body);  // it is not asked again
        }
        retry_after_ = retry_after(head.headers);
        decoder_.emplace(
            head, ChatDecoderOptions{.secret = lane_.upstream_->key.reveal(),
                                     .prompt_tokens = [this] { return question_.prompt_tokens(); },
                                     .may_be_empty = question_.may_be_empty});
        timer_ = lane_.loop.after(kKeptTime, [this] { count_now(); });
    }

    // The texts of the prompt may be the largest part of a stream.
    void count_now() {
        timer_ = nullptr;
        const std::int64_t tokens = question_.prompt_tokens();
        question_.prompt_tokens = [tokens] { return tokens; };
    }

    void feed(std::string_view bytes) {
        if (is_over_) {
            return;
        }
        Pieces pieces;
        const auto keep = [&](const Piece& piece) {
            if (!pieces.empty() && pieces.back().kind == piece.kind) {
                pieces.back().text += piece.text;
            } else {
                pieces.emplace_back(std::string(piece.text), piece.kind);
            }
        };
        const auto read = decoder_->feed(bytes, keep);
        if (!read) {
            finish(std::move(pieces), std::unexpected(read.error()));
            retire();
        } else if (decoder_->is_done()) {
            auto reply = decoder_->finish({}, keep);
            finish(std::move(pieces), std::move(reply));
            timer_ = lane_.loop.after(kEndGrace, [this] { retire(); });
        } else if (!pieces.empty() && !deliver_now(*question_.listener, pieces)) {
            deliver(question_.listener, std::move(pieces), std::nullopt);
        }
    }

    void end(const base::Result<>& ended) {
        if (is_over_) {
            retire();
            return;
        }
        Pieces pieces;
        base::Result<Reply> reply =
            std::unexpected(base::Error(ErrorCode::kModelCutOff, {"the connection was lost"}));
        if (decoder_) {
            reply = decoder_->finish(ended, [&](const Piece& piece) {
                pieces.emplace_back(std::string(piece.text), piece.kind);
            });
        } else if (!ended) {
            if (waits_for_retry(ended.error())) {
                return;
            }
            reply =
                std::unexpected(error_of_connection(ended.error(), lane_.upstream_->key.reveal()));
        }
        if (!reply && decoder_ && waits_for_retry(reply.error())) {
            return;
        }
        finish(std::move(pieces), std::move(reply));
        retire();
    }

    bool waits_for_retry(const base::Error& error) {
        const EndpointOptions& options = lane_.options_;
        if (retries_ >= options.retries_max || !is_worth_a_retry(error, status_)) {
            return false;
        }
        std::chrono::milliseconds wait = options.backoff * (1 << retries_);
        if (status_ != 0 && retry_after_) {
            if (std::chrono::seconds(*retry_after_) > options.retry_after_max) {
                return false;
            }
            wait = std::chrono::seconds(*retry_after_);
        }
        ++retries_;
        timer_ = lane_.loop.after(wait, [this] { begin(); });
        return true;
    }

    void finish(Pieces pieces, base::Result<Reply> reply) {
        is_over_ = true;
        deliver(question_.listener, std::move(pieces), std::move(reply));
        question_.listener.reset();
    }

    // Destroys this answer, and with it the call, behind the callback that runs now.
    void retire() {
        lane_.loop.post([lane = lane_.shared_from_this(), id = id_] { lane->drop(id); });
    }

    Lane& lane_;
    const std::uint64_t id_;
    Question question_;
    std::optional<ChatDecoder> decoder_;
    int status_ = 0;  // of the answer; 0: none came yet
    std::optional<int> retry_after_;
    int retries_ = 0;
    bool is_over_ = false;  // the caller has everything
    std::unique_ptr<net::Loop::Timer> timer_;
    std::unique_ptr<net::Call> call_;
};

void Endpoint::Lane::start(std::uint64_t id, Question question) {
    if (is_closed_ || question.listener->is_over) {
        return;
    }
    if (!client_) {
        client_ = std::make_unique<net::Client>(loop, upstream_->connection);
    }
    const auto [at, is_new] =
        answers_.emplace(id, std::make_unique<Answer>(*this, id, std::move(question)));
    at->second->begin();
}

namespace {

class Pending final : public model::PendingAnswer {
  public:
    Pending(std::shared_ptr<Listener> listener, std::shared_ptr<Endpoint::Lane> lane,
            std::uint64_t id)
        : listener_(std::move(listener)), lane_(std::move(lane)), id_(id) {}
    ~Pending() override {
        // An answer that was given ends by itself, so that its connection can be used again.
        if (!listener_->is_over.exchange(true)) {
            lane_->loop.post([lane = lane_, id = id_] { lane->drop(id); });
        }
    }

  private:
    std::shared_ptr<Listener> listener_;
    std::shared_ptr<Endpoint::Lane> lane_;
    std::uint64_t id_;
};

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

}  // namespace

Endpoint::Endpoint(net::Loops& loops, Upstream upstream, EndpointOptions options)
    : upstream_(std::make_shared<const Upstream>(std::move(upstream))), options_(options) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
        lanes_.push_back(std::make_shared<Lane>(loops.at(i), upstream_, options_));
    }
}

Endpoint::~Endpoint() {
    for (std::shared_ptr<Lane>& lane : lanes_) {
        net::Loop& loop = lane->loop;
        loop.post([closing = std::move(lane)] { closing->close(); });
    }
}

std::unique_ptr<model::PendingAnswer> Endpoint::ask(model::Request request,
                                                    model::AnswerCallbacks callbacks,
                                                    model::Post post) {
    auto listener = std::make_shared<Listener>(std::move(callbacks), std::move(post));
    const std::shared_ptr<Lane>& lane = lanes_[request.loop.value_or(next_++) % lanes_.size()];
    const std::uint64_t id = next_id();
    Question question{listener,
                      print_chat_request(request, {.model = upstream_->model,
                                                   .is_streamed = upstream_->is_streamed,
                                                   .asks_for_usage = upstream_->asks_for_usage}),
                      {},
                      request.round > 1};
    request.document = {};
    question.prompt_tokens = count_later(std::move(request));
    if (lane->loop.is_current()) {
        lane->start(id, std::move(question));
    } else {
        lane->loop.post([lane, id, shared = std::make_shared<Question>(std::move(question))] {
            lane->start(id, std::move(*shared));
        });
    }
    return std::make_unique<Pending>(std::move(listener), lane, id);
}

bool Endpoint::takes_tools() const {
    return upstream_->takes_tools;
}

net::Url url_below(const net::Url& url, std::string_view path) {
    net::Url below = url;
    const std::size_t query = std::min(below.path.find('?'), below.path.size());
    below.path.insert(query, path);
    return below;
}

net::Headers headers_for(const Upstream& upstream) {
    net::Headers headers;
    headers.add("User-Agent", "arbiter/" ARBITER_VERSION);
    if (!upstream.key.empty()) {
        headers.add("Authorization", "Bearer " + upstream.key.reveal());
    }
    return headers;
}

}  // namespace arbiter::openai
