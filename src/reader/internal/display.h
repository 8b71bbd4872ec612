// Display: decides which part of the text outside blocks is shown.
//
// Text is shown as soon as it is known to be narrative. A fence that may hold commands delays the
// decision: its content is shown if it begins with narrative, and hidden once a command begins in
// it. Text between the commands of a hidden fence is reported as ignored, and shown after all if
// the fence is never closed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reader/internal/events.h"
#include "reader/internal/held_text.h"
#include "reader/internal/window.h"

namespace arbiter::reader::internal {

class Display {
  public:
    // Both are borrowed for the lifetime of the display.
    Display(const Window& window, Events& events) noexcept : window_(window), events_(events) {}

    enum class Fence : std::uint8_t {
        kNone,
        kOpaque,     // a code listing: nothing in it is a command
        kUndecided,  // so far without content
        kShown,      // it began with narrative
        kHidden      // it holds commands
    };
    [[nodiscard]] Fence fence() const noexcept { return fence_; }

    // Offset up to which text was shown or skipped.
    [[nodiscard]] std::size_t shown() const noexcept { return shown_; }
    // Text up to `to` is narrative.
    void show(std::size_t to);
    // Text up to `to` is not narrative, or was shown by the caller.
    void skip(std::size_t to) noexcept { shown_ = to; }

    // A block begins at `at`: text before it is shown, and an undecided fence is hidden.
    void begin_block(std::size_t at);

    // `readable`: the fence may hold commands. Its opening line is from `at` to `content`.
    void open_fence(std::size_t at, std::size_t content, bool readable);
    // The fence turned out to be a code listing at `at`.
    void make_opaque(std::size_t at);
    // The closing marks lie from `at` to `end`.
    void close_fence(std::size_t at, std::size_t end);

    // The end of the reply.
    void finish();

  private:
    enum class Line : std::uint8_t { kBlank, kSlash, kComment, kText };

    void decide_fence(std::size_t to);
    void add_ignored(std::size_t to);
    void end_ignored();

    const Window& window_;
    Events& events_;
    std::size_t shown_ = 0;

    Fence fence_ = Fence::kNone;
    std::size_t fence_begin_ = 0;
    std::size_t fence_checked_ = 0;  // no narrative from the fence's content up to here
    std::size_t ignored_begin_ = 0;  // text between the commands of a hidden fence
    std::size_t ignored_end_ = 0;
    Line line_ = Line::kBlank;  // what the current line of a hidden fence begins with
    HeldText held_;
};

}  // namespace arbiter::reader::internal
