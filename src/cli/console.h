// Console: a command's input and output streams, language and colour settings. All output passes
// through it: text of models, players, cards and files never acts on a terminal
// (text/controls.h).
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/messages.h"
#include "base/text.h"

namespace arbiter::cli {

enum class Color : std::uint8_t { kNone, kRed, kGreen, kYellow, kCyan, kBold, kDim };

struct Console {
    std::FILE* in = stdin;
    std::FILE* out = stdout;
    std::FILE* err = stderr;
    base::Language language = base::Language::kEnglish;
    bool color_out = false;
    bool color_err = false;

    bool terminal_out = false;  // `out` is a terminal
    bool json = false;          // --json: errors of campaigns are printed as JSON too

    // Text for people, or JSON: control characters are shown, wherever the stream leads.
    void print(std::string_view text) const;
    void complain(std::string_view text) const;
    // Data that a file may hold: exact bytes, except on a terminal.
    void print_data(std::string_view data) const;
    // Replaces the present line of `err` on a terminal.
    void show_progress(std::string_view text) const;
    [[nodiscard]] std::string_view say(const base::TextView& text) const noexcept {
        return text.in(language);
    }
    // The text in a colour, for print() or complain(); unchanged if colour is off for the stream.
    [[nodiscard]] std::string painted(std::string_view text, Color color) const;
    [[nodiscard]] std::string painted_error(std::string_view text, Color color) const;
};

// A name, label or message of a stranger for one line of output: line breaks are shown too.
std::string on_one_line(std::string_view text);

// Reads a whole file; "-" is standard input. Fails if it is larger than `bytes_max`.
base::Result<std::string> read_file(const Console& console, const std::string& name,
                                    std::size_t bytes_max);

// The error of a write to `out` that has just failed.
base::Error output_error(const Console& console);

// Replaces a file atomically: writes a temporary file beside it and renames it.
base::Result<> write_file(const std::string& name, std::string_view text);

// Prints "file:3:7: error: …". If `text` is the content of the file, also prints the line with a
// mark below the column.
void report(const Console& console, const base::Error& error, std::string_view file,
            std::string_view text);
// Prints a warning in the same format.
void warn(const Console& console, const base::Error& warning, std::string_view file);
void warn(const Console& console, const base::TextView& message, const base::Place& place,
          std::string_view file);

}  // namespace arbiter::cli
