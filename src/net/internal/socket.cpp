#include "net/internal/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "net/internal/loop_impl.h"

namespace arbiter::net::internal {
namespace {

// Accepting pauses when the process has no file descriptors left.
constexpr std::chrono::milliseconds kAcceptPause{100};
// Connections that are accepted before others of the loop have their turn.
constexpr int kAcceptsInARow = 64;

std::string reason_of(int code) {
    return std::generic_category().message(code);
}

Descriptor new_descriptor(const Endpoint& endpoint) {
    return Descriptor(socket(endpoint.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
                             IPPROTO_TCP));
}

const sockaddr* address_of(const Endpoint& endpoint) {
    return reinterpret_cast<const sockaddr*>(&endpoint.address);
}

sockaddr* address_of(Endpoint& endpoint) {
    return reinterpret_cast<sockaddr*>(&endpoint.address);
}

void set_option(int socket, int level, int option) {
    constexpr int kOn = 1;
    setsockopt(socket, level, option, &kOn, sizeof kOn);
}

}  // namespace

struct Socket::Impl {
    std::unique_ptr<Watch> watch;  // nothing: closed
    std::string peer;
    std::unique_ptr<TlsSession> tls = nullptr;
};

namespace {

Socket new_socket(std::unique_ptr<Watch> watch, const Endpoint& peer) {
    set_option(watch->socket(), IPPROTO_TCP, TCP_NODELAY);
    return Socket(std::make_unique<Socket::Impl>(std::move(watch), host_of(peer)));
}

// Tells the watch what an attempt has found.
Io noted(Watch& watch, Io io) {
    if (io.status == Io::Status::kWaitRead) {
        watch.set_unreadable();
    } else if (io.status == Io::Status::kWaitWrite) {
        watch.set_unwritable();
    }
    return io;
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
    impl_->tls = TlsSession::accept(std::move(context), impl_->watch->socket());
}

void Socket::start_tls_client(std::shared_ptr<TlsContext> context, const std::string& host) {
    impl_->tls = TlsSession::connect(std::move(context), impl_->watch->socket(), host);
}

Io Socket::handshake() {
    return impl_->tls ? noted(*impl_->watch, impl_->tls->handshake()) : Io{};
}

Io Socket::read(std::span<char> buffer) {
    Watch& watch = *impl_->watch;
    Io io = impl_->tls ? impl_->tls->read(buffer) : receive(watch.socket(), buffer);
    const bool has_drained = impl_->tls ? impl_->tls->has_drained() : io.bytes < buffer.size();
    if (io.status == Io::Status::kDone && has_drained) {
        watch.set_drained();
    }
    return noted(watch, std::move(io));
}

Io Socket::write(std::string_view bytes) {
    Watch& watch = *impl_->watch;
    return noted(watch, impl_->tls ? impl_->tls->write(bytes) : transmit(watch.socket(), bytes));
}

bool Socket::has_buffered() const {
    return impl_->tls && impl_->tls->has_buffered();
}

void Socket::when_readable(std::function<void()> callback) {
    impl_->watch->when_readable(std::move(callback));
}

void Socket::when_writable(std::function<void()> callback) {
    impl_->watch->when_writable(std::move(callback));
}

void Socket::forget() {
    impl_->watch->forget();
}

void Socket::end_writing() {
    if (impl_->tls) {
        impl_->tls->close();
    }
    shutdown(impl_->watch->socket(), SHUT_WR);
}

void Socket::close() {
    if (!is_open()) {
        return;
    }
    if (impl_->tls) {
        impl_->tls->close();
    }
    impl_->watch = nullptr;
}

bool Socket::is_open() const {
    return impl_->watch != nullptr;
}

const std::string& Socket::peer() const {
    return impl_->peer;
}

struct Listener::Impl {
    Loops& loops;
    OnAccept on_accept;
    Descriptor socket = {};  // until it is watched
    std::unique_ptr<Watch> watch = {};
    std::unique_ptr<Loop::Timer> pause = {};
    std::uint16_t port = 0;

    void accept() {
        for (int accepted = 0; accepted < kAcceptsInARow; ++accepted) {
            Endpoint peer;
            const int made = accept4(watch->socket(), address_of(peer), &peer.size,
                                     SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (made >= 0) {
                hand_over(Descriptor(made), peer);
            } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
                watch->set_unreadable();
                break;
            } else if (errno != EINTR && errno != ECONNABORTED) {
                pause = loops.at(0).after(kAcceptPause, [this] { accept(); });
                return;
            }
        }
        watch->when_readable([this] { accept(); });
    }

