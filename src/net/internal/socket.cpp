#include "net/internal/socket.h"

#include <unistd.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <utility>

#include "net/internal/loop_impl.h"

namespace arbiter::net::internal {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Code = boost::system::error_code;

// Accepting pauses when the process has no file descriptors left.
constexpr std::chrono::milliseconds kAcceptPause{100};

// The address without its port; an IPv4 address in an IPv6 socket is shown as IPv4.
std::string peer_of(const tcp::socket& socket) {
    Code code;
    const asio::ip::address address = socket.remote_endpoint(code).address();
    if (address.is_v6() && address.to_v6().is_v4_mapped()) {
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
    }
    return address.to_string();
}

}  // namespace

struct Socket::Impl {
    tcp::socket socket;
    std::string peer;
    std::unique_ptr<TlsSession> tls;
};

namespace {

Socket new_socket(tcp::socket socket) {
    Code ignored;
    socket.non_blocking(true, ignored);
    socket.set_option(tcp::no_delay(true), ignored);
    std::string peer = peer_of(socket);
    return Socket(std::make_unique<Socket::Impl>(std::move(socket), std::move(peer), nullptr));
}

void wait(tcp::socket& socket, tcp::socket::wait_type type, std::function<void()> callback) {
    socket.async_wait(type, [callback = std::move(callback)](Code code) {
        if (code != asio::error::operation_aborted) {
            callback();  // an error shows itself at the next attempt
        }
    });
}

}  // namespace

std::span<char> read_buffer() {
    constexpr std::size_t kBytes = std::size_t{64} << 10;
    thread_local std::array<char, kBytes> buffer;
    return buffer;
}

