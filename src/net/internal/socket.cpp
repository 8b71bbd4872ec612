#include "net/internal/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "net/internal/loop_impl.h"

namespace arbiter::net::internal {
namespace {

// Accepting pauses when the process has no file descriptors left.
constexpr std::chrono::milliseconds kAcceptPause{100};
// Connections that are accepted before others of the loop have their turn.
constexpr int kAcceptsInARow = 64;

std::string message_of(int code) {
    return std::generic_category().message(code);
}

// A descriptor; the destructor closes it.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
    Descriptor& operator=(Descriptor&& from) noexcept {
        std::swap(number_, from.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
    [[nodiscard]] int get() const noexcept { return number_; }

  private:
    int number_;
};

// A descriptor whose events the loop watches.
class WatchedDescriptor {
  public:
    WatchedDescriptor(Loop& loop, Descriptor descriptor)
        : loop_(loop.impl()), descriptor_(std::move(descriptor)) {
        loop_.watch(descriptor_.get());
    }
    WatchedDescriptor(const WatchedDescriptor&) = delete;
    WatchedDescriptor& operator=(const WatchedDescriptor&) = delete;
    ~WatchedDescriptor() { close(); }

    void close() { (void)release(); }
    // To be watched by another one, or nothing.
    Descriptor release() {
        if (descriptor_.is_open()) {
            loop_.ignore(descriptor_.get());
        }
        return std::move(descriptor_);
    }
    [[nodiscard]] bool is_open() const noexcept { return descriptor_.is_open(); }
    [[nodiscard]] int get() const noexcept { return descriptor_.get(); }
    [[nodiscard]] Loop::Impl& loop() const noexcept { return loop_; }

  private:
    Loop::Impl& loop_;
    Descriptor descriptor_;
};

struct Endpoint {
    sockaddr_storage address = {};
    socklen_t size = 0;
    [[nodiscard]] const sockaddr* get() const noexcept {
        return reinterpret_cast<const sockaddr*>(&address);
    }
    [[nodiscard]] sockaddr* get() noexcept { return reinterpret_cast<sockaddr*>(&address); }
};

// May wait, unless AI_NUMERICHOST is among the flags. Empty: there is no such name.
std::vector<Endpoint> resolve(const Address& address, int flags) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    if (getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found) !=
        0) {
        return {};
    }
    std::vector<Endpoint> endpoints;
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        Endpoint& made = endpoints.emplace_back();
        std::memcpy(&made.address, each->ai_addr, each->ai_addrlen);
        made.size = each->ai_addrlen;
    }
    freeaddrinfo(found);
    return endpoints;
}

