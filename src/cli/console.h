// Console: where a command reads and writes, in which language, and whether in colour.
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
    // The text in a colour, where the stream is a terminal.
    [[nodiscard]] std::string painted(std::string_view text, Color color) const;
    [[nodiscard]] std::string painted_error(std::string_view text, Color color) const;
};

// A whole file, "-" being standard input. Refuses what is larger than `bytes_max`.
base::Result<std::string> read_file(const Console& console, const std::string& name,
                                    std::size_t bytes_max);

// Writes a whole file: beside it first and then in its place, so that nobody sees half of it.
base::Result<> write_file(const std::string& name, std::string_view text);

// "file:3:7: error: …", and below it the line with a mark, when `text` is what the place is in.
void report(const Console& console, const base::Error& error, std::string_view file,
            std::string_view text);
// The same for something that is not an error.
void warn(const Console& console, const base::TextView& message, const base::Place& place,
          std::string_view file);

}  // namespace arbiter::cli
