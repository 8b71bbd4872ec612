// Wrappers: markup that only wraps removed blocks, such as <details>…</details>, **…** and the
// number of a list item. It is held back while nothing but blocks is in it, and removed with
// them; otherwise it is shown as it was written.
//
// A wrapper begins a line. The result does not depend on how the text was cut into pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reader/internal/narrative.h"
#include "reader/reader.h"

namespace arbiter::reader::internal {

class Wrappers {
  public:
    void text(std::string_view text, Narrative& narrative, Sink& sink);
    // A block was removed here.
    void cut(Narrative& narrative);
    // Shows the text that is held back.
    void flush(Narrative& narrative, Sink& sink);
    // The end of the reply, which also ends a list item.
    void finish(Narrative& narrative, Sink& sink);
    // The text so far is void.
    void restart() noexcept { *this = {}; }

    [[nodiscard]] bool is_holding() const noexcept { return !held_.empty(); }

  private:
    enum class State : std::uint8_t {
        kText,    // in the middle of a line
        kLine,    // only blanks since the line began
        kFence,   // inside of marks that may open or close a fence
        kOpener,  // inside of a mark that may open a wrapper
        kOpen,    // behind a mark that opened one
        kCut      // a block was removed behind it; only closing marks may follow
    };
    enum class Taken : std::uint8_t { kYes, kNo, kAgain };

    // One byte. kNo: what is held is not a wrapper. kAgain: the byte belongs to the next state.
    Taken take(char c);
    Taken begin_mark(char c);
    Taken go_on_mark(char c);
    Taken behind_mark(char c);
    Taken behind_cut(char c, Narrative& narrative);
    void open(std::string closer);
    void hold(char c);
    void remove(Narrative& narrative);

    // The texts that are held back, with a cut before each but the first.
    std::vector<std::string> held_;
    std::vector<std::string> closers_;  // innermost last; "\n" for a list item
    std::string mark_;                  // the mark that is being read
    bool in_fence_ = false;             // a listing is shown as it was written
    State state_ = State::kLine;
};

}  // namespace arbiter::reader::internal
