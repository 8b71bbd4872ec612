#include "net/sse.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "base/release.h"

namespace arbiter::net {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string without_line_breaks(std::string_view text) {
    std::string kept;
    std::ranges::copy_if(text, std::back_inserter(kept),
                         [](char c) { return c != '\r' && c != '\n'; });
    return kept;
}

// Finds the ends of lines one after another. The next one of each kind is remembered: text with
// one kind alone is not searched for the other again and again.
class LineEnds {
  public:
    explicit LineEnds(std::string_view bytes) : bytes_(bytes) {}
    // From `begin` on, which never decreases; without one the size of the bytes.
    std::size_t find(std::size_t begin) {
        return std::min(find(feed_, '\n', begin), find(carriage_return_, '\r', begin));
    }

  private:
    std::size_t find(std::optional<std::size_t>& next, char kind, std::size_t begin) const {
        if (!next || *next < begin) {
            next = std::min(bytes_.find(kind, begin), bytes_.size());
        }
        return *next;
    }

    std::string_view bytes_;
    std::optional<std::size_t> feed_;
    std::optional<std::size_t> carriage_return_;
};

// A stream may stay open for a long time: only a buffer of the usual size is kept.
constexpr std::size_t kKeptBytesMax = 1024;

void empty(std::string& buffer) {
    if (buffer.capacity() > kKeptBytesMax) {
        base::release(buffer);
    } else {
        buffer.clear();
    }
}

// Most feeds hold whole events, so that a decoder needs its buffers only while it is fed. Those of
// a thread share one of each kind.
class BorrowedBuffer {
  public:
    BorrowedBuffer(std::string& buffer, std::string& shared) : buffer_(buffer), shared_(shared) {
        if (buffer_.empty()) {
            buffer_.swap(shared_);
        }
    }
    BorrowedBuffer(const BorrowedBuffer&) = delete;
    BorrowedBuffer& operator=(const BorrowedBuffer&) = delete;
    ~BorrowedBuffer() {
        if (buffer_.empty()) {
            buffer_.swap(shared_);
        }
    }

  private:
    std::string& buffer_;
    std::string& shared_;
};

}  // namespace

base::Result<> SseDecoder::feed(std::string_view bytes, const Each& each) {
    const auto too_large = [] {
        return base::fail(base::ErrorCode::kHttpTooLarge,
                          {"An event", std::to_string(base::kSseEventBytesMax) + " B"});
    };
    if (has_failed_) {
        return too_large();
    }
    thread_local std::string shared_line;
    thread_local std::string shared_data;
    const BorrowedBuffer line(line_, shared_line);
    const BorrowedBuffer data(event_.data, shared_data);
    LineEnds ends(bytes);
    for (std::size_t at = 0; at < bytes.size();) {
        if (std::exchange(skips_line_feed_, false) && bytes[at] == '\n') {
            ++at;
            continue;
        }
        const std::size_t end = ends.find(at);
        const std::string_view part = bytes.substr(at, end - at);
        if (line_.size() + event_.data.size() + part.size() > base::kSseEventBytesMax) {
            has_failed_ = true;
            return too_large();
        }
        if (end == bytes.size()) {
            line_ += part;
            break;
        }
        skips_line_feed_ = bytes[end] == '\r';
        at = end + 1;
        if (line_.empty()) {
            end_line(part, each);
        } else {
            line_ += part;
            end_line(line_, each);
            empty(line_);
        }
    }
    return {};
}

base::Result<> SseDecoder::finish(const Each& each) {
    if (!line_.empty()) {
        end_line(std::exchange(line_, {}), each);
    }
    dispatch(each);
    return {};
}

void SseDecoder::end_line(std::string_view line, const Each& each) {
    if (std::exchange(is_first_line_, false) && line.starts_with(kByteOrderMark)) {
        line.remove_prefix(kByteOrderMark.size());
    }
    if (line.empty()) {
        dispatch(each);
        return;
    }
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view name = line.substr(0, colon);
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    if (value.starts_with(' ')) {
        value.remove_prefix(1);
    }
    if (name == "data") {
        if (std::exchange(has_data_, true)) {
            event_.data += '\n';
        }
        event_.data += value;
    } else if (name == "event") {
        event_.event = value;
    } else if (name == "id" && !value.contains('\0')) {
        event_.id = value;
    }
}

void SseDecoder::dispatch(const Each& each) {
    if (std::exchange(has_data_, false)) {
        each(event_);
    }
    empty(event_.event);
    empty(event_.data);
}

std::string print_event(const SseEvent& event) {
    std::string text;
    if (!event.event.empty()) {
        text += "event: " + without_line_breaks(event.event) + "\n";
    }
    if (!event.id.empty()) {
        text += "id: " + without_line_breaks(event.id) + "\n";
    }
    std::string_view data = event.data;
    while (true) {
        const std::size_t end = std::min(data.find_first_of("\r\n"), data.size());
        text += "data: ";
        text += data.substr(0, end);
        text += '\n';
        if (end == data.size()) {
            break;
        }
        data.remove_prefix(data.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
    }
    text += '\n';
    return text;
}

}  // namespace arbiter::net
