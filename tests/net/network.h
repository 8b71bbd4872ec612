// Tools of the network tests: a server on a free port of the loopback, sockets that send any bytes,
// and a client that waits. All waits have a limit that only a failing test reaches.
#pragma once

#include <arpa/inet.h>
#include <dirent.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "net/client.h"
#include "net/server.h"

namespace arbiter::net {

inline constexpr std::chrono::seconds kPatience{20};

// Waits until a condition of another thread holds.
inline bool eventually(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

// The open file descriptors of the process.
inline std::size_t open_files() {
    std::size_t count = 0;
    DIR* const folder = opendir("/proc/self/fd");
    while (readdir(folder) != nullptr) {
        ++count;
    }
    closedir(folder);
    return count;
}

// Threads of a handler. They are joined before the server that they answer for ends.
class Background {
  public:
    Background() = default;
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    ~Background() { join(); }
    void run(std::function<void()> work) {
        const std::lock_guard lock(mutex_);
        threads_.emplace_back(std::move(work));
    }
    void join() {
        const std::lock_guard lock(mutex_);
        for (std::thread& thread : threads_) {
            thread.join();
        }
        threads_.clear();
    }

  private:
    std::mutex mutex_;
    std::vector<std::thread> threads_;
};

// A blocking TCP socket that sends any bytes.
class RawSocket {
  public:
    explicit RawSocket(std::uint16_t port, int receive_buffer = 0) {
        socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (receive_buffer > 0) {
            setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        }
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        is_connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    }
    // Takes over an accepted socket.
    struct Accepted {
        int socket;
    };
    explicit RawSocket(Accepted accepted) : socket_(accepted.socket), is_connected_(true) {}
    RawSocket(RawSocket&& other) noexcept
        : socket_(std::exchange(other.socket_, -1)), is_connected_(other.is_connected_) {}
    RawSocket(const RawSocket&) = delete;
    RawSocket& operator=(const RawSocket&) = delete;
    RawSocket& operator=(RawSocket&&) = delete;
    ~RawSocket() { close(); }

    [[nodiscard]] bool is_connected() const { return is_connected_; }

    // False if the peer did not take all bytes.
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            pollfd waiting{.fd = socket_, .events = POLLOUT, .revents = 0};
            if (poll(&waiting, 1, kPatienceMs) <= 0) {
                return false;
            }
            const ssize_t sent =
                ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent < 0 && errno != EAGAIN) {
                return false;
            }
            bytes.remove_prefix(sent < 0 ? 0 : static_cast<std::size_t>(sent));
        }
        return true;
    }

    // The bytes of the next read; empty at the end or after a reset.
    std::string receive(std::size_t bytes_max = 65536) {
        pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
        if (poll(&waiting, 1, kPatienceMs) <= 0) {
            ADD_FAILURE() << "nothing arrived";
            return {};
        }
        std::string buffer(bytes_max, '\0');
        const ssize_t size = ::recv(socket_, buffer.data(), buffer.size(), 0);
        was_reset_ = size < 0;
        buffer.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
        return buffer;
    }
    std::string receive_until(std::string_view end) {
        std::string all;
        while (!all.contains(end)) {
            const std::string more = receive();
            if (more.empty()) {
                break;
            }
            all += more;
        }
        return all;
    }
    // Everything until the peer closes.
    std::string receive_all() {
        std::string all;
        while (true) {
            const std::string more = receive();
            if (more.empty()) {
                return all;
            }
            all += more;
        }
    }

    void end_writing() { shutdown(socket_, SHUT_WR); }
    void reset() {
        const linger now{.l_onoff = 1, .l_linger = 0};
        setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        close();
    }
    void close() {
        if (socket_ >= 0) {
            ::close(std::exchange(socket_, -1));
        }
    }
    [[nodiscard]] bool was_reset() const { return was_reset_; }

  private:
    static constexpr int kPatienceMs = 20'000;
    int socket_ = -1;
    bool is_connected_ = false;
    bool was_reset_ = false;
};

// The answer to one call of the client.
struct Fetched {
    std::optional<ResponseHead> head;
    std::string body;
    std::size_t pieces = 0;
    base::Result<> result;
};

// A client on a loop of its own, used from the test's thread.
class WaitingClient {
  public:
    explicit WaitingClient(ClientOptions options = {}) {
        run([&] { client_ = std::make_unique<Client>(loops_.at(0), std::move(options)); });
    }
    WaitingClient(const WaitingClient&) = delete;
    WaitingClient& operator=(const WaitingClient&) = delete;
    ~WaitingClient() {
        run([&] { client_ = nullptr; });
    }

    Fetched fetch(ClientRequest request) {
        Fetched fetched;
        std::promise<void> ended;
        std::unique_ptr<Call> call;
        run([&] {
            call =
                client_->start(std::move(request),
                               {.on_head = [&](const ResponseHead& head) { fetched.head = head; },
                                .on_body =
                                    [&](std::string_view bytes) {
                                        fetched.body += bytes;
                                        ++fetched.pieces;
                                    },
                                .on_end =
                                    [&](base::Result<> result) {
                                        fetched.result = std::move(result);
                                        ended.set_value();
                                    }});
        });
        if (ended.get_future().wait_for(2 * kPatience) != std::future_status::ready) {
            ADD_FAILURE() << "the call did not end";
        }
        run([&] { call = nullptr; });
        return fetched;
    }
    Fetched get(std::uint16_t port, std::string path = "/") {
        return fetch({.method = "GET", .url = {false, "127.0.0.1", port, std::move(path)}});
    }
    Fetched post(std::uint16_t port, std::string body, std::string path = "/") {
        return fetch({.method = "POST",
                      .url = {false, "127.0.0.1", port, std::move(path)},
                      .body = std::move(body)});
    }

    // Runs something on the loop and waits for it.
    void run(const std::function<void()>& work) {
        std::promise<void> done;
        loops_.at(0).post([&] {
            work();
            done.set_value();
        });
        done.get_future().wait();
    }
    Loop& loop() { return loops_.at(0); }
    Client& client() { return *client_; }

  private:
    Loops loops_{1};
    std::unique_ptr<Client> client_;
};

// A server on a free port; each test gives its handler.
class RunningServer {
  public:
    explicit RunningServer(Handler handler, ServerOptions options = {}, std::size_t loops = 2)
        : loops_(loops) {
        auto server =
            Server::listen(loops_, {"127.0.0.1", 0}, std::move(options), std::move(handler));
        EXPECT_TRUE(server);
        server_ = *std::move(server);
    }
    [[nodiscard]] std::uint16_t port() const { return server_->port(); }
    [[nodiscard]] Server::Counts counts() const { return server_->counts(); }
    Server& server() { return *server_; }
    Loops& loops() { return loops_; }

    RawSocket connect(int receive_buffer = 0) { return RawSocket(port(), receive_buffer); }
    // Sends bytes and reads until the server closes.
    std::string ask(std::string_view bytes) {
        RawSocket socket = connect();
        socket.send(bytes);
        return socket.receive_all();
    }
    // No connections and no exchanges are left.
    bool is_quiet() {
        return eventually([&] {
            const Server::Counts now = counts();
            return now.connections == 0 && now.exchanges == 0;
        });
    }

  private:
    Loops loops_;
    std::unique_ptr<Server> server_;
};

// Answers with method, path, query and body of the request.
inline void echo(const std::shared_ptr<Exchange>& exchange) {
    const Request& request = exchange->request();
    exchange->respond(
        {.headers = {{"Content-Type", "text/plain"}},
         .body = request.method + " " + request.path + " " + request.query + " " + request.body});
}

}  // namespace arbiter::net
