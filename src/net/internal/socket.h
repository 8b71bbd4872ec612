// Sockets of an event loop: connections (plain or TLS), listeners and the connecting of new ones.
//
// Reads and writes are attempts that never block; when_readable() and when_writable() say when the
// next attempt is worth it. So a connection that waits needs no buffer. Used on the loop's thread,
// except where noted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/address.h"
#include "net/internal/tls.h"
#include "net/loop.h"

namespace arbiter::net::internal {

// The buffer of this thread for one read; its bytes are valid until the next read.
std::span<char> read_buffer();

class Socket {
  public:
    struct Impl;
    explicit Socket(std::unique_ptr<Impl> impl);
    Socket(Socket&&) noexcept;
    Socket& operator=(Socket&&) = delete;
    ~Socket();

    // From here on bytes are encrypted. handshake() is called until it is done.
    void start_tls_server(std::shared_ptr<TlsContext> context);
    void start_tls_client(std::shared_ptr<TlsContext> context, const std::string& host);
    Io handshake();

    Io read(std::span<char> buffer);
    Io write(std::string_view bytes);
    // True if read() has more bytes although the socket may not become readable.
    [[nodiscard]] bool has_buffered() const;

    // Calls once, later, on the loop. close() and forget() drop the callbacks.
    void when_readable(std::function<void()> callback);
    void when_writable(std::function<void()> callback);
    void forget();

    // Tells the peer that no more bytes follow.
    void end_writing();
    void close();
    [[nodiscard]] bool is_open() const;
    // The peer's address without its port.
    [[nodiscard]] const std::string& peer() const;

  private:
    std::unique_ptr<Impl> impl_;
};

// Accepts connections on the first loop and spreads them over all.
class Listener {
  public:
    // Called on the loop that the socket belongs to.
    using OnAccept = std::function<void(Loop&, Socket)>;
    // kListenFailed.
    static base::Result<std::unique_ptr<Listener>> open(Loops& loops, const Address& address,
                                                        OnAccept on_accept);
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener();
    [[nodiscard]] std::uint16_t port() const noexcept;
    // Stops. On the first loop's thread, or when the loops have stopped.
    void close();

  private:
    struct Impl;
    explicit Listener(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

// Resolves a name and connects to the first of its addresses that answers. Destruction cancels.
class Connector {
  public:
    using OnDone = std::function<void(base::Result<Socket>)>;
    // Calls back later, once: a socket, kHostUnknown or kConnectFailed.
    Connector(Loop& loop, const Address& address, OnDone on_done);
    Connector(const Connector&) = delete;
    Connector& operator=(const Connector&) = delete;
    ~Connector();

  private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace arbiter::net::internal
