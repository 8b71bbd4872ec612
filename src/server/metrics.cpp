#include "server/metrics.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/check.h"

namespace arbiter::server {
namespace {

// Values of labels escape backslash, quote and line feed; other control characters are not allowed
// to reach a terminal through a scrape.
void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '\\' || c == '"') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else {
            out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
        }
    }
}

std::string number(double value) {
    char digits[64];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    return error == std::errc() ? std::string(digits, end) : "NaN";
}
double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

class Page {
  public:
    void begin(std::string_view name, std::string_view type, std::string_view help) {
        name_ = name;
        out_ += "# HELP ";
        out_ += name;
        out_ += ' ';
        out_ += help;
        out_ += "\n# TYPE ";
        out_ += name;
        out_ += ' ';
        out_ += type;
        out_ += '\n';
    }
    void line(std::string_view suffix, std::string_view labels, std::string_view value) {
        out_ += name_;
        out_ += suffix;
        if (!labels.empty()) {
            out_ += '{';
            out_ += labels;
            out_ += '}';
        }
        out_ += ' ';
        out_ += value;
        out_ += '\n';
    }
    void counters(std::string_view name, std::string_view help, const Family<Counter>& family) {
        begin(name, "counter", help);
        family.visit([&](std::string_view labels, const Counter& counter) {
            line("", labels, std::to_string(counter.value()));
        });
    }
    void counter(std::string_view name, std::string_view help, std::uint64_t value) {
        begin(name, "counter", help);
        line("", "", std::to_string(value));
    }
    void gauge(std::string_view name, std::string_view help, std::int64_t value) {
        begin(name, "gauge", help);
        line("", "", std::to_string(value));
    }
    void histogram(std::string_view labels, const Histogram& histogram) {
        const Histogram::Snapshot now = histogram.snapshot();
        const std::string before = labels.empty() ? "" : std::string(labels) + ",";
        std::uint64_t below = 0;
        for (std::size_t i = 0; i < now.counts.size(); ++i) {
            below += now.counts[i];
            const std::string bound =
                i < Histogram::kBounds.size() ? number(seconds(Histogram::kBounds[i])) : "+Inf";
            line("_bucket", before + "le=\"" + bound + "\"", std::to_string(below));
        }
        line("_sum", labels, number(seconds(now.sum)));
        line("_count", labels, std::to_string(below));
    }
    void histogram(std::string_view name, std::string_view help, const Histogram& one) {
        begin(name, "histogram", help);
        histogram({}, one);
    }

    std::string out() && { return std::move(out_); }

  private:
    std::string out_;
    std::string name_;
};

// The second number of /proc/self/statm: pages in memory.
std::int64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t all = 0;
    std::int64_t resident = 0;
    return file >> all >> resident ? resident * sysconf(_SC_PAGESIZE) : 0;
}
std::int64_t open_files() {
    std::error_code error;
    std::int64_t count = 0;
    for (std::filesystem::directory_iterator each("/proc/self/fd", error), end;
         !error && each != end; each.increment(error)) {
        ++count;
    }
    return std::max<std::int64_t>(count - 1, 0);  // without the one that reads the folder
}

// Methods are words of the sender: others than these must not become series.
std::string_view known_method(std::string_view method) {
    constexpr std::string_view kMethods[] = {"GET",   "HEAD",   "POST",   "PUT",
                                             "PATCH", "DELETE", "OPTIONS"};
    return std::ranges::find(kMethods, method) != std::end(kMethods) ? method : "other";
}

}  // namespace

void Histogram::observe(std::chrono::nanoseconds took) noexcept {
    const auto place = std::ranges::lower_bound(
        kBounds, std::chrono::ceil<std::chrono::microseconds>(std::max(took, took.zero())));
    counts_[static_cast<std::size_t>(place - kBounds.begin())].fetch_add(1,
                                                                         std::memory_order_relaxed);
    nanoseconds_.fetch_add(took.count(), std::memory_order_relaxed);
}

