#include "reader/position.h"

#include <algorithm>

#include "text/utf8.h"

namespace arbiter::reader {

std::string describe_position(std::string_view text, std::size_t offset) {
    offset = std::min(offset, text.size());
    const std::string_view before = text.substr(0, offset);
    const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    const std::size_t line_begin =
        before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const std::size_t column = text::count(before.substr(line_begin)) + 1;
    std::string place = std::to_string(line) + ":" + std::to_string(column);
    std::string_view shown = text.substr(offset);
    shown = shown.substr(0, std::min(shown.find('\n'), shown.size()));
    std::size_t end = 0;
    for (std::size_t characters = 0; characters < 20 && end < shown.size(); ++characters) {
        end += std::max<std::size_t>(text::decode(shown.substr(end)).size, 1);
    }
    if (end > 0) {
        place += " `" + std::string(shown.substr(0, end)) + "`";
    }
    return place;
}

}  // namespace arbiter::reader
