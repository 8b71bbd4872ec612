// PlayerConsole: output to a player. It accepts only fixed sentences and redacted text, so that
// printing unredacted text does not compile.
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

    // Prints a fixed sentence; {0}, {1} … are placeholders for redacted words.
    void say(const base::TextView& sentence, Color color = Color::kNone,
             std::span<const table::PlayerText> words = {}) const;
    void show(const table::PlayerText& text, Color color = Color::kNone) const;
    // Like show(), and adds a missing line break at the end.
    void show_line(const table::PlayerText& text, Color color = Color::kNone) const;
    // Prints indented JSON.
    void show(const table::PlayerValue& value) const;

    [[nodiscard]] base::Language language() const noexcept { return console_.language; }

  private:
    const Console& console_;
};

}  // namespace arbiter::cli