Descriptor open_socket(const Endpoint& endpoint) {
    return Descriptor(
        socket(endpoint.get()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

void switch_on(int descriptor, int level, int option) {
    const int yes = 1;
    setsockopt(descriptor, level, option, &yes, sizeof yes);
}

// The address without its port; an IPv4 address in an IPv6 socket is shown as IPv4.
std::string peer_of(int descriptor) {
    Endpoint peer;
    peer.size = sizeof peer.address;
    std::array<char, NI_MAXHOST> text{};
    if (getpeername(descriptor, peer.get(), &peer.size) != 0 ||
        getnameinfo(peer.get(), peer.size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) !=
            0) {
        return "0.0.0.0";  // gone already: the first read tells
    }
    constexpr std::string_view kMapped = "::ffff:";
    std::string_view address(text.data());
    if (address.starts_with(kMapped) && address.contains('.')) {
        address.remove_prefix(kMapped.size());
    }
    return std::string(address);
}

}  // namespace

struct Socket::Impl {
    WatchedDescriptor descriptor;
    std::string peer;
    std::unique_ptr<TlsSession> tls;

    Impl(Loop& loop, Descriptor of)
        : descriptor(loop, std::move(of)), peer(peer_of(descriptor.get())) {
        switch_on(descriptor.get(), IPPROTO_TCP, TCP_NODELAY);
    }

    // Notes how far the attempt used the socket up.
    Io noted(Io io, bool is_empty) {
        if (io.status == Io::Status::kWaitRead || is_empty) {
            descriptor.loop().note_empty(descriptor.get());
        } else if (io.status == Io::Status::kWaitWrite) {
            descriptor.loop().note_full(descriptor.get());
        }
        return io;
    }
};

namespace {

Socket new_socket(Loop& loop, Descriptor descriptor) {
    return Socket(std::make_unique<Socket::Impl>(loop, std::move(descriptor)));
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
    impl_->tls = TlsSession::accept(std::move(context), impl_->descriptor.get());
}

void Socket::start_tls_client(std::shared_ptr<TlsContext> context, const std::string& host) {
    impl_->tls = TlsSession::connect(std::move(context), impl_->descriptor.get(), host);
}

Io Socket::handshake() {
    return impl_->tls ? impl_->noted(impl_->tls->handshake(), false) : Io{};
}

Io Socket::read(std::span<char> buffer) {
    if (impl_->tls) {
        return impl_->noted(impl_->tls->read(buffer), false);
    }
    Io io = receive(impl_->descriptor.get(), buffer);
    // Less than there is room for is all that there was.
    const bool is_empty = io.status == Io::Status::kDone && io.bytes < buffer.size();
    return impl_->noted(std::move(io), is_empty);
}

Io Socket::write(std::string_view bytes) {
    return impl_->noted(
        impl_->tls ? impl_->tls->write(bytes) : transmit(impl_->descriptor.get(), bytes), false);
}

bool Socket::has_buffered() const {
    return impl_->tls && impl_->tls->has_buffered();
}

void Socket::when_readable(std::function<void()> callback) {
    if (is_open()) {
        impl_->descriptor.loop().when_readable(impl_->descriptor.get(), std::move(callback));
    }
}

void Socket::when_writable(std::function<void()> callback) {
    if (is_open()) {
        impl_->descriptor.loop().when_writable(impl_->descriptor.get(), std::move(callback));
    }
}

void Socket::end_writing() {
    if (!is_open()) {
        return;
    }
    if (impl_->tls) {
        impl_->tls->close();
    }
    shutdown(impl_->descriptor.get(), SHUT_WR);
}

void Socket::close() {
    if (!is_open()) {
        return;
    }
    if (impl_->tls) {
        impl_->tls->close();
    }
    impl_->descriptor.close();
}

bool Socket::is_open() const {
    return impl_->descriptor.is_open();
}

const std::string& Socket::peer() const {
    return impl_->peer;
}

struct Listener::Impl : std::enable_shared_from_this<Listener::Impl> {
    Loops& loops;
    OnAccept on_accept;
    Descriptor opened;                           // until the first loop watches it
    std::optional<WatchedDescriptor> listening;  // on the first loop
    std::unique_ptr<Loop::Timer> pause;
    std::uint16_t port = 0;
    bool is_closed = false;

    Impl(Loops& all, OnAccept callback) : loops(all), on_accept(std::move(callback)) {}

    void start() {
        if (!is_closed) {
            listening.emplace(loops.at(0), std::move(opened));
            accept();
        }
    }

    void accept() {
        for (int i = 0; i < kAcceptsInARow; ++i) {
            if (is_closed) {
                return;
            }
            Descriptor accepted(
                accept4(listening->get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
            if (accepted.is_open()) {
                Loop& loop = loops.next();
                const auto shared = std::make_shared<Descriptor>(std::move(accepted));
                loop.post([self = shared_from_this(), &loop, shared] {
                    self->on_accept(loop, new_socket(loop, std::move(*shared)));
                });
                continue;
            }
            if (errno == EAGAIN) {
                Loop::Impl& loop = listening->loop();
                loop.note_empty(listening->get());
                loop.when_readable(listening->get(),
                                   [self = shared_from_this()] { self->accept(); });
                return;
            }
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                pause = loops.at(0).after(kAcceptPause,
                                          [self = shared_from_this()] { self->accept(); });
                return;
            }
            // A connection that has ended already.
        }
        loops.at(0).post([self = shared_from_this()] { self->accept(); });
    }

    void close() {
        is_closed = true;
        pause = nullptr;
        opened = Descriptor();
        listening.reset();
    }
};

base::Result<std::unique_ptr<Listener>> Listener::open(Loops& loops, const Address& address,
                                                       OnAccept on_accept) {
    const std::vector<Endpoint> found = resolve(address, AI_PASSIVE);
    if (found.empty()) {
        return base::fail(base::ErrorCode::kHostUnknown, {address.host});
    }
    auto impl = std::make_shared<Impl>(loops, std::move(on_accept));
    impl->opened = open_socket(found[0]);
    const int descriptor = impl->opened.get();
    Endpoint bound;
    bound.size = sizeof bound.address;
    if (descriptor >= 0) {
        switch_on(descriptor, SOL_SOCKET, SO_REUSEADDR);
    }
    if (descriptor < 0 || bind(descriptor, found[0].get(), found[0].size) != 0 ||
        listen(descriptor, SOMAXCONN) != 0 ||
        getsockname(descriptor, bound.get(), &bound.size) != 0) {
        return base::fail(base::ErrorCode::kListenFailed,
                          {print_address(address), message_of(errno)});
    }
    impl->port = ntohs(bound.address.ss_family == AF_INET6
                           ? reinterpret_cast<const sockaddr_in6*>(bound.get())->sin6_port
                           : reinterpret_cast<const sockaddr_in*>(bound.get())->sin_port);
    loops.at(0).post([impl] { impl->start(); });
    return std::unique_ptr<Listener>(new Listener(std::move(impl)));
}

Listener::Listener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Listener::~Listener() = default;

std::uint16_t Listener::port() const noexcept {
    return impl_->port;
}

void Listener::close() {
    impl_->close();
}

struct Connector::Impl : std::enable_shared_from_this<Connector::Impl> {
    Loop& loop;
    Address address;
    OnDone on_done;
    std::vector<Endpoint> endpoints;
    std::size_t next = 0;  // endpoint
    std::optional<WatchedDescriptor> connecting;
    bool is_cancelled = false;

    Impl(Loop& of, const Address& to, OnDone callback)
        : loop(of), address(to), on_done(std::move(callback)) {}

    void start() {
        endpoints = resolve(address, AI_NUMERICHOST);
        if (!endpoints.empty()) {
            loop.post([self = shared_from_this()] { self->connect(0); });
            return;
        }
        loop.impl().run_apart([self = shared_from_this()]() mutable {
            auto found = resolve(self->address, AI_ADDRCONFIG);
            Loop& to = self->loop;
            // The connector belongs to the loop.
            to.post([self = std::move(self), found = std::move(found)]() mutable {
                self->endpoints = std::move(found);
                self->connect(0);
            });
        });
    }

    // Tries the next endpoint; `code` is why the last one failed.
    void connect(int code) {
        if (is_cancelled) {
            return;
        }
        connecting.reset();
        if (endpoints.empty()) {
            finish(base::fail(base::ErrorCode::kHostUnknown, {address.host}));
            return;
        }
        if (next == endpoints.size()) {
            finish(base::fail(base::ErrorCode::kConnectFailed,
                              {print_address(address), message_of(code)}));
            return;
        }
        const Endpoint& endpoint = endpoints[next++];
        Descriptor made = open_socket(endpoint);
        if (!made.is_open()) {
            connect(errno);
            return;
        }
        if (::connect(made.get(), endpoint.get(), endpoint.size) == 0) {
            finish(new_socket(loop, std::move(made)));
            return;
        }
        if (errno != EINPROGRESS) {
            connect(errno);
            return;
        }
        connecting.emplace(loop, std::move(made));
        loop.impl().note_full(connecting->get());
        loop.impl().when_writable(connecting->get(),
                                  [self = shared_from_this()] { self->connected(); });
    }

    void connected() {
        int code = 0;
        socklen_t size = sizeof code;
        getsockopt(connecting->get(), SOL_SOCKET, SO_ERROR, &code, &size);
        if (code != 0) {
            connect(code);
            return;
        }
        finish(new_socket(loop, connecting->release()));
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
    impl_->connecting.reset();
}

}  // namespace arbiter::net::internal
