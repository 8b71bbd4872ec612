// Log: one line for each event of a server, as JSON for programs or as text for a terminal.
//
// Lines hold ids, names, codes, counts and times. They have no member for words of players or
// models, prompts, keys, tokens or headers, and a base::Secret cannot be passed. Control characters
// are escaped, so a sender cannot forge a line. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/messages.h"
#include "engine/instant.h"
#include "value/object.h"

namespace arbiter::server {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError };
enum class LogForm : std::uint8_t { kJson, kText };

// An answered request. Empty texts are left out.
struct RequestEvent {
    std::string_view id;
    std::string_view peer;  // the address
    std::string_view method;
    std::string_view route;     // the pattern, not the path; empty: none matched
    std::string_view campaign;  // its id
    std::string_view token;     // its name
    int status = 0;
    std::string_view code = {};  // of the error
    std::chrono::nanoseconds took{0};
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
};
// A turn that ended.
struct TurnEvent {
    std::string_view request;
    std::string_view campaign;
    std::string_view turn = {};  // its id; empty: not stored
    std::string_view status;     // committed, blocked …, or the code of the error
    std::int64_t calls = 0;      // of the model
    std::int64_t tokens = 0;
    std::int64_t attempts = 0;
    std::chrono::nanoseconds took{0};
};

// Writes lines to a descriptor on a thread of its own. A reader that stops reading must not stop
// the server: lines that find no room are dropped, and their number is logged as soon as there is
// room. Thread-safe.
class LogSink {
  public:
    // Some ten thousand lines: enough for a pause of the reader, not for its absence.
    static constexpr std::size_t kBytesMax = std::size_t{4} << 20;

    explicit LogSink(int descriptor, std::size_t bytes_max = kBytesMax);
    LogSink(const LogSink&) = delete;
    LogSink& operator=(const LogSink&) = delete;
    // Writes the rest, as long as it is read.
    ~LogSink();

    // Never waits. `line` ends with a line break.
    void write(std::string_view line);

  private:
    void run();
    // False: the reader did not read in time, or has closed the pipe.
    [[nodiscard]] bool write_out(std::string_view text) const;

    const int descriptor_;
    const std::size_t bytes_max_;
    std::mutex lock_;
    std::condition_variable changed_;
    std::string waiting_;
    std::size_t dropped_ = 0;
    bool is_awake_ = false;  // the thread sees new lines by itself
    std::atomic<bool> is_ending_ = false;
    std::thread thread_;
};

class Log {
  public:
    struct Options {
        LogForm form = LogForm::kJson;
        LogLevel level = LogLevel::kInfo;                    // events below it are dropped
        base::Language language = base::Language::kEnglish;  // of errors in the form kText
    };
    using Write = std::function<void(std::string_view line)>;  // thread-safe
    using Clock = std::function<engine::Instant()>;

    Log(Options options, Write write, Clock clock);
    // Through a LogSink that the function owns.
    static Write to_standard_error();
    // Text if it is a terminal, else JSON.
    static LogForm form_of_standard_error();

    void request(const RequestEvent& event);
    void turn(const TurnEvent& event);
    // An event of the server itself ("listening", "stopping", "store_failed"). `fields` are names
    // and numbers, never texts of people.
    void event(LogLevel level, std::string_view what, value::Object fields = {});
    // The same for an error of the server: its code and its message. Not for errors of requests,
    // whose messages may quote words of people: their code is in RequestEvent.
    void error(std::string_view what, const base::Error& error);

  private:
    void write(LogLevel level, std::string_view what, const value::Object& fields);

    const Options options_;
    const Write write_;
    const Clock clock_;
};

}  // namespace arbiter::server
