// PlayerConsole: output to a player. It accepts only fixed sentences and redacted text, so that
// printing unredacted text does not compile.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/word_wrap.h"
#include "table/player_view.h"

namespace arbiter::cli {

class PlayerConsole {
  public:
    // `columns` of the terminal; 0: lines are not broken.
    explicit PlayerConsole(const Console& console, std::size_t columns = 0) noexcept
        : console_(console), columns_(columns), telling_(columns) {}

    // Prints a fixed sentence; {0}, {1} … are placeholders for redacted words.
    void say(const base::TextView& sentence, Color color = Color::kNone,
             std::span<const table::PlayerText> words = {}) const;
    void show(const table::PlayerText& text, Color color = Color::kNone) const;
    // Like show(), and adds a missing line break at the end.
    void show_line(const table::PlayerText& text, Color color = Color::kNone) const;
    // Text for reading, broken into lines at words: in pieces as it comes, and its end.
    void tell(const table::PlayerText& text);
    void end_telling();
    // A text for reading that is complete.
    void tell_line(const table::PlayerText& text, Color color = Color::kNone) const;
    // Prints indented JSON.
    void show(const table::PlayerValue& value) const;

    [[nodiscard]] base::Language language() const noexcept { return console_.language; }
    [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
    // After the terminal may have been resized, and not while a text is being written.
    void set_columns(std::size_t columns) noexcept;

  private:
    const Console& console_;
    std::size_t columns_;
    WordWrap telling_;
};

}  // namespace arbiter::cli
