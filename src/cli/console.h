// Console: a command's input and output streams, language and colour settings.
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

    void print(std::string_view text) const;
    void complain(std::string_view text) const;
    [[nodiscard]] std::string_view say(const base::TextView& text) const noexcept {
        return text.in(language);
    }
    // The text in a colour; unchanged if colour is off for the stream.
    [[nodiscard]] std::string painted(std::string_view text, Color color) const;
    [[nodiscard]] std::string painted_error(std::string_view text, Color color) const;
};

// Reads a whole file; "-" is standard input. Fails if it is larger than `bytes_max`.
base::Result<std::string> read_file(const Console& console, const std::string& name,
                                    std::size_t bytes_max);

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
