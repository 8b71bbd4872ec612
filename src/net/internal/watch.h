// Watch: a socket of an event loop, which calls back when the socket can be read or written.
//
// The system reports changes only ("edge triggered"), once and for both directions, so waiting
// costs no system call. What it has reported counts until an attempt to read or write finds
// otherwise and says so here. Used on the loop's thread, or when the loop has stopped.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "net/internal/descriptor.h"
#include "net/loop.h"

namespace arbiter::net::internal {

class Watch {
  public:
    // Nothing if the system has no room to watch another socket (errno says why).
    static std::unique_ptr<Watch> open(Loop& loop, Descriptor socket);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    // Closes the socket. Callbacks that have not run are dropped.
    ~Watch();

    [[nodiscard]] int socket() const noexcept { return socket_.get(); }

    // Calls once, later, on the loop. A second callback for a direction follows the first.
    void when_readable(std::function<void()> callback);
    void when_writable(std::function<void()> callback);
    // Drops the callbacks.
    void forget();

    // The last attempt would have had to wait.
    void set_unreadable() noexcept { is_readable_ = false; }
    void set_unwritable() noexcept { is_writable_ = false; }
    // The last attempt read less than it could have. The end of the connection or urgent bytes may
    // stand behind those bytes, and are reported only once.
    void set_drained() noexcept { is_readable_ = may_have_more_; }

    // For the loop: what the system reported; and the turn of a watch among those that are ready.
    void take(std::uint32_t events);
    void run_queued();

  private:
    Watch(Loop& loop, Descriptor socket) : loop_(loop), socket_(std::move(socket)) {}
    void add(std::function<void()>& waiting, std::function<void()> callback);
    void queue();
    void run_callbacks();

    Loop& loop_;
    Descriptor socket_;
    bool is_readable_ = false;
    bool is_writable_ = false;
    bool may_have_more_ = false;
    bool is_queued_ = false;   // among the loop's ready watches
    bool* is_gone_ = nullptr;  // set by the destructor while callbacks run
    std::function<void()> on_readable_;
    std::function<void()> on_writable_;
};

}  // namespace arbiter::net::internal
