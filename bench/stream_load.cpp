#include "bench/stream_load.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

#include "base/check.h"
#include "bench/measure.h"
#include "bench/sockets.h"
#include "text/utf8.h"

namespace arbiter::bench {
namespace {

// Every event has one, nothing else does.
constexpr std::string_view kMark = "风";
// Behind it stands the number of the stream, in requests.
constexpr std::string_view kNumberMark = "#stream ";
constexpr std::size_t kNumberDigits = 6;
constexpr std::string_view kDay = ", day ";
constexpr std::size_t kRequestBytes = 2048;
constexpr std::string_view kStatus = "HTTP/1.1 200";
constexpr std::string_view kEnd = "\r\n0\r\n\r\n";

std::string chunk_of(std::string_view bytes) {
    std::array<char, 16> size{};
    char* const end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
    return std::string(size.data(), end) + "\r\n" + std::string(bytes) + "\r\n";
}

std::string event_of(std::string_view delta, std::string_view finish) {
    return "data: {\"id\":\"chatcmpl-8f2e61\",\"object\":\"chat.completion.chunk\",\"created\":"
           "1760000000,\"model\":\"mock\",\"choices\":[{\"index\":0,\"delta\":{" +
           std::string(delta) + "},\"finish_reason\":" + std::string(finish) + "}]}\n\n";
}

const std::string kEventChunk = chunk_of(event_of(R"("content":"晚风吹过")", "null"));
// The first words of the reply of a turn: no two turns have the same.
std::string words_of_reply(std::size_t turn) {
    std::string words = "晚风吹过";
    std::size_t bits = turn * 0x9E3779B97F4A7C15U;
    for (int i = 0; i < 8; ++i, bits >>= 7) {
        text::append(words, static_cast<char32_t>(0x4E00 + bits % 0x5000));
    }
    return words;
}

std::string first_chunk_of(std::size_t turn) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: "
           "chunked\r\n\r\n" +
           chunk_of(event_of("\"content\":\"" + words_of_reply(turn) + "\"", "null"));
}

const std::string kLastChunk =
    chunk_of(event_of("", "\"stop\"") + "data: [DONE]\n\n") + "0\r\n\r\n";

std::string words_of(std::size_t stream, std::size_t turn) {
    std::string number = std::to_string(stream);
    number.insert(0, kNumberDigits - number.size(), '0');
    return R"({"role":"user","content":")" + std::string(kNumberMark) + number + std::string(kDay) +
           std::to_string(turn) + R"(: we go on to the harbour."})";
}

// Like a client whose chat has grown too long, which sends the end of it: from turn 2 on the turn
// before, if `has_history`. Else all turns are replies to the first words.
std::string request_of(std::size_t stream, std::size_t turn, bool has_history) {
    std::string text = R"({"model":"mock","stream":true,"messages":[{"role":"system","content":")";
    std::string end = R"("},)";
    if (has_history && turn > 1) {
        end += words_of(stream, turn - 1) + R"(,{"role":"assistant","content":")" +
               words_of_reply(turn - 1) + R"("},)";
    }
    end += words_of(stream, has_history ? turn : 1) + "]}";
    constexpr std::string_view kWords = "You are the narrator of a quiet story in a harbour town. ";
    while (text.size() + end.size() < kRequestBytes) {
        text += kWords.substr(0, kRequestBytes - text.size() - end.size());
    }
    text += end;
    return "POST /c/c" + std::to_string(stream) +
           "/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
           "\r\nContent-Length: " +
           std::to_string(text.size()) + "\r\n\r\n" + text;
}

// Whether a request is all there: its head, and as many bytes as the head says.
bool is_complete(std::string_view text) {
    const std::size_t head = text.find("\r\n\r\n");
    if (head == std::string_view::npos) {
        return false;
    }
    const std::string_view fields = text.substr(0, head);
    std::size_t length = 0;
    for (const std::string_view name : {"\nContent-Length: ", "\ncontent-length: "}) {
        if (const std::size_t at = fields.find(name); at != std::string_view::npos) {
            std::from_chars(fields.data() + at + name.size(), fields.data() + head, length);
        }
    }
    return text.size() >= head + 4 + length;
}

