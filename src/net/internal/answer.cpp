#include "net/internal/answer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/limits.h"
#include "base/release.h"

namespace arbiter::net::internal {
namespace {

bool says_close(const Headers& headers) {
    const std::string* connection = headers.find("connection");
    return connection != nullptr && has_word(*connection, "close");
}

}  // namespace

void Answer::add_header(std::string name, std::string value) {
    const std::lock_guard lock(mutex_);
    more_.add(std::move(name), std::move(value));
}

void Answer::begin(Response& head) {
    status_ = head.status;
    for (const Header& each : more_) {
        head.headers.set(each.name, each.value);
    }
    more_ = {};
}

void Answer::respond(Response response) {
    std::function<void()> dropped;
    const std::lock_guard lock(mutex_);
    if (phase_ != Phase::kOpen || is_gone_) {
        return;
    }
    begin(response);
    traits_.keeps_alive = traits_.keeps_alive && !says_close(response.headers);
    std::string text = print_head(response, traits_, BodyKind::kWhole);
    if (!traits_.is_to_head && !has_no_body(response.status)) {
        text += response.body;
    }
    dropped = complete();
    add(std::move(text));
}

void Answer::begin_stream(Response head) {
    bool is_written_now = false;
    {
        const std::lock_guard lock(mutex_);
        if (phase_ != Phase::kOpen || is_gone_) {
            return;
        }
        phase_ = Phase::kStreaming;
        begin(head);
        traits_.keeps_alive =
            traits_.keeps_alive && !traits_.is_http_1_0 && !says_close(head.headers);
        std::string text = print_head(head, traits_, BodyKind::kStream);
        // A stream of a status without a body is empty, as one for HEAD.
        traits_.is_to_head = traits_.is_to_head || has_no_body(head.status);
        is_written_now = takes_over();
        add(std::move(text));
        add_chunk(head.body);
    }
    if (is_written_now) {
        wake_();
    }
}

void Answer::send(std::string_view bytes) {
    bool is_written_now = false;
    {
        const std::lock_guard lock(mutex_);
        if (phase_ != Phase::kStreaming || is_gone_) {
            return;
        }
        is_written_now = takes_over();
        add_chunk(bytes);
    }
    if (is_written_now) {
        wake_();
    }
}

bool Answer::takes_over() {
    return loop_.is_current() && !std::exchange(is_scheduled_, true);
}

void Answer::end() {
    std::function<void()> dropped;
    const std::lock_guard lock(mutex_);
    if (phase_ != Phase::kStreaming || is_gone_) {
        return;
    }
    dropped = complete();
    add(traits_.is_http_1_0 || traits_.is_to_head ? "" : "0\r\n\r\n");
}

void Answer::abandon() {
    const std::lock_guard lock(mutex_);
    if (phase_ != Phase::kComplete && !is_gone_) {
        has_failed_ = true;
        schedule();
    }
}

void Answer::add_chunk(std::string_view bytes) {
    if (bytes.empty() || traits_.is_to_head || has_failed_) {
        return;
    }
    constexpr std::size_t kFramingBytesMax = 20;
    if (unsent_ + bytes.size() + kFramingBytesMax > base::kUnsentBytesMax) {
        has_failed_ = true;
        base::release(ready_);
        schedule();
        return;
    }
    const std::size_t before = ready_.size();
    if (traits_.is_http_1_0) {
        ready_ += bytes;
    } else {
        constexpr int kHexadecimal = 16;
        std::array<char, 16> size{};
        char* const end =
            std::to_chars(size.data(), size.data() + size.size(), bytes.size(), kHexadecimal).ptr;
        if (ready_.empty()) {
            ready_.reserve(bytes.size() + kFramingBytesMax);
        }
        ready_.append(size.data(), end);
        ready_ += "\r\n";
        ready_ += bytes;
        ready_ += "\r\n";
    }
    unsent_ += ready_.size() - before;
    bytes_ += ready_.size() - before;
    schedule();
}

std::function<void()> Answer::complete() {
    phase_ = Phase::kComplete;
    return std::exchange(on_gone_, nullptr);
}

void Answer::add(std::string bytes) {
    unsent_ += bytes.size();
    bytes_ += bytes.size();
    if (ready_.empty()) {
        ready_ = std::move(bytes);
    } else {
        ready_ += bytes;
    }
    schedule();
}

// Several additions before the loop comes to it cost one wake-up and one write.
void Answer::schedule() {
    if (!std::exchange(is_scheduled_, true)) {
        loop_.post(wake_);
    }
}

void Answer::on_gone(std::function<void()> callback) {
    {
        const std::lock_guard lock(mutex_);
        if (!is_gone_ && phase_ != Phase::kComplete) {
            on_gone_.swap(callback);
            return;
        }
    }
    if (is_gone_) {
        loop_.post(std::move(callback));
    }
}

bool Answer::is_complete() const {
    const std::lock_guard lock(mutex_);
    return phase_ == Phase::kComplete;
}

Answer::Taken Answer::take(std::string& out) {
    const std::lock_guard lock(mutex_);
    is_scheduled_ = false;
    if (out.empty()) {
        out = std::exchange(ready_, {});
    } else {
        out += std::exchange(ready_, {});
    }
    return {.is_complete = phase_ == Phase::kComplete,
            .closes = !traits_.keeps_alive,
            .has_failed = has_failed_,
            .has_begun = phase_ != Phase::kOpen};
}

void Answer::written(std::size_t bytes) noexcept {
    const std::size_t now = unsent_;
    unsent_ -= std::min(bytes, now);
}

void Answer::lose() {
    std::function<void()> callback;
    {
        const std::lock_guard lock(mutex_);
        is_gone_ = true;
        base::release(ready_);
        unsent_ = 0;
        callback.swap(on_gone_);
    }
    if (callback) {
        loop_.post(std::move(callback));
    }
}

void Answer::stop_keeping_alive() {
    const std::lock_guard lock(mutex_);
    traits_.keeps_alive = false;
}

}  // namespace arbiter::net::internal
