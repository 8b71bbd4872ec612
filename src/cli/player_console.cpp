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
    console_.print(
        console_.painted(base::format_message(sentence.in(console_.language), arguments), color));
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

void PlayerConsole::show(const table::PlayerValue& value) const {
    console_.print(value::print_json(value.get(), value::JsonStyle::kPretty) + "\n");
}

}  // namespace arbiter::cli
