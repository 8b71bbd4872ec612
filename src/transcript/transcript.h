// Transcript: replies on a state and their results, as a text that a card author can read.
//
//   # a comment
//   == what this shows
//   profile: mvu
//   -- state
//   {"好感":1}
//   -- reply
//   她笑了。_.add('好感', 2);
//   -- verdicts
//   applied increment 好感: 1 → 3
//   ==
//
// Settings are between the title and the first section. A section is given (state, table, script,
// now, said, calls, reply, restore) or expected (all others, about the step before them). `-- said`
// is what the player says: with a script it is a whole turn, without one it goes with the next
// reply. `-- calls` are native tool calls of the next reply. `-- restore` puts back what is in
// the recycle bin, by its path or id; `-- restore (world)` the backup of a world that was left. A
// heading may say more in brackets: `-- reply (user)`, `-- reply (system)`, and `(json)` for a text
// that is written as one JSON string, because it holds characters that do not show or lines that
// look like headings.
//
// Plain data and pure functions; transcript/play.h carries a turn out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::transcript {

struct Setting {
    std::string name;
    std::string value;
    base::Place place = {};
};

struct Section {
    std::string heading;  // "reply (user)"
    std::string text;     // as it is in the file, without its last line end
    base::Place place = {};

    // The heading without the part in brackets.
    [[nodiscard]] std::string_view name() const;
    // True if the brackets contain the word.
    [[nodiscard]] bool is(std::string_view word) const;
    [[nodiscard]] bool is_given() const;
    // The content: the plain text or, for a (json) section, the decoded string. Fails if that is
    // not a JSON string.
    [[nodiscard]] base::Result<std::string> content() const;
    // Replaces the content. Makes the section (json) if the plain text would not read back
    // unchanged.
    void say(std::string_view content);
};

struct Turn {
    std::string title;
    std::vector<Setting> settings;
    std::vector<Section> sections;
    base::Place place = {};
    std::vector<std::string> comments = {};  // the lines before it, and before its first section
    // True if there is a section of this name.
    [[nodiscard]] bool has(std::string_view name) const;
    // True if something is played: a reply, a restore, or what the player says to a script.
    [[nodiscard]] bool has_step() const;
};

struct Transcript {
    std::vector<Turn> turns;
    std::vector<std::string> trailer;  // comments behind the last turn
};

// Reads a file whose lines end in \n. Fails at the first line without a meaning, at an unknown
// section, at an expectation before any reply, and at a turn without a reply.
base::Result<Transcript> parse(std::string_view text);

// The file again. parse(print(t)) is t but for places, and for empty expectations, which are left
// out because an absent one means the same.
std::string print(const Transcript& transcript);

// A place in the text of a section as a place in the file.
base::Place in_file(const Section& section, const base::Place& place);

}  // namespace arbiter::transcript
