// Names: every name by which a narration may call a tracked thing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conflict/lexicon.h"
#include "conflict/truth.h"
#include "text/phrases.h"

namespace arbiter::conflict::internal {

// One meaning of a name.
struct Meaning {
    enum class Kind : std::uint8_t {
        kCharacter,
        kArea,
        kItem,
        kResource,
        kSkill,
        kAttribute,
        kRole
    };
    enum class Form : std::uint8_t {
        kFull,     // the whole name
        kPart,     // 惊鸿, Rhea, the tavern of "Raven Tavern"
        kSurname,  // one character; a name only beside an honorific (老沈, 沈公子)
        kEpithet   // title, job or race that only one character has
    };
    Kind kind = Kind::kCharacter;
    Form form = Form::kFull;
    std::uint32_t index = 0;  // of the character, area, …; of texts_ for the others
    friend bool operator==(const Meaning&, const Meaning&) = default;
};

class Names {
  public:
    Names(const Truth& truth, const Lexicon& lexicon);

    struct Match {
        std::uint32_t id = 0;
        std::size_t size = 0;
    };
    // The longest name at a place. `text` as written, `folded` in small letters.
    [[nodiscard]] std::optional<Match> longest_at(std::string_view text, std::string_view folded,
                                                  std::size_t at) const {
        const auto found = phrases_.longest_at(folded, at);
        if (!found || (capital_[found->id] && !(text[at] >= 'A' && text[at] <= 'Z'))) {
            return std::nullopt;
        }
        return Match{found->id, found->size};
    }
    // The meanings of a name, best first.
    [[nodiscard]] const std::vector<Meaning>& meanings(std::uint32_t id) const {
        return meanings_[id];
    }
    [[nodiscard]] const Meaning* find(std::uint32_t id, Meaning::Kind kind) const;
    // The name of an item, resource, skill, attribute or role.
    [[nodiscard]] const std::string& text(std::uint32_t index) const { return texts_[index]; }

  private:
    void add(std::string_view name, Meaning meaning);
    std::uint32_t text_index(std::string_view name);
    void add_character(const Truth& truth, std::uint32_t index, const Lexicon& lexicon);
    void add_areas(const Truth& truth);

    text::Phrases phrases_;
    std::vector<std::vector<Meaning>> meanings_;
    std::vector<bool> capital_;  // by phrase: only with a capital first letter
    std::vector<std::string> texts_;
};

}  // namespace arbiter::conflict::internal