Histogram::Snapshot Histogram::snapshot() const noexcept {
    Snapshot now;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        now.counts[i] = counts_[i].load(std::memory_order_relaxed);
    }
    now.sum = std::chrono::nanoseconds(nanoseconds_.load(std::memory_order_relaxed));
    return now;
}

template <typename Series>
std::string Family<Series>::text_of(std::initializer_list<std::string_view> values) const {
    CHECK(values.size() == labels_.size());
    std::string text;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        text += i > 0 ? "," : "";
        text += labels_[i];
        text += "=\"";
        append_escaped(text, values.begin()[i]);
        text += '"';
    }
    return text;
}

template <typename Series>
Series& Family<Series>::at(std::initializer_list<std::string_view> values) {
    std::string text = text_of(values);
    {
        const std::shared_lock lock(lock_);
        if (const auto found = series_.find(text); found != series_.end()) {
            return *found->second;
        }
    }
    const std::scoped_lock lock(lock_);
    if (series_.size() >= kSeriesMax && !series_.contains(text)) {
        text.clear();
        for (const std::string_view label : labels_) {
            text += (text.empty() ? "" : ",") + std::string(label) + "=\"other\"";
        }
    }
    auto& series = series_[std::move(text)];
    if (!series) {
        series = std::make_unique<Series>();
    }
    return *series;
}
template class Family<Counter>;
template class Family<Histogram>;

Metrics::Metrics()
    : started_(std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
                   .count()) {}

void Metrics::request(std::string_view route, std::string_view method, int status,
                      std::chrono::nanoseconds took) {
    const std::string_view pattern = route.empty() ? "none" : route;
    requests_.at({pattern, known_method(method), std::to_string(status)}).add();
    latency_.at({pattern}).observe(took);
}

std::string Metrics::print() const {
    if (on_print) {
        on_print();
    }
    Page page;
    page.begin("arbiter_build_info", "gauge", "Version of the program.");
    page.line("", "version=\"" ARBITER_VERSION "\"", "1");
    page.counters("arbiter_http_requests_total", "Answered requests.", requests_);
    page.begin("arbiter_http_request_seconds", "histogram",
               "Time from a request to the end of its answer.");
    latency_.visit([&](std::string_view labels, const Histogram& histogram) {
        page.histogram(labels, histogram);
    });
    page.counters("arbiter_http_refused_total", "Requests refused before their route, by code.",
                  refused);
    page.counters("arbiter_rate_limited_total", "Requests refused by a rate limit.", rate_limited);
    page.counter("arbiter_http_received_bytes_total", "Bytes received.", bytes_in.value());
    page.counter("arbiter_http_sent_bytes_total", "Bytes sent.", bytes_out.value());
    page.counters("arbiter_turns_total", "Turns by their status.", turns);
    page.histogram("arbiter_turn_seconds", "Time from a request to its durable turn.",
                   turn_seconds);
    page.counters("arbiter_model_calls_total", "Calls of the model by outcome.", model_calls);
    page.counters("arbiter_model_tokens_total", "Tokens of the model by kind.", model_tokens);
    page.histogram("arbiter_model_call_seconds", "Time of a call of the model.", model_seconds);
    page.counters("arbiter_commits_total", "Commits to the store by outcome.", commits);
    page.histogram("arbiter_commit_seconds", "Time until a commit is durable.", commit_seconds);
    page.gauge("arbiter_open_sessions", "Campaigns that are open.", sessions.value());
    page.gauge("arbiter_connections", "Open connections.", connections.value());
    page.gauge("arbiter_streams", "Answers that are being streamed.", streams.value());
    page.gauge("arbiter_viewers", "Listeners to events.", viewers.value());
    page.gauge("arbiter_queued_jobs", "Jobs that wait for their campaign.", queued.value());
    page.gauge("process_resident_memory_bytes", "Memory in use.", resident_bytes());
    page.gauge("process_open_fds", "Open file descriptors.", open_files());
    page.begin("process_start_time_seconds", "gauge", "Start of the process since 1970.");
    page.line("", "", number(started_));
    return std::move(page).out();
}

}  // namespace arbiter::server
