#include "cli/player_console.h"

#include <vector>

#include "value/json.h"

namespace arbiter::cli {

void PlayerConsole::say(const base::TextView& sentence, Color color,
                        std::span<const table::PlayerText> words) const {
    std::vector<std::string> arguments;
    for (const table::PlayerText& word : words) {
        arguments.push_back(word.str());
    }
    console_.print(console_.painted(
        wrapped(base::format_message(sentence.in(console_.language), arguments), columns_), color));
}

void PlayerConsole::show(const table::PlayerText& text, Color color) const {
    console_.print(color == Color::kNone ? text.str() : console_.painted(text.str(), color));
}

void PlayerConsole::show_line(const table::PlayerText& text, Color color) const {
    show(text, color);
    if (!text.str().ends_with('\n')) {
        console_.print("\n");
    }
}

void PlayerConsole::tell(const table::PlayerText& text) {
    console_.print(telling_.feed(text.str()));
    std::fflush(console_.out);
}

void PlayerConsole::end_telling() {
    console_.print(telling_.finish());
    if (telling_.is_line_open()) {
        console_.print("\n");
    }
    telling_ = WordWrap(columns_);
}

void PlayerConsole::tell_line(const table::PlayerText& text, Color color) const {
    std::string lines = wrapped(text.str(), columns_);
    if (!lines.ends_with('\n')) {
        lines += '\n';
    }
    console_.print(color == Color::kNone ? lines : console_.painted(lines, color));
}

void PlayerConsole::set_columns(std::size_t columns) noexcept {
    columns_ = columns;
    telling_ = WordWrap(columns);
}

void PlayerConsole::show(const table::PlayerValue& value) const {
    console_.print(value::print_json(value.get(), value::JsonStyle::kPretty) + "\n");
}

}  // namespace arbiter::cli
