// Server-sent events: framing in both directions, as the WHATWG standard says. Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbiter::net {

struct SseEvent {
    std::string event;  // empty: "message"
    std::string data;
    std::string id;  // the last id that the stream has named
    friend bool operator==(const SseEvent&, const SseEvent&) = default;
};

// Push-style: any split of the bytes gives the same events. Lines end with LF, CR or CRLF.
class SseDecoder {
  public:
    using Each = std::function<void(const SseEvent&)>;
    // Calls `each` for every complete event. kHttpTooLarge: an event or a line has more than
    // kSseEventBytesMax bytes; the decoder then refuses further bytes.
    base::Result<> feed(std::string_view bytes, const Each& each);
    // The end of the stream. An event without its blank line is delivered too, as real model
    // servers send it.
    base::Result<> finish(const Each& each);

  private:
    void end_line(std::string_view line, const Each& each);
    void dispatch(const Each& each);

    std::string line_;  // not yet complete
    SseEvent event_;
    bool is_first_line_ = true;
    bool has_data_ = false;
    bool skips_line_feed_ = false;  // behind a CR
    bool has_failed_ = false;
};

// "event: …\nid: …\ndata: …\n\n". Data is split at line breaks; line breaks are removed from the
// event's name and id. Without a name and an id their lines are absent.
[[nodiscard]] std::string print_event(const SseEvent& event);

}  // namespace arbiter::net
