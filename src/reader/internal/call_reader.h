// CallReader: reads a call such as _.set('a.b', 5); or memory('p', 'k', 'v'); in narrative.
#pragma once

#include <cstddef>
#include <memory>

#include "proposal/instruction.h"
#include "reader/internal/call_scan.h"
#include "reader/internal/reply_state.h"
#include "reader/internal/scan.h"

namespace arbiter::reader::internal {

class CallReader {
  public:
    explicit CallReader(ReplyState& state) noexcept : state_(state) {}

    // ( is at `at`, or the last byte of （. kDone: a call is open, advance() reads it. kNo:
    // narrative continues at `scanned`.
    Scan begin(std::size_t at);
    // kDone: the call was a command. kNo: it was narrative. Narrative continues at `scanned`.
    Scan advance();

    // The arguments are incomplete, so that only their end is awaited.
    [[nodiscard]] bool is_in_arguments() const noexcept { return !arguments_done_; }
    [[nodiscard]] std::size_t begin_offset() const noexcept { return begin_; }

  private:
    // A call of the memory system has a quoted path; any other word of the same name is narrative.
    [[nodiscard]] Scan has_quoted_path(std::size_t bracket, std::size_t arguments) const;
    Scan pass_as_text(bool closed);
    void read_call(const CallTail& tail);

    ReplyState& state_;
    std::size_t lookahead_ = CallScan::kLookahead;
    std::unique_ptr<CallScan> scan_;  // of the last call; nullptr: there was none
    bool arguments_done_ = false;
    proposal::Dialect dialect_ = proposal::Dialect::kMvu;
    std::size_t begin_ = 0;
    std::size_t name_begin_ = 0;
    std::size_t name_size_ = 0;
    std::size_t bracket_ = 0;      // offset of the opening bracket
    std::size_t tail_blanks_ = 0;  // blanks behind the call that were passed over
    std::size_t blocked_ = 0;      // no call begins before this offset
};

}  // namespace arbiter::reader::internal