// The stream and the turn that a request is of.
std::pair<std::size_t, std::size_t> numbers_in(std::string_view text) {
    const std::size_t mark = text.rfind(kNumberMark);
    CHECK(mark != std::string_view::npos);
    std::pair<std::size_t, std::size_t> numbers;
    const char* const number = text.data() + mark + kNumberMark.size();
    const char* const end = text.data() + text.size();
    std::from_chars(number, number + kNumberDigits, numbers.first);
    std::from_chars(number + kNumberDigits + kDay.size(), end, numbers.second);
    return numbers;
}

std::array<char, 1 << 16> buffer;

}  // namespace

void serve_model(std::uint16_t port) {
    constexpr double kEndAfterNs = 1e6;
    raise_file_limit();
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    const int listener = listen_on(port);
    const auto watch = [epoll](int socket) {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = socket;
        CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0);
    };
    watch(listener);
    std::vector<std::string> parts(1 << 16);
    std::deque<std::pair<double, int>> ends;
    std::array<epoll_event, 256> events;
    while (true) {
        const int count = epoll_wait(epoll, events.data(), static_cast<int>(events.size()),
                                     ends.empty() ? -1 : 1);
        for (int i = 0; i < count; ++i) {
            const int socket = events[static_cast<std::size_t>(i)].data.fd;
            if (socket == listener) {
                for (int each = accept_from(listener); each >= 0; each = accept_from(listener)) {
                    watch(each);
                }
                continue;
            }
            const ssize_t got = recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
            std::string& request = parts[static_cast<std::size_t>(socket)];
            if (got <= 0) {
                request.clear();
                close(socket);
                continue;
            }
            request.append(buffer.data(), static_cast<std::size_t>(got));
            if (is_complete(request)) {
                send_all(socket, first_chunk_of(numbers_in(request).second));
                request.clear();
                ends.emplace_back(now_ns() + kEndAfterNs, socket);
            }
        }
        while (!ends.empty() && ends.front().first <= now_ns()) {
            send_all(ends.front().second, kLastChunk);
            ends.pop_front();
        }
    }
}

StreamLoad::StreamLoad() : epoll_(epoll_create1(EPOLL_CLOEXEC)), port_(free_port()) {
    raise_file_limit();
    listener_ = listen_on(port_);
    sockets_.resize(1 << 16);
    watch(listener_);
}

StreamLoad::~StreamLoad() {
    hang_up();
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
        if (sockets_[i].kind != Socket::Kind::kNone) {
            close(static_cast<int>(i));
        }
    }
    close(listener_);
    close(epoll_);
}

void StreamLoad::hang_up() {
    for (Stream& each : streams_) {
        if (each.client >= 0) {
            forget(each.client);
        }
    }
    streams_.clear();
}

void StreamLoad::watch(int socket) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = socket;
    CHECK(epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) == 0);
}

void StreamLoad::forget(int socket) {
    sockets_[static_cast<std::size_t>(socket)] = {};
    close(socket);
}

StreamResult StreamLoad::run(const StreamPlan& plan) {
    plan_ = plan;
    result_ = {};
    due_.clear();
    bulk_.clear();
    streams_.resize(std::max(streams_.size(), plan.streams));
    for (Stream& each : streams_) {
        each.requests = 0;
        each.is_over = false;
    }
    opened_ = opening_ = open_ = 0;
    left_ = plan.streams;
    held_until_ = 0;
    result_.first_ns.reserve(plan.streams * plan.requests);
    result_.event_ns.reserve(std::min<std::size_t>(
        plan.streams * plan.requests * plan.events + plan.streams * 100, 4'000'000));
    close_ended();
    const double began = now_ns();
    std::array<epoll_event, 512> events;
    while (left_ > 0) {
        open_more();
        const int patience_ms = plan.interval_ns > 0 ? 1 : 1000;
        const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                                     bulk_.empty() ? patience_ms : 0);
        for (int i = 0; i < count; ++i) {
            const int socket = events[static_cast<std::size_t>(i)].data.fd;
            if (socket == listener_) {
                accept_all();
                continue;
            }
            const Socket& at = sockets_[static_cast<std::size_t>(socket)];
            if (at.kind == Socket::Kind::kUpstream) {
                read_upstream(socket);
            } else if (at.kind == Socket::Kind::kClient) {
                read_client(at.stream);
            }
        }
        tick();
        send_bulk();
        constexpr double kPatienceNs = 120e9;
        if (now_ns() - began > kPatienceNs + plan.hold_ns) {
            result_.failed += left_;
            result_.problem += " (gave up waiting)";
            break;
        }
    }
    result_.took_ns = now_ns() - began;
    return std::move(result_);
}

