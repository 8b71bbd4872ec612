#include "cli/console.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "config/files.h"
#include "text/controls.h"
#include "text/nearest.h"
#include "text/split.h"
#include "text/utf8.h"

namespace arbiter::cli {
namespace {

std::string_view code_of(Color color) noexcept {
    switch (color) {
        case Color::kNone:
            return "";
        case Color::kRed:
            return "\x1b[31m";
        case Color::kGreen:
            return "\x1b[32m";
        case Color::kYellow:
            return "\x1b[33m";
        case Color::kCyan:
            return "\x1b[36m";
        case Color::kBold:
            return "\x1b[1m";
        case Color::kDim:
            return "\x1b[2m";
    }
    return "";
}

// Begins a colour in painted text, with a digit behind it. It is not a byte of UTF-8, so no text
// holds one; text that does all the same changes colours at most.
constexpr char kMark = '\xFF';
constexpr char kPlain = '0';

std::string paint(std::string_view text, Color color, bool wanted) {
    if (!wanted || color == Color::kNone) {
        return std::string(text);
    }
    const char digit = static_cast<char>(kPlain + static_cast<int>(color));
    return std::string{kMark, digit} + std::string(text) + std::string{kMark, kPlain};
}

void write(std::FILE* file, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), file);
}

// Writes painted text: the only place where colours become codes and other text is made harmless.
void write_safely(std::FILE* file, std::string_view text, bool in_color) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(kMark), text.size());
        out += text::show_controls(text.substr(0, end));
        text.remove_prefix(end);
        if (text.empty()) {
            break;
        }
        const int color = text.size() > 1 ? text[1] - kPlain : -1;
        if (!in_color || color < 0 || color > static_cast<int>(Color::kDim)) {
            text::append(out, text::kReplacement);
            text.remove_prefix(1);
            continue;
        }
        out += color == 0 ? "\x1b[0m" : code_of(static_cast<Color>(color));
        text.remove_prefix(2);
    }
    write(file, out);
}