    // To the loop that the connection will belong to.
    void hand_over(Descriptor made, const Endpoint& peer) {
        Loop& loop = loops.next();
        loop.post([&loop, peer, on_accept = on_accept,
                   shared = std::make_shared<Descriptor>(std::move(made))] {
            // Without room to watch it, the connection is closed.
            if (auto watch = Watch::open(loop, std::move(*shared))) {
                on_accept(loop, new_socket(std::move(watch), peer));
            }
        });
    }
};

base::Result<std::unique_ptr<Listener>> Listener::open(Loops& loops, const Address& address,
                                                       OnAccept on_accept) {
    const auto failed = [&] {
        return base::fail(base::ErrorCode::kListenFailed,
                          {print_address(address), reason_of(errno)});
    };
    const std::vector<Endpoint> found = addresses_to_listen(address.host, address.port);
    if (found.empty()) {
        return base::fail(base::ErrorCode::kHostUnknown, {address.host});
    }
    const Endpoint& endpoint = found.front();
    auto impl = std::make_shared<Impl>(loops, std::move(on_accept), new_descriptor(endpoint));
    const int socket = impl->socket.get();
    if (socket < 0) {
        return failed();
    }
    set_option(socket, SOL_SOCKET, SO_REUSEADDR);
    Endpoint own;
    if (bind(socket, address_of(endpoint), endpoint.size) != 0 || listen(socket, SOMAXCONN) != 0 ||
        getsockname(socket, address_of(own), &own.size) != 0) {
        return failed();
    }
    impl->port = port_of(own);
    loops.at(0).post([impl] {
        if (impl->socket) {
            impl->watch = Watch::open(impl->loops.at(0), std::move(impl->socket));
            CHECK(impl->watch != nullptr);
            impl->accept();
        }
    });
    return std::unique_ptr<Listener>(new Listener(std::move(impl)));
}

Listener::Listener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Listener::~Listener() = default;

std::uint16_t Listener::port() const noexcept {
    return impl_->port;
}

void Listener::close() {
    impl_->socket = {};
    impl_->watch = nullptr;
    impl_->pause = nullptr;
}

struct Connector::Impl : std::enable_shared_from_this<Connector::Impl> {
    Loop& loop;
    Address address;
    OnDone on_done;
    std::vector<Endpoint> endpoints = {};
    std::size_t next = 0;  // of them to be tried
    std::unique_ptr<Watch> watch = {};

    Impl(Loop& of, const Address& to, OnDone callback)
        : loop(of), address(to), on_done(std::move(callback)) {}

    // Calls on the loop, unless the connector is gone by then.
    auto later(void (Impl::*method)()) {
        return [weak = weak_from_this(), method] {
            if (const std::shared_ptr<Impl> self = weak.lock()) {
                ((*self).*method)();
            }
        };
    }

    // An address needs no name server, nor the thread that asks it.
    void start() {
        endpoints = address_of_literal(address.host, address.port);
        if (!endpoints.empty()) {
            loop.post(later(&Impl::try_next));
            return;
        }
        std::unique_ptr<Resolver>& resolver = loop.impl().resolver;
        if (resolver == nullptr) {
            resolver = std::make_unique<Resolver>();
        }
        resolver->find(address.host, address.port, weak_from_this(),
                       [weak = weak_from_this(), &on = loop](std::vector<Endpoint> found) {
                           on.post([weak, found = std::move(found)] {
                               if (const std::shared_ptr<Impl> self = weak.lock()) {
                                   self->endpoints = found;
                                   self->try_next();
                               }
                           });
                       });
    }

    // The addresses are tried one after another.
    void try_next() {
        int failure = 0;
        while (next < endpoints.size()) {
            const Endpoint& endpoint = endpoints[next++];
            Descriptor made = new_descriptor(endpoint);
            if (made && (connect(made.get(), address_of(endpoint), endpoint.size) == 0 ||
                         errno == EINPROGRESS)) {
                watch = Watch::open(loop, std::move(made));
                if (watch != nullptr) {
                    watch->when_writable(later(&Impl::connected));
                    return;
                }
            }
            failure = errno;
        }
        fail(failure);
    }

    // Or not.
    void connected() {
        int failure = 0;
        socklen_t size = sizeof failure;
        getsockopt(watch->socket(), SOL_SOCKET, SO_ERROR, &failure, &size);
        if (failure == 0) {
            finish(new_socket(std::move(watch), endpoints[next - 1]));
        } else if (next < endpoints.size()) {
            try_next();
        } else {
            fail(failure);
        }
    }

    void fail(int failure) {
        if (endpoints.empty()) {
            finish(base::fail(base::ErrorCode::kHostUnknown, {address.host}));
        } else {
            finish(base::fail(base::ErrorCode::kConnectFailed,
                              {print_address(address), reason_of(failure)}));
        }
    }

    void finish(base::Result<Socket> result) {
        const OnDone now = std::exchange(on_done, nullptr);
        now(std::move(result));
    }
};

Connector::Connector(Loop& loop, const Address& address, OnDone on_done)
    : impl_(std::make_shared<Impl>(loop, address, std::move(on_done))) {
    impl_->start();
}

Connector::~Connector() = default;

}  // namespace arbiter::net::internal
