// FenceReader: recognises the marks that open and close fences (``` and ~~~) in narrative.
#pragma once

#include <cstddef>
#include <string_view>

#include "reader/internal/reply_state.h"
#include "reader/internal/scan.h"

namespace arbiter::reader::internal {

class FenceReader {
  public:
    explicit FenceReader(ReplyState& state) noexcept : state_(state) {}

    // A mark is at `at`. kNo: narrative continues at `scanned`, inside or outside of a fence;
    // kMore: more text is needed to decide.
    Scan read_marks(std::size_t at);

  private:
    Scan read_opening(std::size_t at, char mark, std::size_t marks);
    Scan read_closing(std::size_t at, char mark, std::size_t marks);
    // The commands of a YAML fence that begins at `at`, its content at `content`. kDone: they were
    // read, and narrative continues behind the fence.
    Scan read_yaml(std::size_t at, std::size_t content, std::string_view marks);
    // Shows the text before `at` and waits.
    Scan wait(std::size_t at);

    ReplyState& state_;
    char mark_ = 0;           // of the open fence
    std::size_t marks_ = 0;   // how many opened it
    std::size_t nested_ = 0;  // fences open inside a code listing
};

}  // namespace arbiter::reader::internal
