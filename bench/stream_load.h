// StreamLoad: many clients with streamed chats, and the model server that answers them, in one
// thread. Whatever is measured stands between the two.
//
// The model server sends one event at a time, as models do: the next one of a stream follows when
// the client has the one before, or after an interval. So both ends of every event are known here.
// In bulk it does not wait: every event is a write of its own, as soon as the socket takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::bench {

struct StreamPlan {
    std::uint16_t port = 0;    // where requests go; that of the model server: directly
    std::size_t streams = 1;   // at once
    std::size_t requests = 1;  // of each stream, one after another
    std::size_t events = 1;    // of each answer
    double interval_ns = 0;    // between the events of a stream; 0: as soon as the client has one
    bool is_bulk = false;      // events behind the first follow at once, whatever the client has
    // Streams stay open until all are, and so long after that; 0: each ends with its last event.
    double hold_ns = 0;
    std::function<void()> on_held = {};  // when that time is over, before the streams end
    std::size_t opening_max = 16;        // requests that wait for their first byte
    std::size_t running_max = SIZE_MAX;  // streams that are not over
    // The model server is another process (serve_model), which ends its answers itself.
    bool is_served_elsewhere = false;
};

struct StreamResult {
    std::vector<double> first_ns;  // of each request: until the first byte of its answer
    std::vector<double> event_ns;  // of each later event: from the model server to the client
    std::size_t events = 0;        // that reached clients
    std::size_t failed = 0;        // streams
    std::string problem = {};      // of the first that failed
    double took_ns = 0;
};

// A model server that answers every request with one event, and ends the answer a little later.
[[noreturn]] void serve_model(std::uint16_t port);

class StreamLoad {
  public:
    // The model server listens from now on.
    StreamLoad();
    StreamLoad(const StreamLoad&) = delete;
    StreamLoad& operator=(const StreamLoad&) = delete;
    ~StreamLoad();

    [[nodiscard]] std::uint16_t upstream_port() const noexcept { return port_; }
    // Connections of clients to `port` are kept for the next run.
    StreamResult run(const StreamPlan& plan);
    // Closes the connections of the clients.
    void hang_up();

  private:
    // A client and the answer to it.
    struct Stream {
        int client = -1;
        int upstream = -1;
        std::size_t requests = 0;  // sent in this run
        std::size_t turns = 0;     // of the chat
        std::size_t sent = 0;      // events of this answer
        std::size_t seen = 0;      // of them, by the client
        std::size_t part = 0;      // bytes of the next one that were sent, in bulk
        std::size_t head = 0;      // bytes of the answer that were compared with its first line
        int matched = 0;           // bytes of the mark
        int ending = 0;            // bytes of the end of the answer
        double since = 0;          // the request, then the last event
        bool is_waiting = false;   // for the first byte
        bool is_over = true;
    };
    struct Socket {
        enum class Kind : std::uint8_t { kNone, kClient, kUpstream };
        Kind kind = Kind::kNone;
        std::size_t stream = 0;
        std::string request = {};  // as far as it came, if it came in parts
    };
    struct Due {
        double at;
        std::size_t stream;
    };

    void close_ended();
    void open_more();
    void send_request(std::size_t index);
    void accept_all();
    void read_upstream(int socket);
    void take_request(int socket, std::string_view text);
    void read_client(std::size_t index);
    void take_answer(std::size_t index, std::string_view bytes);
    void saw_event(std::size_t index);
    void send_event(std::size_t index);
    void end_stream(std::size_t index);
    void send_bulk();
    bool send_part(std::size_t index, std::string_view chunk);
    void fail(std::size_t index, std::string_view problem);
    void tick();
    void watch(int socket);
    void forget(int socket);

    int epoll_ = -1;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::vector<Socket> sockets_;  // by number
    std::vector<Stream> streams_;
    // ---- of a run
    StreamPlan plan_;
    StreamResult result_;
    std::deque<Due> due_;            // in order, because all intervals are the same
    std::vector<std::size_t> bulk_;  // streams that have more to send
    std::size_t opened_ = 0;
    std::size_t opening_ = 0;
    std::size_t open_ = 0;  // streams that had their first event
    std::size_t left_ = 0;  // streams that are not over, or not begun
    double held_until_ = 0;
};

}  // namespace arbiter::bench
