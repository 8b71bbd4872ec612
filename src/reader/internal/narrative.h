// Narrative: what the player sees. Text runs through it; the blanks around a block that was taken
// out are joined, so that no wreckage is left: a paragraph stays a paragraph, a line a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reader/reader.h"

namespace arbiter::reader::internal {

class Narrative {
  public:
    // Text that is narrative. Blanks at its end are kept back until more comes.
    void text(std::string_view text, Sink& sink);
    // A block was taken out here.
    void cut();
    // The end: blanks that belong to no block are shown.
    void finish(Sink& sink);

    // How much was shown, blanks not counted.
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  private:
    void keep(std::string_view blanks, Sink& sink);
    void join(Sink& sink);
    void measure();

    std::string blanks_;  // not shown yet
    std::size_t bytes_ = 0;
    std::size_t breaks_ = 0;    // most line breaks on one side of a block
    bool space_ = false;        // a blank on some side of a block
    bool wide_breaks_ = false;  // the line breaks there are CR LF
    bool cut_ = false;          // a block lies in the gap
    bool begun_ = false;        // something was shown
};

}  // namespace arbiter::reader::internal