Socket::Socket(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Socket::Socket(Socket&&) noexcept = default;
Socket::~Socket() = default;

void Socket::start_tls_server(std::shared_ptr<TlsContext> context) {
    impl_->tls = TlsSession::accept(std::move(context), impl_->socket.native_handle());
}

void Socket::start_tls_client(std::shared_ptr<TlsContext> context, const std::string& host) {
    impl_->tls = TlsSession::connect(std::move(context), impl_->socket.native_handle(), host);
}

Io Socket::handshake() {
    return impl_->tls ? impl_->tls->handshake() : Io{};
}

Io Socket::read(std::span<char> buffer) {
    return impl_->tls ? impl_->tls->read(buffer) : receive(impl_->socket.native_handle(), buffer);
}

Io Socket::write(std::string_view bytes) {
    return impl_->tls ? impl_->tls->write(bytes) : transmit(impl_->socket.native_handle(), bytes);
}

bool Socket::has_buffered() const {
    return impl_->tls && impl_->tls->has_buffered();
}

void Socket::when_readable(std::function<void()> callback) {
    wait(impl_->socket, tcp::socket::wait_read, std::move(callback));
}

void Socket::when_writable(std::function<void()> callback) {
    wait(impl_->socket, tcp::socket::wait_write, std::move(callback));
}

void Socket::end_writing() {
    if (impl_->tls) {
        impl_->tls->close();
    }
    Code ignored;
    impl_->socket.shutdown(tcp::socket::shutdown_send, ignored);
}

void Socket::close() {
    if (!is_open()) {
        return;
    }
    if (impl_->tls) {
        impl_->tls->close();
    }
    Code ignored;
    impl_->socket.close(ignored);
}

bool Socket::is_open() const {
    return impl_->socket.is_open();
}

const std::string& Socket::peer() const {
    return impl_->peer;
}

struct Listener::Impl : std::enable_shared_from_this<Listener::Impl> {
    Loops& loops;
    tcp::acceptor acceptor;
    OnAccept on_accept;
    std::unique_ptr<Loop::Timer> pause;
    std::uint16_t port = 0;

    Impl(Loops& all, OnAccept callback)
        : loops(all), acceptor(all.at(0).impl().context), on_accept(std::move(callback)) {}

    void accept() {
        Loop& loop = loops.next();
        acceptor.async_accept(loop.impl().context,
                              [self = shared_from_this(), &loop](Code code, tcp::socket socket) {
                                  if (!self->acceptor.is_open()) {
                                      return;
                                  }
                                  if (code) {
                                      self->pause = self->loops.at(0).after(kAcceptPause, [self] {
                                          if (self->acceptor.is_open()) {
                                              self->accept();
                                          }
                                      });
                                      return;
                                  }
                                  auto shared = std::make_shared<tcp::socket>(std::move(socket));
                                  loop.post([self, &loop, shared] {
                                      self->on_accept(loop, new_socket(std::move(*shared)));
                                  });
                                  self->accept();
                              });
    }
};

base::Result<std::unique_ptr<Listener>> Listener::open(Loops& loops, const Address& address,
                                                       OnAccept on_accept) {
    const auto failed = [&](const Code& code) {
        return base::fail(base::ErrorCode::kListenFailed, {print_address(address), code.message()});
    };
    auto impl = std::make_shared<Impl>(loops, std::move(on_accept));
    Code code;
    tcp::resolver resolver(loops.at(0).impl().context);
    const auto found =
        resolver.resolve(address.host, std::to_string(address.port), tcp::resolver::passive, code);
    if (code || found.empty()) {
        return base::fail(base::ErrorCode::kHostUnknown, {address.host});
    }
    const tcp::endpoint endpoint = found.begin()->endpoint();
    tcp::acceptor& acceptor = impl->acceptor;
    acceptor.open(endpoint.protocol(), code);
    if (!code) {
        acceptor.set_option(tcp::acceptor::reuse_address(true), code);
    }
    if (!code) {
        acceptor.bind(endpoint, code);
    }
    if (!code) {
        acceptor.listen(asio::socket_base::max_listen_connections, code);
    }
    if (code) {
        return failed(code);
    }
    impl->port = acceptor.local_endpoint(code).port();
    loops.at(0).post([impl] { impl->accept(); });
    return std::unique_ptr<Listener>(new Listener(std::move(impl)));
}

Listener::Listener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Listener::~Listener() = default;

std::uint16_t Listener::port() const noexcept {
    return impl_->port;
}

void Listener::close() {
    Code ignored;
    impl_->acceptor.close(ignored);
    impl_->pause = nullptr;
}

struct Connector::Impl : std::enable_shared_from_this<Connector::Impl> {
    Address address;
    OnDone on_done;
    tcp::resolver resolver;
    tcp::socket socket;
    bool is_cancelled = false;

    Impl(Loop& loop, const Address& to, OnDone callback)
        : address(to),
          on_done(std::move(callback)),
          resolver(loop.impl().context),
          socket(loop.impl().context) {}

    // An address needs no name server, nor the thread that asks it.
    void start() {
        Code is_name;
        const asio::ip::address known = asio::ip::make_address(address.host, is_name);
        if (is_name) {
            resolve();
        } else {
            connect(std::array{tcp::endpoint(known, address.port)});
        }
    }

    void resolve() {
        resolver.async_resolve(
            address.host, std::to_string(address.port),
            [self = shared_from_this()](Code code, const tcp::resolver::results_type& found) {
                if (self->is_cancelled) {
                    return;
                }
                if (code || found.empty()) {
                    self->finish(base::fail(base::ErrorCode::kHostUnknown, {self->address.host}));
                    return;
                }
                self->connect(found);
            });
    }

    // Tries one after another.
    template <typename Endpoints>
    void connect(const Endpoints& endpoints) {
        asio::async_connect(
            socket, endpoints, [self = shared_from_this()](Code code, const tcp::endpoint&) {
                if (self->is_cancelled) {
                    return;
                }
                if (code) {
                    self->finish(base::fail(base::ErrorCode::kConnectFailed,
                                            {print_address(self->address), code.message()}));
                } else {
                    self->register_anew();
                }
            });
    }

    // To connect, a socket is registered for writing, and Asio leaves it so: each wait for reading
    // would be woken once by a socket that can be written to. Registered anew it is not.
    void register_anew() {
        Code code;
        const tcp::endpoint own = socket.local_endpoint(code);
        const auto handle = socket.release(code);
        if (!code) {
            socket.assign(own.protocol(), handle, code);
            if (code) {
                ::close(handle);
            }
        }
        if (code) {
            finish(base::fail(base::ErrorCode::kConnectFailed,
                              {print_address(address), code.message()}));
        } else {
            finish(new_socket(std::move(socket)));
        }
    }

    void finish(base::Result<Socket> result) {
        is_cancelled = true;
        const OnDone now = std::exchange(on_done, nullptr);
        now(std::move(result));
    }
};

Connector::Connector(Loop& loop, const Address& address, OnDone on_done)
    : impl_(std::make_shared<Impl>(loop, address, std::move(on_done))) {
    impl_->start();
}

Connector::~Connector() {
    impl_->is_cancelled = true;
    impl_->on_done = nullptr;
    impl_->resolver.cancel();
    Code ignored;
    impl_->socket.close(ignored);
}

}  // namespace arbiter::net::internal
