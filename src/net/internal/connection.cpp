#include "net/internal/connection.h"

#include <algorithm>
#include <utility>

#include "base/explain.h"
#include "base/release.h"

namespace arbiter::net::internal {
namespace {

using Status = Io::Status;

// Reads of one connection before others of its loop have their turn.
constexpr int kReadsInARow = 4;
// Pipelined bytes that are read ahead; more are left to the system until the answer is sent.
constexpr std::size_t kPipelinedBytesMax = std::size_t{16} << 10;
// The body of a refused request is read and dropped, so that the connection can be used again. The
// peer of a longer one is told to stop by closing the connection.
constexpr std::size_t kDroppedBytesMax = std::size_t{64} << 10;
// Time for the peer to read the last answer and close. Closing at once could destroy the answer on
// its way, if bytes of the peer have not been read.
constexpr std::chrono::milliseconds kLingerTime{2'000};
// Connections above the limit that may wait for their 503, with a limit that is small fewer; the
// others are closed without one.
constexpr std::size_t kRefusedMax = 256;
std::size_t refused_max(std::size_t connections_max) {
    return std::min(kRefusedMax, connections_max / 4 + 4);
}

Refusal timed_out(std::string event) {
    return {408, base::Error(base::ErrorCode::kNetTimeout, {std::move(event)})};
}

}  // namespace

Response ServerState::refusal(int status, const base::Error& error) const {
    if (options.refusal) {
        return options.refusal(status, error);
    }
    return {.status = status,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
            .body = base::explain(error, base::Language::kEnglish) + "\n"};
}

Connection::Connection(std::shared_ptr<ServerState> server, Loop& loop, Socket socket)
    : server_(std::move(server)),
      loop_(loop),
      socket_(std::move(socket)),
      deadline_(loop, [this] { time_out(); }) {}

void Connection::start() {
    if (server_->is_draining) {
        return;
    }
    ++server_->accepted;
    const std::size_t open = ++server_->open;
    server_->connections.at(&loop_).emplace(this, shared_from_this());
    const std::size_t connections_max = server_->options.connections_max;
    if (open > connections_max + refused_max(connections_max)) {
        close();
        return;
    }
    deadline_.set(server_->options.header_timeout);
    if (open > connections_max) {
        if (server_->tls) {
            close();
        } else {
            refuse({503, base::Error(base::ErrorCode::kOverloaded)});
            arm_read();
        }
        return;
    }
    if (server_->tls) {
        socket_.start_tls_server(server_->tls);
        phase_ = Phase::kHandshake;
    }
    arm_read();
}

void Connection::drain() {
    const bool is_idle =
        phase_ == Phase::kHandshake || (phase_ == Phase::kHead && in_.empty() && !receipt_);
    if (is_idle) {
        close();
        return;
    }
    keeps_alive_ = false;
    if (answer_) {
        answer_->stop_keeping_alive();
    }
}

void Connection::close() {
    if (phase_ == Phase::kClosed) {
        return;
    }
    phase_ = Phase::kClosed;
    const std::shared_ptr<Connection> self = shared_from_this();
    socket_.close();
    deadline_.disable();
    receipt_ = nullptr;
    base::release(in_);
    base::release(out_);
    if (answer_) {
        const std::shared_ptr<Answer> answer = answer_;
        end_answer();
        answer->lose();
    }
    server_->connections.at(&loop_).erase(this);
    {
        const std::lock_guard lock(server_->mutex);
        --server_->open;
    }
    server_->closed.notify_all();
}

void Connection::arm_read() {
    const bool is_full = phase_ == Phase::kAnswer && in_.size() >= kPipelinedBytesMax;
    if (waits_to_read_ || is_full || has_peer_ended_ || phase_ == Phase::kClosed) {
        return;
    }
    waits_to_read_ = true;
    if (socket_.has_buffered()) {
        loop_.post([self = shared_from_this()] { self->read_again(); });
    } else {
        // Does not own the connection, which the server does until it closes the socket: a callback
        // that owns something takes memory.
        socket_.when_readable([this] {
            const std::shared_ptr<Connection> self = shared_from_this();
            read_again();
        });
    }
}

void Connection::read_again() {
    waits_to_read_ = false;
    read();
}

void Connection::read() {
    for (int reads = 0; reads < kReadsInARow && phase_ != Phase::kClosed; ++reads) {
        const std::span<char> buffer = read_buffer();
        const Io io = phase_ == Phase::kHandshake ? socket_.handshake() : socket_.read(buffer);
        if (!take(io, buffer)) {
            return;
        }
        if (phase_ == Phase::kAnswer) {
            break;
        }
    }
    arm_read();
}

// False if reading does not continue at once.
bool Connection::take(const Io& io, std::span<const char> buffer) {
    switch (io.status) {
        case Status::kWaitRead:
            arm_read();
            return false;
        case Status::kWaitWrite:
            waits_to_read_ = true;
            socket_.when_writable([self = shared_from_this()] {
                self->waits_to_read_ = false;
                self->read();
            });
            return false;
        case Status::kEnd:
            peer_ended();
            return false;
        case Status::kFailed:
            close();
            return false;
        case Status::kDone:
            break;
    }
    if (phase_ == Phase::kHandshake) {
        phase_ = Phase::kHead;
        return true;
    }
    server_->bytes_in += io.bytes;
    advance({buffer.data(), io.bytes});
    // Less than a full buffer: the socket is most likely empty.
    if (io.bytes < buffer.size() && !socket_.has_buffered()) {
        arm_read();
        return false;
    }
    return true;
}

void Connection::advance(std::string_view bytes) {
    while (!bytes.empty()) {
        Parsed<bool> complete = true;
        switch (phase_) {
            case Phase::kHead:
                if (!receipt_) {
                    receipt_ = std::make_unique<Receipt>();
                    deadline_.set(server_->options.header_timeout);
                }
                complete = receipt_->head.feed(bytes);
                if (complete && *complete) {
                    if (head_complete(bytes.size())) {
                        dispatch();
                    } else if (receipt_ && receipt_->head.expects_continue() && bytes.empty()) {
                        out_ += "HTTP/1.1 100 Continue\r\n\r\n";
                        write();
                    }
                }
                break;
            case Phase::kBody:
                complete = take_body(bytes);
                if (complete && *complete) {
                    dispatch();
                }
                break;
            case Phase::kAnswer:
                in_ += bytes;
                return;
            case Phase::kHandshake:
            case Phase::kLinger:
            case Phase::kClosed:
                return;
        }
        if (!complete) {
            refuse(complete.error());
            return;
        }
    }
}

// True if the request has no body. False also if it was refused.
bool Connection::head_complete(std::size_t bytes_behind) {
    const Framing& framing = receipt_->head.framing();
    const std::size_t bytes_max = server_->options.body_bytes_max;
    if (framing.kind == Framing::Kind::kLength && framing.length > bytes_max) {
        refuse(too_large("The body", bytes_max, 413).error());
        return false;
    }
    if (server_->options.on_head) {
        const bool is_whole =
            framing.kind == Framing::Kind::kNone ||
            (framing.kind == Framing::Kind::kLength && framing.length <= bytes_behind);
        std::optional<Response> response =
            server_->options.on_head(receipt_->head.request(), socket_.peer(), is_whole);
        if (response) {
            ++server_->refused;
            const bool is_dropped =
                framing.kind == Framing::Kind::kNone ||
                (framing.kind == Framing::Kind::kLength && framing.length <= kDroppedBytesMax &&
                 !receipt_->head.expects_continue());
            if (!is_dropped) {
                end_with(*std::move(response));
                return false;
            }
            receipt_->refused = std::move(response);
        }
    }
    if (framing.kind == Framing::Kind::kNone) {
        return true;
    }
    receipt_->body_left = static_cast<std::size_t>(framing.length);
    receipt_->body_began = std::chrono::steady_clock::now();
    phase_ = Phase::kBody;
    set_body_deadline();
    return false;
}

Parsed<bool> Connection::take_body(std::string_view& bytes) {
    std::string& body = receipt_->head.request().body;
    Parsed<bool> complete = false;
    if (receipt_->head.framing().kind == Framing::Kind::kLength) {
        const std::size_t taken = std::min(receipt_->body_left, bytes.size());
        if (!receipt_->refused) {
            body += bytes.substr(0, taken);
        }
        bytes.remove_prefix(taken);
        receipt_->body_left -= taken;
        complete = receipt_->body_left == 0;
    } else {
        complete = receipt_->chunks.feed(bytes, body);
        if (complete && body.size() > server_->options.body_bytes_max) {
            return too_large("The body", server_->options.body_bytes_max, 413);
        }
    }
    set_body_deadline();
    return complete;
}

// Received bytes have earned their time.
void Connection::set_body_deadline() {
    const std::chrono::seconds earned(receipt_->head.request().body.size() / kBodyBytesPerSecond);
    const auto passed = std::chrono::steady_clock::now() - receipt_->body_began;
    deadline_.set(std::chrono::duration_cast<std::chrono::milliseconds>(
        server_->options.body_timeout + earned - passed));
}

void Connection::dispatch() {
    const std::unique_ptr<Receipt> receipt = std::move(receipt_);
    Request request = std::move(receipt->head.request());
    phase_ = Phase::kAnswer;
    deadline_.clear();
    is_complete_ = false;
    keeps_alive_ = keeps_alive_ && receipt->head.keeps_alive() && !server_->is_draining;
    if (receipt->refused) {
        const AnswerTraits traits{.is_to_head = request.method == "HEAD",
                                  .is_http_1_0 = request.is_http_1_0,
                                  .keeps_alive = keeps_alive_};
        out_ += print_head(*receipt->refused, traits, BodyKind::kWhole);
        if (!traits.is_to_head) {
            out_ += receipt->refused->body;
        }
        is_complete_ = true;
        write();
        return;
    }
    ++server_->exchanges;
    answer_ =
        std::make_shared<Answer>(loop_,
                                 AnswerTraits{.is_to_head = request.method == "HEAD",
                                              .is_http_1_0 = request.is_http_1_0,
                                              .keeps_alive = keeps_alive_},
                                 [weak = weak_from_this()] {
                                     if (const std::shared_ptr<Connection> self = weak.lock()) {
                                         self->answer_ready();
                                     }
                                 });
    ++server_->requests;
    server_->handler(std::make_shared<Exchange>(std::move(request), socket_.peer(), answer_));
}

void Connection::peer_ended() {
    if (phase_ == Phase::kAnswer && (!answer_ || answer_->is_complete())) {
        // It may still read.
        keeps_alive_ = false;
        has_peer_ended_ = true;
        return;
    }
    close();
}

void Connection::time_out() {
    const std::shared_ptr<Connection> self = shared_from_this();
    switch (phase_) {
        case Phase::kHead:
            if (receipt_) {
                refuse(timed_out("the head of the request"));
                return;
            }
            break;
        case Phase::kBody:
            refuse(timed_out("the body of the request"));
            return;
        case Phase::kHandshake:
        case Phase::kAnswer:
        case Phase::kLinger:
        case Phase::kClosed:
            break;
    }
    close();
}

void Connection::answer_ready() {
    if (phase_ != Phase::kAnswer || is_complete_) {
        return;
    }
    if (out_at_ > out_.size() / 2) {
        out_.erase(0, std::exchange(out_at_, 0));
    }
    const Answer::Taken taken = answer_->take(out_);
    if (taken.has_failed) {
        if (taken.has_begun) {
            close();
        } else {
            refuse({500, base::Error(base::ErrorCode::kOverloaded)});
        }
        return;
    }
    is_complete_ = taken.is_complete;
    keeps_alive_ = keeps_alive_ && !taken.closes;
    write();
}

void Connection::write() {
    if (waits_to_write_) {
        return;
    }
    while (out_at_ < out_.size()) {
        const Io io = socket_.write(std::string_view(out_).substr(out_at_));
        if (io.status == Status::kDone) {
            out_at_ += io.bytes;
            server_->bytes_out += io.bytes;
            if (answer_) {
                answer_->written(io.bytes);
            }
            continue;
        }
        if (io.status != Status::kWaitRead && io.status != Status::kWaitWrite) {
            close();
            return;
        }
        waits_to_write_ = true;
        deadline_.set(server_->options.write_timeout);
        auto again = [self = shared_from_this()] {
            self->waits_to_write_ = false;
            if (self->phase_ != Phase::kClosed) {
                self->write();
            }
        };
        if (io.status == Status::kWaitWrite) {
            socket_.when_writable(std::move(again));
        } else {
            socket_.when_readable(std::move(again));
        }
        return;
    }
    all_written();
}

void Connection::all_written() {
    out_at_ = 0;
    base::release(out_);  // the next bytes come in a buffer of their own
    if (phase_ == Phase::kLinger) {
        linger();
    } else if (phase_ == Phase::kAnswer) {
        deadline_.clear();
        if (is_complete_) {
            next_request();
        }
    }
}

void Connection::end_answer() {
    --server_->exchanges;
    answer_ = nullptr;
}

void Connection::next_request() {
    if (answer_) {
        end_answer();
    }
    if (!keeps_alive_ || server_->is_draining) {
        linger();
        return;
    }
    phase_ = Phase::kHead;
    deadline_.set(server_->options.idle_timeout);
    advance(std::exchange(in_, {}));
    arm_read();
}

void Connection::refuse(const Refusal& refusal) {
    ++server_->refused;
    end_with(server_->refusal(refusal.status, refusal.error));
}

// Answers and closes the connection: the rest of the request is not read.
void Connection::end_with(Response response) {
    const bool is_to_head = receipt_ && receipt_->head.request().method == "HEAD";
    out_ +=
        print_head(response, {.is_to_head = is_to_head, .keeps_alive = false}, BodyKind::kWhole);
    if (!is_to_head) {
        out_ += response.body;
    }
    receipt_ = nullptr;
    if (answer_) {
        end_answer();
    }
    phase_ = Phase::kLinger;
    write();
}

void Connection::linger() {
    if (has_peer_ended_) {
        close();
        return;
    }
    phase_ = Phase::kLinger;
    base::release(in_);
    if (!std::exchange(has_ended_writing_, true)) {
        socket_.end_writing();
        deadline_.set(kLingerTime);
        arm_read();
    }
}

}  // namespace arbiter::net::internal
