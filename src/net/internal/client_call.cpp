#include "net/internal/client_call.h"

#include <algorithm>
#include <utility>

#include "base/release.h"
#include "net/internal/message_text.h"

namespace arbiter::net::internal {
namespace {

using Status = Io::Status;

// Reads of one connection before others of its loop have their turn.
constexpr int kReadsInARow = 4;
// Answers 1xx before the real one: a server has a reason for one or two.
constexpr int kInterimAnswersMax = 16;
constexpr int kSwitchingProtocols = 101;

base::Error timeout(std::string event) {
    return base::Error(base::ErrorCode::kNetTimeout, {std::move(event)});
}

}  // namespace

ClientCall::ClientCall(std::shared_ptr<ClientState> client, ClientRequest request,
                       ClientCallbacks callbacks)
    : client_(std::move(client)),
      address_{request.url.host, request.url.port},
      server_((request.url.is_tls ? "https " : "http ") + print_address(address_)),
      request_(print_request(request)),
      is_tls_(request.url.is_tls),
      is_head_request_(request.method == "HEAD"),
      callbacks_(std::move(callbacks)),
      deadline_(client_->loop, [this] {
          if (Deadline::Clock::now() >= total_) {
              time_out("the end of the answer");
              return;
          }
          switch (phase_) {
              case Phase::kConnect:
              case Phase::kHandshake:
                  time_out("the connection to the server");
                  break;
              case Phase::kHead:
                  time_out("the beginning of the answer");
                  break;
              case Phase::kBody:
              case Phase::kDone:
                  time_out("the next part of the answer");
                  break;
          }
      }) {}

void ClientCall::start() {
    if (phase_ == Phase::kDone) {
        return;  // cancelled
    }
    total_ = Deadline::Clock::now() + client_->options.total;
    if (std::optional<Socket> idle = client_->pool.take(server_)) {
        is_reused_ = true;
        socket_.emplace(*std::move(idle));
        send_request();
    } else {
        connect();
    }
}

void ClientCall::cancel() {
    callbacks_ = {};
    if (phase_ != Phase::kDone) {
        end({});
    }
}

void ClientCall::connect() {
    phase_ = Phase::kConnect;
    set_deadline(client_->options.connect);
    connector_ = std::make_unique<Connector>(
        client_->loop, address_, [self = shared_from_this()](base::Result<Socket> socket) {
            if (socket) {
                self->connected(*std::move(socket));
            } else {
                self->fail(std::move(socket.error()));
            }
        });
}

// A callback of the socket. It does not own the call, to which the socket belongs: an owner would
// keep both when the loop has stopped.
template <void (ClientCall::*kMethod)()>
std::function<void()> ClientCall::waiting() {
    return [this] {
        const std::shared_ptr<ClientCall> self = shared_from_this();
        (this->*kMethod)();
    };
}

void ClientCall::connected(Socket socket) {
    connector_ = nullptr;
    socket_.emplace(std::move(socket));
    if (!is_tls_) {
        send_request();
        return;
    }
    if (!client_->tls) {
        auto context = TlsContext::for_client(client_->options.ca_file);
        if (!context) {
            fail(std::move(context.error()));
            return;
        }
        client_->tls = *std::move(context);
    }
    socket_->start_tls_client(client_->tls, address_.host);
    phase_ = Phase::kHandshake;
    shake_hands();
}

void ClientCall::shake_hands() {
    if (phase_ != Phase::kHandshake) {
        return;
    }
    const Io io = socket_->handshake();
    auto again = waiting<&ClientCall::shake_hands>();
    switch (io.status) {
        case Status::kDone:
            send_request();
            break;
        case Status::kWaitRead:
            socket_->when_readable(std::move(again));
            break;
        case Status::kWaitWrite:
            socket_->when_writable(std::move(again));
            break;
        case Status::kEnd:
        case Status::kFailed:
            fail(base::Error(base::ErrorCode::kTlsFailed,
                             {address_.host,
                              io.reason.empty() ? "the server closed the connection" : io.reason}));
            break;
    }
}

void ClientCall::send_request() {
    phase_ = Phase::kHead;
    written_ = 0;
    has_write_failed_ = false;
    head_ = std::make_unique<ResponseParser>(is_head_request_);
    set_deadline(client_->options.first_byte);
    write();
    arm_read();
}

void ClientCall::write() {
    const auto is_sending = [&] {
        return (phase_ == Phase::kHead || phase_ == Phase::kBody) && !has_write_failed_;
    };
    while (written_ < request_.size() && is_sending()) {
        const Io io = socket_->write(std::string_view(request_).substr(written_));
        auto again = waiting<&ClientCall::write>();
        switch (io.status) {
            case Status::kDone:
                written_ += io.bytes;
                if (phase_ == Phase::kHead && !has_answer_bytes_) {
                    set_deadline(client_->options.first_byte);
                }
                break;
            case Status::kWaitRead:
                socket_->when_readable(std::move(again));
                return;
            case Status::kWaitWrite:
                socket_->when_writable(std::move(again));
                return;
            case Status::kEnd:
            case Status::kFailed:
                // The server may have answered before it stopped reading: read() reports it.
                has_write_failed_ = true;
                break;
        }
    }
}

void ClientCall::arm_read() {
    if (phase_ == Phase::kDone || std::exchange(waits_to_read_, true)) {
        return;
    }
    if (socket_->has_buffered()) {
        client_->loop.post([self = shared_from_this()] { self->read_again(); });
    } else {
        socket_->when_readable(waiting<&ClientCall::read_again>());
    }
}

void ClientCall::read_again() {
    waits_to_read_ = false;
    read();
}

void ClientCall::read() {
    const auto is_reading = [&] { return phase_ == Phase::kHead || phase_ == Phase::kBody; };
    for (int reads = 0; reads < kReadsInARow && is_reading(); ++reads) {
        const std::span<char> buffer = read_buffer();
        Io io = socket_->read(buffer);
        const std::string_view bytes(buffer.data(), io.bytes);
        if (!take(std::move(io), bytes)) {
            return;
        }
    }
    if (is_reading()) {
        arm_read();
    }
}

// False if reading has ended or waits for something else.
bool ClientCall::take(Io io, std::string_view bytes) {
    switch (io.status) {
        case Status::kWaitRead:
            arm_read();
            return false;
        case Status::kWaitWrite:
            waits_to_read_ = true;
            socket_->when_writable(waiting<&ClientCall::read_again>());
            return false;
        case Status::kEnd:
            connection_ended(true, {});
            return false;
        case Status::kFailed:
            connection_ended(false, std::move(io.reason));
            return false;
        case Status::kDone:
            has_answer_bytes_ = true;
            set_deadline(client_->options.idle);
            advance(bytes);
            if (phase_ == Phase::kDone) {
                return false;
            }
            break;
    }
    // Less than a full buffer: the socket is most likely empty.
    if (bytes.size() < read_buffer().size() && !socket_->has_buffered()) {
        arm_read();
        return false;
    }
    return true;
}

void ClientCall::advance(std::string_view bytes) {
    while (phase_ != Phase::kDone) {
        Parsed<bool> complete = false;
        if (phase_ == Phase::kHead) {
            complete = head_->feed(bytes);
            if (complete && !*complete) {
                return;
            }
            if (complete) {
                const Parsed<> taken = head_complete();
                complete = taken ? Parsed<bool>(false) : std::unexpected(taken.error());
                // An answer without a body ends here.
                if (taken && phase_ == Phase::kBody && framing_.kind == Framing::Kind::kNone) {
                    complete = true;
                }
            }
        } else {
            if (bytes.empty()) {
                return;
            }
            complete = take_body(bytes);
        }
        if (phase_ == Phase::kDone) {
            return;  // cancelled in a callback
        }
        if (!complete) {
            fail(complete.error().error);
        } else if (*complete) {
            finish(keeps_alive_ && bytes.empty());
        }
    }
}

Parsed<> ClientCall::head_complete() {
    if (head_->status() < 200) {
        if (head_->status() == kSwitchingProtocols || ++interim_answers_ > kInterimAnswersMax) {
            return malformed("HTTP/1.1 " + std::to_string(head_->status()));
        }
        head_ = std::make_unique<ResponseParser>(is_head_request_);
        return {};
    }
    for (const Header& field : head_->headers()) {
        if (field.name == "content-encoding" && !is_same_name(field.value, "identity")) {
            return malformed("Content-Encoding: " + quote_part(field.value));
        }
    }
    if (head_->framing().kind == Framing::Kind::kLength &&
        head_->framing().length > client_->options.body_bytes_max) {
        return too_large("The body", client_->options.body_bytes_max, 502);
    }
    phase_ = Phase::kBody;
    framing_ = head_->framing();
    keeps_alive_ = head_->keeps_alive();
    body_left_ = framing_.length;
    if (written_ == request_.size()) {
        // A stream may stay open for a long time; the request is not sent again.
        base::release(request_);
        written_ = 0;
    }
    const std::unique_ptr<ResponseParser> head = std::move(head_);
    if (callbacks_.on_head) {
        const auto self = shared_from_this();
        const auto on_head = std::move(callbacks_.on_head);
        on_head({head->status(), head->reason(), std::move(head->headers())});
    }
    return {};
}

Parsed<bool> ClientCall::take_body(std::string_view& bytes) {
    const Framing::Kind kind = framing_.kind;
    Parsed<bool> complete = false;
    std::string_view content = bytes;
    if (kind == Framing::Kind::kLength) {
        content = bytes.substr(
            0, static_cast<std::size_t>(std::min<std::uint64_t>(body_left_, bytes.size())));
        body_left_ -= content.size();
        bytes.remove_prefix(content.size());
        complete = body_left_ == 0;
    } else if (kind == Framing::Kind::kChunked) {
        client_->decoded.clear();
        complete = chunks_.feed(bytes, client_->decoded);
        content = client_->decoded;
    } else {
        bytes = {};
    }
    body_bytes_ += content.size();
    if (body_bytes_ > client_->options.body_bytes_max) {
        return too_large("The body", client_->options.body_bytes_max, 502);
    }
    if (!content.empty() && callbacks_.on_body) {
        // The callback may cancel, which would destroy it.
        auto on_body = std::move(callbacks_.on_body);
        on_body(content);
        if (phase_ != Phase::kDone) {
            callbacks_.on_body = std::move(on_body);
        }
    }
    return complete;
}

void ClientCall::connection_ended(bool is_clean, std::string reason) {
    if (is_reused_ && !has_answer_bytes_) {
        is_reused_ = false;
        socket_->close();
        connect();
        return;
    }
    if (is_clean && phase_ == Phase::kBody && framing_.kind == Framing::Kind::kUntilClose) {
        finish(false);
        return;
    }
    fail(base::Error(base::ErrorCode::kConnectionLost,
                     {reason.empty() ? "the server closed it before the answer was complete"
                                     : std::move(reason)}));
}

void ClientCall::time_out(std::string event) {
    fail(timeout(std::move(event)));
}

void ClientCall::finish(bool is_reusable) {
    if (is_reusable && written_ == request_.size() && !socket_->has_buffered()) {
        client_->pool.put(server_, *std::move(socket_));
        socket_.reset();
    }
    end({});
}

void ClientCall::fail(base::Error error) {
    end(std::unexpected(std::move(error)));
}

void ClientCall::end(base::Result<> result) {
    const std::shared_ptr<ClientCall> self = shared_from_this();
    phase_ = Phase::kDone;
    deadline_.disable();
    connector_ = nullptr;
    if (socket_) {
        socket_->close();
    }
    const ClientCallbacks callbacks = std::exchange(callbacks_, {});
    if (callbacks.on_end) {
        callbacks.on_end(std::move(result));
    }
}

}  // namespace arbiter::net::internal
