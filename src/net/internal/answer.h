// Answer: the bytes of one response on their way from any thread to the connection's loop.
//
// Thread safety: all methods from any thread, except those under "The connection".
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "net/http.h"
#include "net/internal/message_text.h"
#include "net/loop.h"

namespace arbiter::net::internal {

class Answer {
  public:
    // `wake` is called on the loop after bytes were added.
    Answer(Loop& loop, AnswerTraits traits, std::function<void()> wake)
        : loop_(loop), traits_(traits), wake_(std::move(wake)) {}

    void add_header(std::string name, std::string value);
    void respond(Response response);
    void begin_stream(Response head);
    void send(std::string_view bytes);
    void end();
    // No more calls follow. An answer that has not begun, or is not complete, has failed.
    void abandon();
    [[nodiscard]] std::size_t unsent() const noexcept { return unsent_; }
    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    void on_gone(std::function<void()> callback);
    [[nodiscard]] bool is_gone() const noexcept { return is_gone_; }
    [[nodiscard]] bool is_complete() const;
    [[nodiscard]] Loop& loop() noexcept { return loop_; }

    // The connection. Appends the bytes that are ready.
    struct Taken {
        bool is_complete = false;
        bool closes = false;      // the connection, after the answer
        bool has_failed = false;  // abandoned, or the peer reads too slowly
        bool has_begun = false;
    };
    Taken take(std::string& out);
    void written(std::size_t bytes) noexcept;
    // The peer has disconnected: drops the bytes and calls the callback later, if the answer is
    // incomplete.
    void lose();
    // New connections are not wanted: the answer ends with the connection.
    void stop_keeping_alive();

  private:
    enum class Phase : std::uint8_t { kOpen, kStreaming, kComplete };
    void add_chunk(std::string_view bytes);
    // Returns the callback that is not needed any more. Callbacks are destroyed without the lock:
    // they own things that may call this answer.
    [[nodiscard]] std::function<void()> complete();
    void begin(Response& head);
    void add(std::string bytes);
    void schedule();
    // Whether the bytes that are added next are written by the caller, who calls wake_() without
    // the lock: on the thread of the loop, if nothing waits there already.
    [[nodiscard]] bool takes_over();

    Loop& loop_;
    mutable std::mutex mutex_;
    AnswerTraits traits_;
    std::function<void()> wake_;
    std::function<void()> on_gone_;
    Headers more_;  // for the head
    std::string ready_;
    std::atomic<std::size_t> unsent_{0};
    std::atomic<std::size_t> bytes_{0};  // of the whole answer so far
    std::atomic<int> status_{0};
    Phase phase_ = Phase::kOpen;
    std::atomic<bool> is_gone_{false};
    bool is_scheduled_ = false;
    bool has_failed_ = false;
};

}  // namespace arbiter::net::internal
