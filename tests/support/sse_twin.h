// A second decoder of server-sent events: over the whole stream, as the standard words it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "net/sse.h"
#include "tests/support/random.h"

namespace arbiter::tests {

inline std::vector<std::string> stream_lines(std::string_view stream) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < stream.size(); ++at) {
        if (stream[at] == '\r' || stream[at] == '\n') {
            at += stream.substr(at).starts_with("\r\n") ? 1 : 0;
            lines.emplace_back();
        } else {
            lines.back() += stream[at];
        }
    }
    return lines;
}

inline std::vector<net::SseEvent> reference_events(std::string_view stream) {
    if (stream.starts_with("\xEF\xBB\xBF")) {
        stream.remove_prefix(3);
    }
    std::vector<net::SseEvent> events;
    std::string data;
    std::string type;
    std::string id;
    const auto dispatch = [&] {
        if (!data.empty()) {
            data.pop_back();
            events.push_back({type, data, id});
        }
        data.clear();
        type.clear();
    };
    for (const std::string& line : stream_lines(stream)) {
        if (line.empty()) {
            dispatch();
            continue;
        }
        const std::size_t colon = line.find(':');
        const std::string name = line.substr(0, colon);
        std::string value = colon == std::string::npos ? "" : line.substr(colon + 1);
        if (value.starts_with(' ')) {
            value.erase(0, 1);
        }
        if (name == "data") {
            data += value + "\n";
        } else if (name == "event") {
            type = value;
        } else if (name == "id" && value.find('\0') == std::string::npos) {
            id = value;
        }
    }
    dispatch();  // ours delivers an event at the end of the stream
    return events;
}

// Feeds the stream in pieces of 1 to `most` bytes.
inline std::vector<net::SseEvent> decoded_events(std::string_view stream, std::size_t most) {
    net::SseDecoder decoder;
    std::vector<net::SseEvent> events;
    const auto each = [&](const net::SseEvent& event) { events.push_back(event); };
    Random random(stream.size());
    while (!stream.empty()) {
        const std::string_view piece = stream.substr(0, 1 + random.below(most));
        CHECK(decoder.feed(piece, each));
        stream.remove_prefix(piece.size());
    }
    CHECK(decoder.finish(each));
    return events;
}

// Any split gives the events of the reference; printed events are read as they were.
inline void check_events(std::string_view stream) {
    const std::vector<net::SseEvent> expected = reference_events(stream);
    for (const std::size_t most : {std::size_t{1}, std::size_t{5}, stream.size() + 1}) {
        CHECK(decoded_events(stream, most) == expected);
    }
    for (const net::SseEvent& event : expected) {
        const std::string printed = net::print_event(event);
        CHECK(decoded_events(printed, printed.size()) == std::vector{event});
    }
}

}  // namespace arbiter::tests
