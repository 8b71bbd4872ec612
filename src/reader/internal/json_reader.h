// JsonReader: reads a JSON value in narrative, which is a block if it holds commands.
#pragma once

#include <cstddef>
#include <memory>

#include "reader/internal/json_scan.h"
#include "reader/internal/reply_state.h"
#include "reader/internal/scan.h"

namespace arbiter::reader::internal {

class JsonReader {
  public:
    explicit JsonReader(ReplyState& state) noexcept : state_(state) {}

    // { or [ is at `at`. kDone: a value is open, advance() reads it. kNo: narrative continues at
    // `scanned`.
    Scan begin(std::size_t at);
    // kDone: the value was commands. kNo: it was narrative. Narrative continues at `scanned`.
    Scan advance();

    // The value is known to be a command, so that only its end is awaited.
    [[nodiscard]] bool is_command() const noexcept { return scan_->is_command(); }
    // The value is too large and is skipped to its end.
    [[nodiscard]] bool is_skipping() const noexcept { return skipping_; }
    // Text before this offset is not needed any more.
    [[nodiscard]] std::size_t needs() const noexcept { return skipping_ ? scan_->needs() : begin_; }

  private:
    Scan read_value();
    Scan skip_value();
    Scan end_value(std::size_t end, bool closed);
    bool cut_before_prose(std::size_t& end);
    // The value is narrative. `search_inside`: other blocks may begin before `end`.
    Scan pass_as_text(std::size_t end, bool search_inside);

    ReplyState& state_;
    std::unique_ptr<JsonScan> scan_;  // of the last value; nullptr: there was none
    std::size_t begin_ = 0;
    std::size_t blocked_ = 0;     // no value begins before this offset
    std::size_t backtracks_ = 0;  // values that were cut off before the end of the reply
    bool skipping_ = false;       // too large: only its end is looked for
};

}  // namespace arbiter::reader::internal
