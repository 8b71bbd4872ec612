// Regex scripts of a card (extensions.regex_scripts): replacements of text in what is shown to the
// player and in what is sent to the model. The recorded text never changes.
//
//   const Replacements replacements(card, expand);
//   replacements.apply(text, {Side::kDisplay, Speaker::kCharacter, 0});
//
// Patterns are searched by text/regex.h in linear time; one that it cannot express is not applied
// and reported. Nothing of a script is executed. Immutable; safe from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "card/card.h"
#include "card/import_note.h"

namespace arbiter::card {

struct RegexScript {
    enum class Macros : std::uint8_t { kNone, kRaw, kEscaped };  // in the pattern

    std::string name;
    std::string find;  // /pattern/flags, or a pattern
    std::string replace;
    std::vector<std::string> trims;  // removed from the texts of groups
    bool for_user = false;           // the player's messages
    bool for_character = false;      // those of the model
    bool is_disabled = false;
    bool display_only = false;
    bool prompt_only = false;
    Macros macros = Macros::kNone;
    // In messages from the newest, which is 0.
    std::optional<std::int64_t> min_depth = {};
    std::optional<std::int64_t> max_depth = {};
};
std::vector<RegexScript> regex_scripts(const Card& card);

enum class Side : bool { kDisplay, kPrompt };
enum class Speaker : bool { kUser, kCharacter };
struct ReplacedText {
    Side side;
    Speaker speaker;
    std::size_t depth;
};

class Replacements {
  public:
    using Expand = std::function<std::string(std::string_view text)>;

    Replacements();  // none
    // `expand` expands macros of the scripts.
    Replacements(const Card& card, const Expand& expand);

    // True if a script may change such texts.
    [[nodiscard]] bool has_any(Side side, Speaker speaker) const noexcept;
    [[nodiscard]] std::string apply(std::string_view text, const ReplacedText& what) const;

  private:
    struct Compiled;
    std::vector<std::shared_ptr<const Compiled>> scripts_;
};

// The fate of each script, in the order of the card.
std::vector<ImportNote> regex_notes(const Card& card);

}  // namespace arbiter::card
