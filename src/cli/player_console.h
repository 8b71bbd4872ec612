// PlayerConsole: the console towards a player. It takes fixed sentences and redacted texts only, so
// that a text which a player must not see does not compile.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/console.h"
#include "table/player_view.h"

namespace arbiter::cli {

class PlayerConsole {
  public:
    explicit PlayerConsole(const Console& console) noexcept : console_(console) {}

    // A fixed sentence; {0}, {1} … stand for redacted words.
    void say(const base::TextView& sentence, Color color = Color::kNone,
             std::span<const table::PlayerText> words = {}) const;
    void show(const table::PlayerText& text, Color color = Color::kNone) const;
    // The same, ended by a line break if it does not end in one.
    void show_line(const table::PlayerText& text, Color color = Color::kNone) const;
    // JSON with line breaks and indentation.
    void show(const table::PlayerValue& value) const;

    [[nodiscard]] base::Language language() const noexcept { return console_.language; }

  private:
    const Console& console_;
};

}  // namespace arbiter::cli
