#include "bench/turn_load.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "bench/measure.h"
#include "bench/served_campaigns.h"
#include "bench/sockets.h"

namespace arbiter::bench {
namespace {

constexpr double kSecond = 1e9;
constexpr double kTickNs = 10e6;
// An answer that takes longer is none.
constexpr double kPatienceNs = 30 * kSecond;
// Below the number that a server takes.
constexpr std::size_t kConnectionsMax = 8000;

std::string request_of(std::size_t campaign) {
    constexpr std::string_view kBody = R"({"said":"继续"})";
    return "POST /api/v1/campaigns/" + name_of(campaign) +
           "/turns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
           "Content-Length: " +
           std::to_string(kBody.size()) + "\r\n\r\n" + std::string(kBody);
}

// The value of a header field, as this server writes its name.
std::string_view field(std::string_view head, std::string_view name) {
    const std::size_t at = head.find(name);
    if (at == std::string_view::npos) {
        return {};
    }
    head.remove_prefix(at + name.size());
    return head.substr(0, head.find("\r\n"));
}

// The size of the whole answer; 0: its head has not come yet.
std::size_t size_of(std::string_view answer) {
    const std::size_t end = answer.find("\r\n\r\n");
    if (end == std::string_view::npos) {
        return 0;
    }
    const std::string_view length = field(answer.substr(0, end), "\r\nContent-Length: ");
    std::size_t bytes = 0;
    std::from_chars(length.data(), length.data() + length.size(), bytes);
    return end + 4 + bytes;
}

}  // namespace

TurnLoad::TurnLoad(std::uint16_t port)
    : port_(port), epoll_(epoll_create1(EPOLL_CLOEXEC)), connections_(std::size_t{1} << 16) {
    raise_file_limit();
    // Clients are other machines: the server must not take the time that they need. Without the
    // right to do so, more of the times is theirs.
    constexpr int kNiceness = -10;
    setpriority(PRIO_PROCESS, 0, kNiceness);
}

TurnLoad::~TurnLoad() {
    for (std::size_t i = 0; i < connections_.size(); ++i) {
        if (connections_[i].is_open) {
            close(static_cast<int>(i));
        }
    }
    close(epoll_);
}

TurnResult TurnLoad::run(const TurnPlan& plan, const std::function<void()>& on_tick) {
    plan_ = plan;
    result_ = {};
    due_ = open_ = 0;
    result_.began = now_ns();
    const double until = result_.began + plan.seconds * kSecond;
    double next_tick = 0;
    std::array<epoll_event, 256> events;
    for (double now = result_.began; now < until || open_ > 0; now = now_ns()) {
        CHECK(now < until + kPatienceNs);
        while (now < until && (plan.rate > 0 ? static_cast<double>(due_) <
                                                   (now - result_.began) * plan.rate / kSecond
                                             : open_ < plan.at_once)) {
            send_next();
        }
        const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 1);
        for (int i = 0; i < count; ++i) {
            read(events[static_cast<std::size_t>(i)].data.fd);
        }
        if (on_tick && now >= next_tick) {
            next_tick = now + kTickNs;
            on_tick();
        }
    }
    result_.ended = now_ns();
    return std::move(result_);
}

void TurnLoad::send_next() {
    const std::string request = request_of(due_++ % plan_.campaigns);
    int socket = -1;
    if (!idle_.empty()) {
        socket = idle_.back();
        idle_.pop_back();
    } else if (open_ >= kConnectionsMax) {
        ++result_.unsent;
        return;
    } else {
        socket = connect_to(port_);
        CHECK(socket >= 0);
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = socket;
        CHECK(epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) == 0);
    }
    Connection& connection = connections_[static_cast<std::size_t>(socket)];
    connection.is_open = true;
    ++open_;
    connection.since = result_.sent_until = now_ns();
    if (!send_all(socket, request)) {
        fail(socket, "cannot send");
    }
}

void TurnLoad::read(int socket) {
    static std::array<char, 1 << 16> buffer;
    Connection& connection = connections_[static_cast<std::size_t>(socket)];
    const ssize_t got = recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0) {
        if (got == 0 || errno != EAGAIN) {
            fail(socket, "the connection was closed");
        }
        return;
    }
    connection.answer.append(buffer.data(), static_cast<std::size_t>(got));
    if (const std::size_t size = size_of(connection.answer);
        size > 0 && connection.answer.size() >= size) {
        take(socket, std::exchange(connection.answer, {}));
    }
}

void TurnLoad::take(int socket, const std::string& answer) {
    --open_;
    idle_.push_back(socket);
    const double now = now_ns();
    const AnsweredTurn turn{now, now - connections_[static_cast<std::size_t>(socket)].since};
    const bool is_refused =
        (answer.starts_with("HTTP/1.1 503 ") || answer.starts_with("HTTP/1.1 429 ")) &&
        !field(answer, "\r\nRetry-After: ").empty();
    if (answer.starts_with("HTTP/1.1 200 ") && answer.contains(R"("status":"committed")")) {
        result_.committed.push_back(turn);
    } else if (is_refused) {
        result_.refused.push_back(turn);
    } else if (result_.failed++ == 0) {
        result_.problem = answer;
    }
}

void TurnLoad::fail(int socket, std::string problem) {
    Connection& connection = connections_[static_cast<std::size_t>(socket)];
    // A connection that waits for its next turn may be closed by the server.
    if (std::erase(idle_, socket) == 0) {
        --open_;
        if (result_.failed++ == 0) {
            result_.problem = std::move(problem);
        }
    }
    connection = {};
    close(socket);
}

}  // namespace arbiter::bench
