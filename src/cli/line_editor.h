// LineEditor: reads the player's input. On a terminal with editing of wide characters, history,
// completion and pasted text as one line (libedit); elsewhere plain lines.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"

namespace arbiter::cli {

// The columns of the terminal; 0: the output is not one.
std::size_t columns_of(const Console& console) noexcept;

class LineEditor {
  public:
    // `words`: the commands that Tab completes at the beginning of a line.
    LineEditor(const Console& console, std::vector<std::string> words);
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;
    ~LineEditor();

    struct Input {
        enum class Kind : std::uint8_t {
            kLine,
            kInterrupted,  // Ctrl-C: the line is dropped
            kEnd           // Ctrl-D on an empty line, or the end of the input
        };
        Kind kind = Kind::kEnd;
        std::string text = {};  // without its line end; UTF-8 on a terminal
        bool had_text = false;  // of kInterrupted: something was typed
    };
    // Prints the prompt and waits.
    Input read(std::string_view prompt);

  private:
    struct Terminal;
    Input read_plain();

    const Console& console_;
    std::unique_ptr<Terminal> terminal_;  // nullptr: input or output is not a terminal
};

}  // namespace arbiter::cli
