// Machine: the implementation of Reader. One pass over the stream; see reader/reader.h.
//
// In narrative it looks for places where a block may begin (a tag, a fence, a JSON value, a call).
// The reader of that kind of block then takes the text as it comes, and decides where the block
// ends or that it is none. Text that is known to be narrative is shown at once. Text that no reader
// needs any more is dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "reader/internal/call_reader.h"
#include "reader/internal/fence_reader.h"
#include "reader/internal/json_reader.h"
#include "reader/internal/region_reader.h"
#include "reader/internal/reply_state.h"
#include "reader/internal/scan.h"
#include "reader/internal/utf8_intake.h"
#include "reader/reader.h"

namespace arbiter::reader {

class Reader::Machine {
  public:
    explicit Machine(std::shared_ptr<const PreparedOptions> options);

    void feed(std::string_view bytes, Sink& sink);
    void finish(Sink& sink);

  private:
    using Scan = internal::Scan;
    enum class Mode : std::uint8_t { kProse, kJson, kCall, kRegion };

    bool show_plain();
    [[nodiscard]] bool may_wait(std::string_view bytes) const;
    void run();
    // kDone: a block is open. kMore: all text was read.
    Scan read_prose();
    // A byte that may begin a block is at `at`. kDone: a block is open. kNo: narrative continues
    // at `scanned`. kMore: more text is needed; `scanned` is still there.
    Scan begin_block(std::size_t at);
    Scan open(Mode mode, Scan begun) noexcept;
    Scan read_pipe(std::size_t at);
    [[nodiscard]] std::size_t needed_from() const noexcept;
    void forget();

    internal::Utf8Intake intake_;
    internal::ReplyState state_;
    internal::FenceReader fences_;
    internal::RegionReader regions_;
    internal::JsonReader json_;
    internal::CallReader calls_;
    Mode mode_ = Mode::kProse;
    bool begun_ = false;  // the beginning of the reply was examined
};

}  // namespace arbiter::reader
