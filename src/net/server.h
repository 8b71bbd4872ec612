// An HTTP/1.1 server. A connection stays on one loop.
//
// Requests of a connection are answered one after another. Malformed requests, requests that are
// too large or too slow, and peers that read too slowly are refused here; handlers see complete
// requests only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/limits.h"
#include "net/address.h"
#include "net/http.h"
#include "net/loop.h"

namespace arbiter::net {

namespace internal {
class Answer;
class Connection;
struct ServerState;
}  // namespace internal

// A request and the answer to it, held by shared_ptr as long as its handler needs it. Dropping the
// last reference without an answer sends a 500; dropping it inside of a stream closes the
// connection, so that the peer sees that the answer is incomplete.
//
// Thread safety: all methods may be called from any thread. They take effect on the connection's
// loop, in the order of the calls.
class Exchange {
  public:
    Exchange(Request request, std::string peer, std::shared_ptr<internal::Answer> answer);
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    ~Exchange();

    [[nodiscard]] const Request& request() const noexcept { return request_; }
    // Frees the body and the fields of the request, for a handler that has read them and takes long
    // to answer.
    void free_request();
    // The size that the body had.
    [[nodiscard]] std::size_t body_bytes() const noexcept { return body_bytes_; }
    // The peer's address without its port: "127.0.0.1".
    [[nodiscard]] const std::string& peer() const noexcept { return peer_; }
    [[nodiscard]] bool peer_is_loopback() const noexcept { return is_loopback(peer_); }
    // The loop of the connection.
    [[nodiscard]] Loop& loop() const;

    // Adds a field to the head of the answer, whatever it will be.
    void add_header(std::string name, std::string value);
    // The whole answer.
    void respond(Response response);
    // An answer in pieces, chunked (for HTTP/1.0: until the connection ends). `head.body` is the
    // first piece. Calls that do not fit (a second answer, send() without a stream) do nothing.
    void begin_stream(Response head);
    void send(std::string_view bytes);
    void end();

    // Bytes that were sent and not yet taken by the socket. A peer that lets a stream exceed
    // base::kUnsentBytesMax is disconnected (on_gone is called).
    [[nodiscard]] std::size_t unsent() const noexcept;

    // The status of the answer; 0: none was given. And its bytes so far.
    [[nodiscard]] int status() const noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;

    // Called once on the loop if the peer disconnects (closed, half-closed, reset, stalled) before
    // the answer was complete; also if that has already happened. A later callback replaces it. It
    // is dropped when the answer is complete.
    void on_gone(std::function<void()> callback);
    [[nodiscard]] bool is_gone() const noexcept;

  private:
    Request request_;
    const std::size_t body_bytes_;
    std::string peer_;
    std::shared_ptr<internal::Answer> answer_;
};

// Called on the connection's loop; must not block.
using Handler = std::function<void(std::shared_ptr<Exchange>)>;

// PEM files.
struct TlsFiles {
    std::string certificate_chain;
    std::string key;
};

struct ServerOptions {
    std::size_t body_bytes_max = base::kHttpBodyBytesMax;
    // Connections above it are accepted, answered with 503 and closed.
    std::size_t connections_max = 10'000;
    // From the first byte of a request (or the beginning of the connection) to the end of its head.
    std::chrono::milliseconds header_timeout{10'000};
    // For a body. Bodies that arrive with at least kBodyBytesPerSecond get the time that they need.
    std::chrono::milliseconds body_timeout{60'000};
    // Between requests.
    std::chrono::milliseconds idle_timeout{75'000};
    // Without the peer taking a byte of an answer.
    std::chrono::milliseconds write_timeout{30'000};
    std::optional<TlsFiles> tls = {};
    // May refuse a request by its head before its body is read; returns the response then. A long
    // body is not read; the connection is closed. `is_whole`: no bytes of a body are still to come.
    // On the connection's loop, possibly on several loops at once.
    std::function<std::optional<Response>(const Request& head, std::string_view peer,
                                          bool is_whole)>
        on_head = {};
    // The answer to a request that the server itself refuses (400, 408, 413, 414, 417, 431, 500,
    // 501, 503, 505). Default: the error as text.
    std::function<Response(int status, const base::Error& error)> refusal = {};
};
// 128 kbit/s: slower than any link that is used, far above a peer that sends a byte a second.
inline constexpr std::size_t kBodyBytesPerSecond = std::size_t{16} << 10;

class Server {
  public:
    // Accepts connections from its return on. kListenFailed, kHostUnknown, kTlsFailed. The loops
    // outlive the server.
    static base::Result<std::unique_ptr<Server>> listen(Loops& loops, const Address& address,
                                                        ServerOptions options, Handler handler);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    // Closes everything at once; the handler is not called afterwards. Not on a loop's thread.
    ~Server();

    [[nodiscard]] std::uint16_t port() const noexcept;

    // Stops accepting, closes idle connections, lets running exchanges finish and closes their
    // connections, at the deadline in any case. Blocks until then; not on a loop's thread.
    void drain(std::chrono::milliseconds deadline);

    struct Counts {
        std::size_t connections = 0;
        std::size_t exchanges = 0;   // running
        std::uint64_t accepted = 0;  // connections, since the start
        std::uint64_t requests = 0;  // that reached the handler
        std::uint64_t refused = 0;   // by the server itself
        std::uint64_t bytes_in = 0;
        std::uint64_t bytes_out = 0;
    };
    [[nodiscard]] Counts counts() const noexcept;

  private:
    explicit Server(std::shared_ptr<internal::ServerState> state);
    std::shared_ptr<internal::ServerState> state_;
};

}  // namespace arbiter::net