// Approximate terminal width of a character; sufficient to place a mark under Chinese text.
std::size_t cells(char32_t c) noexcept {
    // Combining marks, variation selectors and joiners have zero width.
    if ((c >= 0x300 && c <= 0x36F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0x200D) {
        return 0;
    }
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                      (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                      (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                      (c >= 0x1F300 && c <= 0x1FAFF);
    return wide ? 2 : 1;
}

// The line of a place with a mark under its column. Long lines are truncated on both sides.
std::string excerpt(std::string_view text, const base::Place& place) {
    constexpr std::size_t kBefore = 60;
    constexpr std::size_t kAfter = 40;
    const std::size_t offset = std::min(place.offset, text.size());
    const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    if (start == 0 && text.starts_with("\xEF\xBB\xBF") && offset >= 3) {
        start = 3;
    }
    const std::size_t end = std::min(text.find('\n', offset), text.size());
    const bool cut_front = offset - start > kBefore;
    const bool cut_back = end - offset > kAfter;
    if (cut_front) {
        start = offset - kBefore;
        while ((static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U) {
            ++start;
        }
    }
    const std::string front = text::repair(text.substr(start, offset - start));
    std::string back = text::repair(text.substr(offset, cut_back ? kAfter : end - offset));
    while (!back.empty() && (back.back() == '\r' || back.ends_with("\xEF\xBF\xBD"))) {
        back.resize(back.size() - (back.back() == '\r' ? 1 : 3));
    }
    std::size_t width = cut_front ? 1 : 0;
    std::string shown_front;
    for (std::string_view rest = front; !rest.empty();) {
        const text::Decoded next = text::decode(rest);
        const bool control =
            next.code_point < 0x20 || (next.code_point >= 0x7F && next.code_point < 0xA0);
        shown_front += control ? " " : std::string(rest.substr(0, next.size));
        width += control ? 1 : cells(next.code_point);
        rest.remove_prefix(next.size);
    }
    std::ranges::replace_if(back, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    const std::string number = std::to_string(place.line);
    return "  " + number + " | " + (cut_front ? "…" : "") + shown_front + back +
           (cut_back ? "…" : "") + "\n  " + std::string(number.size(), ' ') + " | " +
           std::string(width, ' ') + "^\n";
}

}  // namespace

void Console::print(std::string_view text) const {
    write_safely(out, text, color_out);
}
void Console::complain(std::string_view text) const {
    write_safely(err, text, color_err);
}
void Console::print_data(std::string_view data) const {
    if (terminal_out) {
        print(data);
    } else {
        write(out, data);
    }
}
void Console::show_progress(std::string_view text) const {
    write(err, "\r");
    complain(text);
}

std::string Console::painted(std::string_view text, Color color) const {
    return paint(text, color, color_out);
}
std::string Console::painted_error(std::string_view text, Color color) const {
    return paint(text, color, color_err);
}

base::Result<std::string> read_file(const Console& console, const std::string& name,
                                    std::size_t bytes_max) {
    return name == "-" ? config::read_stream(console.in, name, bytes_max)
                       : config::read_file(name, bytes_max);
}

base::Error output_error(const Console& console) {
    const int error = errno;
    return base::Error(
        base::ErrorCode::kFileUnwritable,
        {std::string(console.say({"standard output", "标准输出"})), std::strerror(error)});
}

base::Result<> write_file(const std::string& name, std::string_view text) {
    const std::string beside = name + ".new";
    const auto failed = [&](int error) {
        std::remove(beside.c_str());
        return base::fail(base::ErrorCode::kFileUnwritable, {name, std::strerror(error)});
    };
    std::FILE* file = std::fopen(beside.c_str(), "wb");
    if (file == nullptr) {
        return failed(errno);
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
                         std::fflush(file) == 0 && fsync(fileno(file)) == 0;
    const int error = errno;
    if (std::fclose(file) != 0 || !written) {
        return failed(written ? errno : error);
    }
    if (std::rename(beside.c_str(), name.c_str()) != 0) {
        return failed(errno);
    }
    return {};
}

std::string on_one_line(std::string_view text) {
    return text::show_controls(text, text::LineBreaks::kShown);
}

namespace {

// A wrong word of a command line or a setting gets the valid one that is near.
base::Error with_suggestion(base::Error error) {
    if (error.code == base::ErrorCode::kBadOptionValue && error.arguments.size() == 3) {
        const auto valid = text::split(error.arguments[2], ", |");
        if (const auto meant = text::nearest(error.arguments[1], valid);
            meant && valid.size() > 1) {
            error.arguments.emplace_back(*meant);
        }
    }
    return error;
}

}  // namespace

void report(const Console& console, const base::Error& error, std::string_view file,
            std::string_view text) {
    std::string line = on_one_line(file);
    if (error.place) {
        line += ":" + std::to_string(error.place->line) + ":" + std::to_string(error.place->column);
    }
    line += ": ";
    line += console.painted_error(console.say({"error", "错误"}), Color::kRed);
    line += ": " + on_one_line(base::explain(with_suggestion(error), console.language)) + "\n";
    console.complain(line);
    if (error.place && !text.empty()) {
        console.complain(console.painted_error(excerpt(text, *error.place), Color::kDim));
    }
}

void warn(const Console& console, const base::Error& warning, std::string_view file) {
    console.complain(on_one_line(file) + ": " +
                     console.painted_error(console.say({"warning", "警告"}), Color::kYellow) +
                     ": " + on_one_line(base::explain(warning, console.language)) + "\n");
}

void warn(const Console& console, const base::TextView& message, const base::Place& place,
          std::string_view file) {
    std::string line = on_one_line(file);
    line += ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
    line += console.painted_error(console.say({"warning", "警告"}), Color::kYellow);
    line += ": ";
    line += on_one_line(console.say(message));
    console.complain(line + "\n");
}

}  // namespace arbiter::cli
