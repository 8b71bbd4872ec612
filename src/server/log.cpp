#include "server/log.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <memory>
#include <utility>

#include "base/explain.h"
#include "campaign/clock.h"
#include "text/controls.h"
#include "value/json.h"

namespace arbiter::server {

using value::Object;
using value::Value;

namespace {

std::string_view name(LogLevel level) {
    switch (level) {
        case LogLevel::kDebug:
            return "debug";
        case LogLevel::kInfo:
            return "info";
        case LogLevel::kWarning:
            return "warning";
        case LogLevel::kError:
            return "error";
    }
    return {};
}

std::string clean(std::string_view text) {
    return text::show_controls(text, text::LineBreaks::kShown);
}

// Milliseconds with three digits behind the point.
double milliseconds(std::chrono::nanoseconds took) {
    return std::round(std::chrono::duration<double, std::micro>(took).count()) / 1000;
}

class Line {
  public:
    void text(const value::Str& key, std::string_view text) {
        if (!text.empty()) {
            fields_ = std::move(fields_).set(key, Value(std::string_view(clean(text))));
        }
    }
    void add(const value::Str& key, Value value) {
        fields_ = std::move(fields_).set(key, std::move(value));
    }
    void count(const value::Str& key, std::uint64_t count) {
        if (count > 0) {
            add(key, static_cast<std::int64_t>(count));
        }
    }
    [[nodiscard]] const Object& fields() const { return fields_; }

  private:
    Object fields_;
};

// Strings at the top of a line; others come from the program.
Object cleaned(const Object& fields) {
    Object out;
    for (const auto& [key, field] : fields) {
        out = std::move(out).set(
            key, field.is_string() ? Value(std::string_view(clean(field.as_string()))) : field);
    }
    return out;
}

// A text with blanks or signs of the line's own form is quoted.
std::string plain(const Value& field) {
    const bool is_plain =
        field.is_string() && field.as_string().find_first_of(" =\"") == std::string_view::npos;
    return is_plain ? std::string(field.as_string()) : value::print_json(field);
}

// Told in the form for programs in either case: a person at a terminal reads as fast as it comes.
std::string dropped_line(std::size_t lines) {
    const std::string time = engine::print_instant(campaign::clock_now());
    return value::print_json(Object{{"time", std::string_view(time)},
                                    {"level", name(LogLevel::kWarning)},
                                    {"event", "log_dropped"},
                                    {"lines", static_cast<std::int64_t>(lines)}}) +
           "\n";
}

// Lines that come within this time are written together: a busy server writes thousands a second,
// and each would wake a thread.
constexpr std::chrono::milliseconds kGatherTime{5};

LogLevel level_of_status(int status) {
    return status >= 500 ? LogLevel::kError : LogLevel::kInfo;
}

}  // namespace

// ---- writing

LogSink::LogSink(int descriptor, std::size_t bytes_max)
    : descriptor_(descriptor), bytes_max_(bytes_max), thread_([this] { run(); }) {}

LogSink::~LogSink() {
    {
        const std::scoped_lock lock(lock_);
        is_ending_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void LogSink::write(std::string_view line) {
    {
        const std::scoped_lock lock(lock_);
        if (waiting_.size() + line.size() > bytes_max_) {
            ++dropped_;
            return;
        }
        waiting_ += line;
        if (!std::exchange(is_awake_, true)) {
            changed_.notify_one();
        }
    }
}

void LogSink::run() {
    while (true) {
        std::string text;
        {
            std::unique_lock lock(lock_);
            is_awake_ = false;
            changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
            if (waiting_.empty()) {
                return;
            }
            is_awake_ = true;
            changed_.wait_for(lock, kGatherTime, [this] { return is_ending_.load(); });
            text = std::exchange(waiting_, {});
            if (const std::size_t dropped = std::exchange(dropped_, 0); dropped > 0) {
                text += dropped_line(dropped);
            }
        }
        if (!write_out(text)) {
            return;
        }
    }
}

bool LogSink::write_out(std::string_view text) const {
    // A pipe that is ready takes this many bytes without blocking.
    constexpr std::size_t kPart = 4096;
    constexpr int kPatience = 100;  // milliseconds, between two looks at is_ending_
    int refusals = 0;
    while (!text.empty()) {
        pollfd ready = {descriptor_, POLLOUT, 0};
        const int count = poll(&ready, 1, kPatience);
        if (count <= 0) {
            // At the end the reader gets a second.
            refusals += is_ending_ ? 1 : 0;
            if (refusals > 10) {
                return false;
            }
            continue;
        }
        const ssize_t written = ::write(descriptor_, text.data(), std::min(text.size(), kPart));
        if (written <= 0 && errno != EINTR && errno != EAGAIN) {
            return false;
        }
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return true;
}

// ---- events

Log::Log(Options options, Write write, Clock clock)
    : options_(options), write_(std::move(write)), clock_(std::move(clock)) {}

LogForm Log::form_of_standard_error() {
    return isatty(STDERR_FILENO) != 0 ? LogForm::kText : LogForm::kJson;
}

Log::Write Log::to_standard_error() {
    return [sink = std::make_shared<LogSink>(STDERR_FILENO)](std::string_view line) {
        sink->write(line);
    };
}

void Log::request(const RequestEvent& event) {
    Line line;
    line.text("request", event.id);
    line.text("peer", event.peer);
    line.text("method", event.method);
    line.text("route", event.route.empty() ? "none" : event.route);
    line.text("campaign", event.campaign);
    line.text("token", event.token);
    line.add("status", std::int64_t{event.status});
    line.text("code", event.code);
    line.add("ms", milliseconds(event.took));
    line.count("bytes_in", event.bytes_in);
    line.count("bytes_out", event.bytes_out);
    write(level_of_status(event.status), "request", line.fields());
}

void Log::turn(const TurnEvent& event) {
    Line line;
    line.text("request", event.request);
    line.text("campaign", event.campaign);
    line.text("turn", event.turn);
    line.text("status", event.status);
    line.add("calls", event.calls);
    line.add("tokens", event.tokens);
    line.add("attempts", event.attempts);
    line.add("ms", milliseconds(event.took));
    write(LogLevel::kInfo, "turn", line.fields());
}

void Log::event(LogLevel level, std::string_view what, Object fields) {
    write(level, what, cleaned(fields));
}

void Log::error(std::string_view what, const base::Error& error) {
    Line line;
    line.text("code", base::name(error.code));
    line.text("message", base::explain(error, options_.language));
    write(LogLevel::kError, what, line.fields());
}

void Log::write(LogLevel level, std::string_view what, const Object& fields) {
    if (level < options_.level) {
        return;
    }
    const std::string time = engine::print_instant(clock_());
    std::string line;
    if (options_.form == LogForm::kJson) {
        Object whole = {{"time", std::string_view(time)}, {"level", name(level)}, {"event", what}};
        for (const auto& [key, field] : fields) {
            whole = std::move(whole).set(key, field);
        }
        line = value::print_json(whole);
    } else {
        line = time + " " + std::string(name(level)) + " " + std::string(what);
        for (const auto& [key, field] : fields) {
            line += " " + std::string(key.view()) + "=" + plain(field);
        }
    }
    line += '\n';
    write_(line);
}

}  // namespace arbiter::server