// Connections of clients that the other side closed between two runs.
void StreamLoad::close_ended() {
    for (Stream& each : streams_) {
        char byte = 0;
        if (each.client >= 0 && recv(each.client, &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 0) {
            forget(std::exchange(each.client, -1));
        }
    }
}

void StreamLoad::open_more() {
    const auto running = [&] { return opened_ - (plan_.streams - left_); };
    while (opened_ < plan_.streams && opening_ < plan_.opening_max &&
           running() < plan_.running_max) {
        send_request(opened_++);
    }
}

void StreamLoad::send_request(std::size_t index) {
    Stream& stream = streams_[index];
    if (stream.client < 0) {
        stream.client = connect_to(plan_.port);
        if (stream.client < 0) {
            fail(index, "cannot connect");
            return;
        }
        sockets_[static_cast<std::size_t>(stream.client)] = {Socket::Kind::kClient, index, {}};
        watch(stream.client);
    }
    ++stream.requests;
    stream.sent = stream.seen = stream.head = 0;
    stream.matched = stream.ending = 0;
    stream.part = 0;
    stream.is_waiting = true;
    ++opening_;
    const std::string request = request_of(index, ++stream.turns, plan_.events == 1);
    stream.since = now_ns();
    if (!send_all(stream.client, request)) {
        fail(index, "cannot send");
    }
}

// ---- the model server

void StreamLoad::accept_all() {
    for (int socket = accept_from(listener_); socket >= 0; socket = accept_from(listener_)) {
        sockets_[static_cast<std::size_t>(socket)] = {Socket::Kind::kUpstream, 0, {}};
        watch(socket);
    }
}

void StreamLoad::read_upstream(int socket) {
    const ssize_t got = recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0) {
        if (got == 0 || errno != EAGAIN) {
            forget(socket);
        }
        return;
    }
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    std::string& request = sockets_[static_cast<std::size_t>(socket)].request;
    if (request.empty()) {
        take_request(socket, bytes);
    } else {
        request += bytes;
        const std::string all = std::exchange(request, {});
        take_request(socket, all);
    }
}

void StreamLoad::take_request(int socket, std::string_view text) {
    if (!is_complete(text)) {
        sockets_[static_cast<std::size_t>(socket)].request = text;
        return;
    }
    const auto [index, turn] = numbers_in(text);
    CHECK(index < streams_.size());
    Stream& stream = streams_[index];
    stream.upstream = socket;
    stream.sent = 1;
    if (!send_all(socket, first_chunk_of(turn))) {
        fail(index, "the model server cannot send");
    }
}

void StreamLoad::send_event(std::size_t index) {
    Stream& stream = streams_[index];
    ++stream.sent;
    stream.since = now_ns();
    if (!send_all(stream.upstream, kEventChunk)) {
        fail(index, "the model server cannot send");
    }
}

void StreamLoad::end_stream(std::size_t index) {
    if (!send_all(streams_[index].upstream, kLastChunk)) {
        fail(index, "the model server cannot send");
    }
}

// One event of each stream, where the socket takes it.
void StreamLoad::send_bulk() {
    std::erase_if(bulk_, [&](std::size_t index) {
        Stream& stream = streams_[index];
        if (stream.is_over || stream.sent == plan_.events) {
            return stream.is_over || send_part(index, kLastChunk);
        }
        if (send_part(index, kEventChunk)) {
            ++stream.sent;
        }
        return false;
    });
}

