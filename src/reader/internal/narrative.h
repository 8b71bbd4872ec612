// Narrative: the visible text on its way to the sink. Joins the blanks around a removed block, so
// that paragraphs stay paragraphs and lines stay lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reader/reader.h"

namespace arbiter::reader::internal {

class Narrative {
  public:
    // Shows text. Blanks at its end are held back until more text comes.
    void text(std::string_view text, Sink& sink);
    // A block was removed here.
    void cut();
    // The end of the reply: shows held blanks that do not belong to a block.
    void finish(Sink& sink);

    // The text so far is void: the narrative begins behind the block that was just removed.
    void restart() noexcept {
        *this = {};
        cut_ = true;
    }

    [[nodiscard]] bool has_begun() const noexcept { return begun_; }

  private:
    void hold(std::string_view blanks, Sink& sink);
    void join(Sink& sink);
    void measure();

    std::string blanks_;        // held back
    std::size_t breaks_ = 0;    // maximum of line breaks on one side of a block
    bool space_ = false;        // a blank on either side of a block
    bool wide_breaks_ = false;  // the line breaks there are CR LF
    bool cut_ = false;          // a block was removed since the last text
    bool begun_ = false;        // something was shown
};

}  // namespace arbiter::reader::internal
