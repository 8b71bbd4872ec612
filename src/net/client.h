// An HTTP/1.1 client with a pool of kept-alive connections. Bodies are streamed: decoded from
// chunks, never gathered.
//
// No redirects, no compression, no proxies.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/address.h"
#include "net/http.h"
#include "net/loop.h"

namespace arbiter::net {

struct ClientOptions {
    // Resolving, connecting and the TLS handshake together.
    std::chrono::milliseconds connect{10'000};
    // From sending the request to the first byte of the answer.
    std::chrono::milliseconds first_byte{120'000};
    // Between two reads of the answer.
    std::chrono::milliseconds idle{60'000};
    std::chrono::milliseconds total{30 * 60'000};
    // PEM certificates to trust; empty: the system's.
    std::string ca_file = {};
    // Per host; more are closed.
    std::size_t idle_connections_max = 32;
    // Ten times the longest answer of a model with all its events.
    std::size_t body_bytes_max = std::size_t{64} << 20;
};

struct ClientRequest {
    std::string method = "POST";
    Url url = {};  // `url.path` is sent as it is
    // Host, Content-Length, Connection and Accept-Encoding are ours.
    Headers headers = {};
    std::string body = {};
};

struct ResponseHead {
    int status = 0;
    std::string reason;
    Headers headers;
};

// All on the loop's thread, never inside of start(): on_head at most once, then on_body any number
// of times, and on_end once in any case. None after the Call was destroyed.
struct ClientCallbacks {
    std::function<void(const ResponseHead& head)> on_head = {};
    // The bytes of one read, decoded. Valid during the call.
    std::function<void(std::string_view bytes)> on_body = {};
    // Success: the body is complete (by its length, its chunks, or the end of a connection that
    // announced neither). Errors: kHostUnknown, kConnectFailed, kTlsFailed, kNetTimeout,
    // kConnectionLost, kHttpMalformed, kHttpTooLarge.
    std::function<void(base::Result<> result)> on_end = {};
};

// A running request. Destroying it on the loop's thread, also inside of a callback, cancels it: the
// connection is closed at once.
class Call {
  public:
    Call() = default;
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    virtual ~Call() = default;
};

namespace internal {
struct ClientState;
}

// Belongs to one loop and is used on its thread. May be destroyed while calls run.
class Client {
  public:
    Client(Loop& loop, ClientOptions options);
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client();

    // The request is on its way when it returns, if a connection is open.
    //
    // Sends again by itself only in one case: a kept-alive connection turned out to be closed
    // before any byte of an answer came. A Content-Encoding other than identity is kHttpMalformed.
    [[nodiscard]] std::unique_ptr<Call> start(ClientRequest request, ClientCallbacks callbacks);

  private:
    std::shared_ptr<internal::ClientState> state_;
};

}  // namespace arbiter::net
