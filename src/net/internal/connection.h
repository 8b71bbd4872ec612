// One connection of the server: reads requests, calls the handler, writes answers.
//
// It holds no buffers while it waits: bytes are read into a buffer of the thread, and only an
// incomplete request, pipelined bytes and unsent bytes are kept. Used on its loop's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "net/internal/answer.h"
#include "net/internal/chunk_decoder.h"
#include "net/internal/deadline.h"
#include "net/internal/head_parser.h"
#include "net/internal/socket.h"
#include "net/server.h"

namespace arbiter::net::internal {

// Shared by the server and its connections.
struct ServerState {
    Loops& loops;
    ServerOptions options;
    Handler handler;
    std::shared_ptr<TlsContext> tls = {};
    std::unique_ptr<Listener> listener = {};
    std::uint16_t port = 0;

    // The connections of one loop; used on its thread.
    using Connections = std::unordered_map<Connection*, std::shared_ptr<Connection>>;
    std::unordered_map<const Loop*, Connections> connections = {};

    std::atomic<bool> is_draining{false};
    std::atomic<std::size_t> open{0};
    std::atomic<std::size_t> exchanges{0};
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> requests{0};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint64_t> bytes_in{0};
    std::atomic<std::uint64_t> bytes_out{0};

    std::mutex mutex;
    std::condition_variable closed;  // a connection was closed

    // The answer to a request that the server itself refuses.
    [[nodiscard]] Response refusal(int status, const base::Error& error) const;
};

class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(std::shared_ptr<ServerState> server, Loop& loop, Socket socket);

    // Joins the server's connections.
    void start();
    // Closes now if no request is under way, otherwise after its answer.
    void drain();
    void close();

  private:
    enum class Phase : std::uint8_t {
        kHandshake,
        kHead,    // of the next request
        kBody,    // of the request
        kAnswer,  // the handler has it
        kLinger,  // the last bytes are written; those of the peer are dropped until it closes
        kClosed
    };
    // A request that is being received.
    struct Receipt {
        RequestParser head;
        ChunkDecoder chunks;
        std::size_t body_left = 0;
        std::chrono::steady_clock::time_point body_began;
        std::optional<Response> refused;  // by on_head; the body is dropped
    };

    void arm_read();
    void read();
    void read_again();
    bool take(const Io& io, std::span<const char> buffer);
    void advance(std::string_view bytes);
    bool head_complete(std::size_t bytes_behind);
    Parsed<bool> take_body(std::string_view& bytes);
    void dispatch();
    void set_body_deadline();
    void peer_ended();
    void time_out();

    void answer_ready();
    void write();
    void all_written();
    void end_answer();
    void next_request();
    void refuse(const Refusal& refusal);
    void end_with(Response response);
    void linger();

    std::shared_ptr<ServerState> server_;
    Loop& loop_;
    Socket socket_;
    Deadline deadline_;
    std::unique_ptr<Receipt> receipt_;
    std::shared_ptr<Answer> answer_;
    std::string in_;   // pipelined
    std::string out_;  // unsent, from out_at_
    std::size_t out_at_ = 0;
    Phase phase_ = Phase::kHead;
    bool keeps_alive_ = true;
    bool is_complete_ = false;  // the answer, in out_
    bool waits_to_read_ = false;
    bool waits_to_write_ = false;
    bool has_ended_writing_ = false;
    bool has_peer_ended_ = false;
};

}  // namespace arbiter::net::internal