// True: all of it is sent.
bool StreamLoad::send_part(std::size_t index, std::string_view chunk) {
    Stream& stream = streams_[index];
    const std::string_view rest = chunk.substr(stream.part);
    const ssize_t sent =
        send(stream.upstream, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN) {
        fail(index, "the model server cannot send");
    }
    stream.part += static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
    if (stream.part < chunk.size()) {
        return false;
    }
    stream.part = 0;
    return true;
}

void StreamLoad::tick() {
    if (plan_.interval_ns == 0) {
        return;
    }
    const double now = now_ns();
    if (open_ == plan_.streams && held_until_ == 0) {
        held_until_ = now + plan_.hold_ns;
    }
    const bool is_held = held_until_ == 0 || now < held_until_;
    if (!is_held && plan_.on_held) {
        std::exchange(plan_.on_held, {})();
    }
    while (!due_.empty() && due_.front().at <= now) {
        const std::size_t index = due_.front().stream;
        due_.pop_front();
        if (streams_[index].is_over) {
            continue;
        }
        if (is_held) {
            send_event(index);
            due_.push_back({now + plan_.interval_ns, index});
        } else {
            end_stream(index);
        }
    }
}

// ---- the clients

void StreamLoad::read_client(std::size_t index) {
    const ssize_t got = recv(streams_[index].client, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0) {
        if (got == 0 || errno != EAGAIN) {
            fail(index, "the connection was closed");
        }
        return;
    }
    take_answer(index, {buffer.data(), static_cast<std::size_t>(got)});
}

void StreamLoad::take_answer(std::size_t index, std::string_view bytes) {
    Stream& stream = streams_[index];
    if (stream.is_over) {
        return;
    }
    if (std::exchange(stream.is_waiting, false)) {
        result_.first_ns.push_back(now_ns() - stream.since);
        --opening_;
    }
    for (const char c : bytes) {
        if (stream.head < kStatus.size() && kStatus[stream.head++] != c) {
            fail(index, bytes);
            return;
        }
        stream.ending = c == kEnd[static_cast<std::size_t>(stream.ending)] ? stream.ending + 1
                        : c == kEnd[0]                                     ? 1
                                                                           : 0;
        stream.matched = c == kMark[static_cast<std::size_t>(stream.matched)] ? stream.matched + 1
                         : c == kMark[0]                                      ? 1
                                                                              : 0;
        if (stream.matched == static_cast<int>(kMark.size())) {
            stream.matched = 0;
            saw_event(index);
        }
        if (stream.ending == static_cast<int>(kEnd.size())) {
            break;
        }
    }
    if (stream.ending < static_cast<int>(kEnd.size()) || stream.is_over) {
        return;
    }
    if (stream.seen != stream.sent && !plan_.is_served_elsewhere) {
        fail(index, "the answer ended early");
        return;
    }
    if (stream.requests < plan_.requests) {
        send_request(index);
        return;
    }
    stream.is_over = true;
    --left_;
}

void StreamLoad::saw_event(std::size_t index) {
    Stream& stream = streams_[index];
    ++stream.seen;
    ++result_.events;
    if (stream.seen > 1 && !plan_.is_bulk) {
        result_.event_ns.push_back(now_ns() - stream.since);
    } else if (stream.requests == 1) {
        ++open_;
    }
    if (plan_.is_served_elsewhere) {
        return;
    }
    if (plan_.is_bulk) {
        if (stream.seen == 1) {
            bulk_.push_back(index);
        }
    } else if (plan_.interval_ns > 0) {
        if (stream.seen == 1) {
            due_.push_back({now_ns() + plan_.interval_ns, index});
        }
    } else if (stream.sent < plan_.events) {
        send_event(index);
    } else {
        end_stream(index);
    }
}

void StreamLoad::fail(std::size_t index, std::string_view problem) {
    Stream& stream = streams_[index];
    if (stream.is_over) {
        return;
    }
    if (result_.failed++ == 0) {
        result_.problem = problem.substr(0, 400);
    }
    if (std::exchange(stream.is_waiting, false)) {
        --opening_;
    }
    if (stream.seen == 0 && stream.requests <= 1) {
        ++open_;
    }
    if (stream.client >= 0) {
        forget(std::exchange(stream.client, -1));
    }
    stream.is_over = true;
    --left_;
}

}  // namespace arbiter::bench
