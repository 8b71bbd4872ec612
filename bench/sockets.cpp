#include "bench/sockets.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "base/check.h"

namespace arbiter::bench {
namespace {

constexpr int kBacklog = 4096;

sockaddr_in address_of(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

template <typename Address>
sockaddr* generic(Address& address) {
    return reinterpret_cast<sockaddr*>(&address);
}

void send_at_once(int socket) {
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

void watch(int epoll, int socket) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = socket;
    CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0);
}

}  // namespace

void raise_file_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

std::uint16_t free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = address_of(0);
    socklen_t size = sizeof address;
    CHECK(bind(socket, generic(address), size) == 0);
    CHECK(getsockname(socket, generic(address), &size) == 0);
    close(socket);
    return ntohs(address.sin_port);
}

int listen_on(std::uint16_t port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address = address_of(port);
    CHECK(bind(listener, generic(address), sizeof address) == 0);
    CHECK(listen(listener, kBacklog) == 0);
    return listener;
}

int accept_from(int listener) {
    const int accepted = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted >= 0) {
        send_at_once(accepted);
    }
    return accepted;
}

int connect_to(std::uint16_t port) {
    const int connected = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = address_of(port);
    if (connected < 0 || connect(connected, generic(address), sizeof address) != 0) {
        if (connected >= 0) {
            close(connected);
        }
        return -1;
    }
    send_at_once(connected);
    return connected;
}

bool send_all(int socket, std::string_view bytes) {
    return send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
           static_cast<ssize_t>(bytes.size());
}

void relay(std::uint16_t from, std::uint16_t to) {
    raise_file_limit();
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    const int listener = listen_on(from);
    watch(epoll, listener);
    std::vector<int> other(1 << 16, -1);
    std::array<char, 1 << 16> buffer;
    std::array<epoll_event, 256> events;
    while (true) {
        const int count = epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
        for (int i = 0; i < count; ++i) {
            const int socket = events[static_cast<std::size_t>(i)].data.fd;
            if (socket == listener) {
                const int client = accept_from(listener);
                const int server = client >= 0 ? connect_to(to) : -1;
                if (server < 0) {
                    close(client);
                    continue;
                }
                other[static_cast<std::size_t>(client)] = server;
                other[static_cast<std::size_t>(server)] = client;
                watch(epoll, client);
                watch(epoll, server);
                continue;
            }
            const int peer = other[static_cast<std::size_t>(socket)];
            if (peer < 0) {
                continue;  // closed with its peer, by an event before this one
            }
            const ssize_t got = recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (got <= 0) {
                if (got < 0 && errno == EAGAIN) {
                    continue;
                }
                other[static_cast<std::size_t>(socket)] = -1;
                other[static_cast<std::size_t>(peer)] = -1;
                close(socket);
                close(peer);
                continue;
            }
            for (ssize_t sent = 0; sent < got;) {
                const ssize_t now = send(peer, buffer.data() + sent,
                                         static_cast<std::size_t>(got - sent), MSG_NOSIGNAL);
                if (now < 0) {
                    break;  // read() will tell
                }
                sent += now;
            }
        }
    }
}

}  // namespace arbiter::bench
