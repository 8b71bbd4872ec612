// One request of the client, from connecting to the end of the answer. Used on the loop's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/client.h"
#include "net/internal/chunk_decoder.h"
#include "net/internal/deadline.h"
#include "net/internal/head_parser.h"
#include "net/internal/pool.h"
#include "net/internal/socket.h"

namespace arbiter::net::internal {

// Shared by the client and its calls.
struct ClientState {
    Loop& loop;
    ClientOptions options;
    Pool pool;
    std::shared_ptr<TlsContext> tls = {};  // made on first use
    std::string decoded = {};              // of the read that is being taken

    ClientState(Loop& of, ClientOptions with)
        : loop(of), options(std::move(with)), pool(of, options.idle_connections_max) {}
};

class ClientCall : public std::enable_shared_from_this<ClientCall> {
  public:
    ClientCall(std::shared_ptr<ClientState> client, ClientRequest request,
               ClientCallbacks callbacks);

    void start();
    void cancel();

  private:
    enum class Phase : std::uint8_t { kConnect, kHandshake, kHead, kBody, kDone };

    void connect();
    void connected(Socket socket);
    void shake_hands();
    void send_request();
    void write();
    void set_deadline(std::chrono::milliseconds wait) { deadline_.set(wait, total_); }
    void arm_read();
    template <void (ClientCall::*kMethod)()>
    std::function<void()> waiting();
    void read();
    void read_again();
    bool take(Io io, std::string_view bytes);
    void advance(std::string_view bytes);
    Parsed<> head_complete();
    Parsed<bool> take_body(std::string_view& bytes);
    void connection_ended(bool is_clean, std::string reason);
    void time_out(std::string event);
    void finish(bool is_reusable);
    void fail(base::Error error);
    void end(base::Result<> result);

    std::shared_ptr<ClientState> client_;
    Address address_;
    std::string server_;  // the key of the pool
    std::string request_;
    std::size_t written_ = 0;
    bool is_tls_;
    bool is_head_request_;
    ClientCallbacks callbacks_;

    Deadline deadline_;  // of connecting, the first byte, the next bytes
    Deadline::Clock::time_point total_ = Deadline::Clock::time_point::max();  // of everything
    std::unique_ptr<Connector> connector_;
    std::optional<Socket> socket_;
    std::unique_ptr<ResponseParser> head_;  // nullptr: it is complete
    Framing framing_;                       // of the body
    ChunkDecoder chunks_;
    std::uint64_t body_left_ = 0;
    std::uint64_t body_bytes_ = 0;
    int interim_answers_ = 0;
    Phase phase_ = Phase::kConnect;
    bool keeps_alive_ = false;  // the server, by its head
    bool is_reused_ = false;
    bool has_answer_bytes_ = false;
    bool has_write_failed_ = false;
    bool waits_to_read_ = false;
};

}  // namespace arbiter::net::internal
