#include "net/sse.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"

namespace arbiter::net {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string without_line_breaks(std::string_view text) {
    std::string kept;
    std::ranges::copy_if(text, std::back_inserter(kept),
                         [](char c) { return c != '\r' && c != '\n'; });
    return kept;
}

}  // namespace

base::Result<> SseDecoder::feed(std::string_view bytes, const Each& each) {
    const auto too_large = [] {
        return base::fail(base::ErrorCode::kHttpTooLarge,
                          {"An event", std::to_string(base::kSseEventBytesMax) + " B"});
    };
    if (has_failed_) {
        return too_large();
    }
    while (!bytes.empty()) {
        if (std::exchange(skips_line_feed_, false) && bytes.front() == '\n') {
            bytes.remove_prefix(1);
            continue;
        }
        const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
        if (line_.size() + event_.data.size() + end > base::kSseEventBytesMax) {
            has_failed_ = true;
            return too_large();
        }
        const std::string_view part = bytes.substr(0, end);
        if (end == bytes.size()) {
            line_ += part;
            break;
        }
        skips_line_feed_ = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
        if (line_.empty()) {
            end_line(part, each);
        } else {
            line_ += part;
            end_line(std::exchange(line_, {}), each);
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
    SseEvent ready = std::exchange(event_, {.event = {}, .data = {}, .id = event_.id});
    if (std::exchange(has_data_, false)) {
        each(ready);
    }
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
