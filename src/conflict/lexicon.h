// Lexicon: the words of the conflict check, by category.
//
// Text format (data/lexicons, embedded): `[category]` opens a section, `#` a comment; commas
// separate entries; `pass/passes out` is an entry for each variant. Letters of alphabets match in
// any case and as whole words. A campaign adds words as an object {category: [words]}.
//
// Immutable once built; safe from any thread.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/phrases.h"
#include "value/value.h"

namespace arbiter::conflict {

enum class Word : std::uint8_t {
    kHp,
    kDamage,
    kLose,
    kGain,
    kBecome,
    kRemain,
    kFull,
    kZero,
    kHalf,
    kMaximum,
    kEach,
    kUnhurt,
    kPoints,
    kPrice,
    kArrive,
    kBeAt,
    kLeave,
    kFollowIn,
    kOutside,
    kToward,
    kAllOfYou,
    kDie,
    kCorpse,
    kDown,
    kRestrain,
    kRevive,
    kAct,
    kNegation,
    kModal,
    kPlan,
    kAttempt,
    kReport,
    kNotReport,
    kCondition,
    kUnreal,
    kWake,
    kMemory,
    kRecall,
    kTrance,
    kStay,
    kNearMiss,
    kSimile,
    kQuestion,
    kFromNow,
    kRuleNoun,
    kRuleChange,
    kNorm,
    kGeneric,
    kPathNoun,
    kPathCut,
    kPathOpen,
    kDestroyed,
    kNewArea,
    kRename,
    kNoLonger,
    kBecomeRole,
    kLearn,
    kForget,
    kSkillNoun,
    kLevelUp,
    kLevelNoun,
    kTitleNoun,
    kObtain,
    kGiveAway,
    kCountOf,
    kMoney,
    kYou,
    kHe,
    kShe,
    kIt,
    kThey,
    kSelf,
    kPerson,
    kThing,
    kPersonEnd,
    kSomeone,
    kBody,
    kHonorAfter,
    kHonorBefore,
    kSurnameTwo,
    kAdverb,
    kAnd,
    kBy,
    kObject,
    kOf,
    kPlain,
    kCount
};
using Words = std::bitset<static_cast<std::size_t>(Word::kCount)>;

struct ShippedLexicon {
    std::string_view name;  // zh, en
    std::string_view text;
};
// Sorted by name. Generated from data/lexicons.
std::span<const ShippedLexicon> shipped_lexicons() noexcept;

class Lexicon {
  public:
    // Adds the entries of a text. Unknown categories are ignored.
    void add(std::string_view text);
    // Adds {category: [words]}. Anything else is ignored.
    void add(const value::Value& words);

    // The longest entry at `at`, with all of its categories.
    struct Match {
        std::size_t size = 0;
        Words words;
    };
    [[nodiscard]] Match at(std::string_view folded, std::size_t at) const;
    [[nodiscard]] bool has(std::string_view folded, Word word) const;

  private:
    void add_entry(std::string_view entry, Word word);

    text::Phrases phrases_;
    std::vector<Words> words_;  // by the id of a phrase
};

// The shipped words of both languages.
const Lexicon& shipped_lexicon();

}  // namespace arbiter::conflict
