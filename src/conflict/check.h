// The text check: which sentences of a narration contradict the truth.
//
// The rules know Chinese and English. They look at clauses: who (names, titles, pronouns), what
// (quantities, places, life, sheet, inventory, rules, map), and whether it is asserted now. Linear
// in the text; the first base::kReplyBytesMax bytes are looked at. Pure; safe from any
// thread.
#pragma once

#include <span>
#include <string_view>

#include "conflict/finding.h"
#include "conflict/lexicon.h"
#include "conflict/name_cache.h"
#include "conflict/truth.h"

namespace arbiter::conflict {

// Findings below this confidence are not reported. Default of the setting.
inline constexpr int kDefaultConfidence = 70;

struct Input {
    const Truth& truth;  // after `actions`
    std::span<const Settled> actions;
    std::string_view narrative;
    const Lexicon& lexicon = shipped_lexicon();
    int min_confidence = kDefaultConfidence;
    NameCache* names = nullptr;  // kept by the caller for many checks; optional
};

Report check_text(const Input& input);

}  // namespace arbiter::conflict
