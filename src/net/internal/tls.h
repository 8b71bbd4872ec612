// TLS over a non-blocking socket. One TlsContext for all connections of a server or client.
//
// Thread safety: a context may be used from any thread, a session on the thread of its connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbiter::net::internal {

// The result of one attempt to read or write.
struct Io {
    enum class Status : std::uint8_t {
        kDone,       // `bytes` were moved
        kWaitRead,   // try again when the socket is readable
        kWaitWrite,  // try again when the socket is writable
        kEnd,        // the peer will not send more
        kFailed      // `reason`
    };
    Status status = Status::kDone;
    std::size_t bytes = 0;
    std::string reason = {};
};

// Reads and writes of the plain socket. Never block and never raise SIGPIPE.
Io receive(int socket, std::span<char> buffer);
Io transmit(int socket, std::string_view bytes);

class TlsContext {
  public:
    // PEM files: the certificate with its chain, and its key. kTlsFailed names the file.
    static base::Result<std::shared_ptr<TlsContext>> for_server(const std::string& certificate_file,
                                                                const std::string& key_file);
    // `ca_file`: PEM certificates to trust; empty: the system's.
    static base::Result<std::shared_ptr<TlsContext>> for_client(const std::string& ca_file);
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;
    ~TlsContext();

  private:
    friend class TlsSession;
    struct Impl;
    explicit TlsContext(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

class TlsSession {
  public:
    static std::unique_ptr<TlsSession> accept(std::shared_ptr<TlsContext> context, int socket);
    // Verifies that the certificate is for `host`, a name or an IP address.
    static std::unique_ptr<TlsSession> connect(std::shared_ptr<TlsContext> context, int socket,
                                               const std::string& host);
    TlsSession(const TlsSession&) = delete;
    TlsSession& operator=(const TlsSession&) = delete;
    ~TlsSession();

    // kDone once the session is established.
    Io handshake();
    // kEnd only after the peer's closing message; a connection that just ends is kFailed.
    Io read(std::span<char> buffer);
    Io write(std::string_view bytes);
    // True if read() has bytes for which the socket will not become readable.
    [[nodiscard]] bool has_buffered() const;
    // True if the last read() took all bytes that the socket had.
    [[nodiscard]] bool has_drained() const;
    // Sends the closing message, as far as the socket takes it.
    void close();

  private:
    struct Impl;
    explicit TlsSession(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace arbiter::net::internal
